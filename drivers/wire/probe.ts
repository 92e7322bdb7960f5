import type { ReceiptPhase } from '../model/receipt.ts'
import type { ByteText, CodePage } from './charset.ts'
import { type AnyCommand, type Catalogue, type Change, factsOf, isAllowed } from './command.ts'
import type { FrameShape } from './deframer.ts'
import { FieldError } from './field.ts'

/**
 * What a device is asked to get to know it (`fiscal-rig passport`). A family says in `protocol/passport.ts` how it is
 * spoken to and what good requests look like; the probes follow from that and from the catalogue: every question, every
 * command in the states that forbid it, every field of a printing command as it must not be.
 */

/** How deep a device may be asked: questions, what prints, what is counted. Each covers those before it. */
export const DEPTHS = ['look', 'paper', 'day'] as const
export type Depth = (typeof DEPTHS)[number]

const DEPTH_OF: Readonly<Record<Change, Depth | 'never'>> = {
  nothing: 'look',
  paper: 'paper',
  day: 'day',
  memory: 'never',
}

export const covers = (depth: Depth, other: Depth): boolean => DEPTHS.indexOf(depth) >= DEPTHS.indexOf(other)

/** A request as it stands in a frame. */
export interface Request {
  readonly number: number
  readonly code: number
  readonly data: ByteText
}

/** An answer taken apart. */
export interface Said {
  /** How it was refused, in the family's own code; absent: it was carried out. */
  readonly refusal?: string
  readonly data: ByteText
  /** Names of the status bits that are set. */
  readonly flags: readonly string[]
  /** Lines or messages that came before the end of a longer answer. */
  readonly lines: number
}

/** How a device stands, as its answer to the question for it tells. */
export interface Standing {
  readonly receipt: 'none' | 'nonFiscal' | 'fiscal'
  /** False: nothing that it prints is fiscal. */
  readonly isFiscal: boolean
}

/** One command with its data. */
export type Ask = readonly [command: string, data: ByteText]

/** From one state of the receipt to others and back; a state is reached when all before it was carried out. */
export interface Way {
  readonly id: string
  readonly depth: Depth
  /** Commands, and the state in which the device is behind them. */
  readonly steps: readonly (readonly [...Ask, then?: Exclude<ReceiptPhase, 'idle'>])[]
  /** What ends it from wherever it stands; the first that is carried out is enough. */
  readonly ends: readonly (readonly Ask[])[]
}

/** Bytes that are no good frame of a command: what does the line itself do? */
export interface LinkProbe {
  readonly id: string
  readonly section: string
  /** Written one behind the other, each answered before the next. `number`: of a message that comes next. */
  bytes(number: number): readonly Uint8Array[]
}

/** A question that is asked again until it is refused, e.g. for the lines of a document. */
export interface Reading {
  readonly id: string
  readonly first: Ask
  readonly again: Ask
}

/** Who opens receipts. */
export interface Asker {
  readonly operator: number
  readonly password: string
}

/** The values of the answer to a command with such data; undefined: it was not asked, or was refused. */
export type Told = (command: string, data: ByteText) => Readonly<Record<string, unknown>> | undefined

/** What a device is, as its answers tell. */
export interface Identity {
  readonly model?: string
  readonly firmware?: string
  readonly serialNumber?: string
  readonly fiscalMemoryNumber?: string
}

/** How a device is set: what another one must be given to answer alike. */
export interface DeviceFacts {
  /** By the letter of the group, in percent; null: switched off. */
  readonly taxRates?: Readonly<Record<string, string | null>>
  /** Names by the number of the mode. */
  readonly payments?: Readonly<Record<string, string>>
  readonly operators?: number
  readonly header?: readonly string[]
  readonly footer?: readonly string[]
  /** `known`: the articles that were asked for, as the wire told them; null: it has none of that number. */
  readonly articles?: {
    readonly first?: number
    readonly last?: number
    readonly known?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>
  }
  readonly textWidth?: { readonly nonFiscalText?: number; readonly fiscalText?: number }
  readonly parameters?: Readonly<Record<string, string>>
}

/** What a used device has behind it. */
export interface History {
  readonly closures: number
  readonly documents: number
  /** There is a last fiscal receipt. */
  readonly hasReceipt: boolean
  /** An article has been sold since its sales were cleared. */
  readonly hasSold: boolean
  /** The day has begun: fiscal receipts since the last closure. */
  readonly isDayOpen: boolean
}

export interface Learnt {
  readonly identity: Identity
  readonly facts: DeviceFacts
  readonly history: History
  /** The device's clock, `YYYY-MM-DDThh:mm:ss`. */
  readonly clock?: string
}

/** How an edition of a family is asked. */
export interface Questionnaire {
  readonly edition: string
  readonly catalogue: Catalogue
  readonly page: CodePage
  /** Frames as the device hears them, and as it says them. */
  readonly hears: FrameShape<unknown>
  readonly says: FrameShape<unknown>
  readonly busyByte?: number
  /** "Ask again later." */
  readonly laterByte?: number
  /** Written for every line of a longer answer. */
  readonly lineTaken?: number
  readonly numbers: { readonly first: number; readonly last: number; readonly skipped?: number }
  readonly separator: ByteText

  write(request: Request): Uint8Array
  /** What a frame holds as the device would read it; undefined: no frame of a command. */
  request(frame: Uint8Array): Request | undefined
  isLast(frame: Uint8Array, request: Request): boolean
  /** Undefined: this is no answer of the family to that request. */
  said(frames: readonly Uint8Array[], request: Request): Said | undefined
  /** A refusal in words; undefined: nobody has said what it means. */
  meaning(refusal: string): string | undefined
  /** The one frame that says it. */
  answer(said: Said, request: Request): Uint8Array
  /** Status bits that tell of the command and not of the device. */
  readonly commandFlags: readonly string[]

  /** Status bits that tell what a device has been through, how much paper is left, and how it is connected. */
  readonly ownFlags: readonly string[]
  /** What the answer to this request tells is the device's own, whatever the field. */
  isOwn?(request: Request): boolean

  readonly state: Ask
  /** Reads the answer to `state`. */
  standing(said: Said): Standing
  /** Good requests by the name of their command. What has none here is never carried out. */
  readonly examples: Readonly<Record<string, readonly ByteText[]>>
  /** Requests of good form that a device is expected to refuse for what they say. */
  readonly refused: Readonly<Record<string, readonly ByteText[]>>
  /** Commands after which the receipt is another one, or the day. */
  readonly moving: readonly string[]
  readonly ways: readonly Way[]
  readonly readings: readonly Reading[]
  readonly link: readonly LinkProbe[]
  /** Numbers of commands that no family and no edition has. */
  readonly unknown: readonly number[]
  /** Section of the sheet on unknown commands. */
  readonly unknownSection: string
  /** The closure of the day, sent with a consent of its own. */
  readonly closing: Ask
  /** A frame that holds no command and changes nothing, whoever hears it. */
  isHarmless?(frame: Uint8Array): boolean
  learn(told: Told): Learnt
  /** Characters of a line of paper, where the facts tell them. */
  lineWidth?(facts: DeviceFacts): number | undefined
  /** What brings a new device of the family into the same state. */
  teach(facts: DeviceFacts): readonly Ask[]
  /** Text of so many characters, in the receipts in which such a text may be refused for its length. */
  readonly widest?: Readonly<Partial<Record<'nonFiscal' | 'selling', (length: number) => Ask>>>
}

/** The most that a command can change: with these data, or with data that nobody can read. */
export function mostChanged(command: AnyCommand, data: ByteText, page: CodePage): Change {
  const facts = factsFor(command, data, page)
  if (facts) return facts.changes
  const order: readonly Change[] = ['nothing', 'paper', 'day', 'memory']
  const all = [command.changes, ...(command.variants ?? []).flatMap(({ changes }) => changes ?? [])]
  return order.findLast((one) => all.includes(one)) ?? 'memory'
}

/** Undefined: the data cannot be read. */
export function factsFor(command: AnyCommand, data: ByteText, page: CodePage) {
  try {
    return factsOf(command, command.request.read(data, page))
  } catch (problem) {
    if (problem instanceof FieldError) return undefined
    throw problem
  }
}

/** A command whose data are read as this one's; undefined: the edition has none. */
export const depthOf = (command: AnyCommand, data: ByteText, page: CodePage): Depth | 'never' =>
  DEPTH_OF[mostChanged(command, data, page)]

/** Something to ask. `command`: its name in the catalogue; `unknown`, or `link` for what is no frame of a command. */
export interface Probe {
  readonly id: string
  readonly command: string
  readonly section: string
  readonly depth: Depth
  readonly state: ReceiptPhase
  /** The frames that it writes. */
  write(q: Questionnaire, number: number): readonly Uint8Array[]
  /** Asked again until it is refused; only the end is compared. */
  readonly reads?: Reading
  /** It may be asked several times. */
  readonly isHarmless: boolean
}

/** What stands in the place of a field. */
const WRONG: readonly (readonly [string, (piece: ByteText) => ByteText | undefined])[] = [
  ['empty', (piece) => (piece === '' ? undefined : '')],
  ['long', (piece) => (/^[\d.+-]*$/.test(piece) ? '9'.repeat(19) : 'W'.repeat(90))],
  ['kind', (piece) => (/^[+-]?[\d.]+$/.test(piece) ? `x${piece.slice(1)}` : undefined)],
]

/** Each field of a good request as it must not be. */
export function mutations(data: ByteText, separator: ByteText): readonly (readonly [id: string, ByteText])[] {
  if (data === '') return [['more', 'x']]
  const pieces = data.split(separator)
  return pieces.flatMap((piece, at) =>
    WRONG.flatMap(([what, change]) => {
      const changed = change(piece)
      const isEndOfRow = piece === '' && at === pieces.length - 1
      if (changed === undefined || isEndOfRow) return []
      return [[`field${at + 1}.${what}`, pieces.with(at, changed).join(separator)] as const]
    }),
  )
}

const PHASES: readonly ReceiptPhase[] = ['idle', 'nonFiscal', 'selling', 'paying', 'paid']
const PHASE_DEPTH: Readonly<Record<ReceiptPhase, Depth>> = {
  idle: 'look',
  nonFiscal: 'paper',
  selling: 'day',
  paying: 'day',
  paid: 'day',
}

const deeper = (one: Depth, other: Depth): Depth => (covers(one, other) ? one : other)

/** All that can be asked of such a device, in the states of its receipt; what would be deeper than `depth` is left out. */
export function probesOf(q: Questionnaire, depth: Depth): readonly Probe[] {
  const all = PHASES.flatMap((state) => [
    ...questionsIn(q, state),
    ...refusalsIn(q, state),
    ...deniedIn(q, state),
    ...wrongsIn(q, state),
  ])
  const probes = [...all, ...unknowns(q), ...q.link.map(linkProbe), ...q.readings.map((one) => readingProbe(q, one))]
  const seen = new Set<string>()
  return probes.filter((probe) => {
    const isNew = !seen.has(probe.id)
    seen.add(probe.id)
    return isNew && covers(depth, probe.depth)
  })
}

function commandProbe(q: Questionnaire, state: ReceiptPhase, command: AnyCommand, id: string, data: ByteText) {
  const own = depthOf(command, data, q.page)
  if (own === 'never') return []
  const probe: Probe = {
    id: `${command.name}.${id}.${state}`,
    command: command.name,
    section: command.source,
    depth: deeper(own, PHASE_DEPTH[state]),
    state,
    isHarmless: own === 'look',
    write: ({ write }, number) => [write({ number, code: command.code, data })],
  }
  return [probe]
}

const examplesOf = (q: Questionnaire) =>
  q.catalogue.all.flatMap((command) =>
    (q.examples[command.name] ?? []).map((data, at) => ({
      command,
      data,
      id: at === 0 ? 'good' : `good${at + 1}`,
      facts: factsFor(command, data, q.page),
      depth: depthOf(command, data, q.page),
    })),
  )

/** Questions: all of them between receipts, one of each command in a receipt. */
const questionsIn = (q: Questionnaire, state: ReceiptPhase): readonly Probe[] =>
  examplesOf(q)
    .filter(({ depth, id }) => depth === 'look' && (state === 'idle' || id === 'good'))
    .flatMap(({ command, id, data }) => commandProbe(q, state, command, id, data))

/** Commands that change something: those that the state forbids, and those that leave it as it is. */
const refusalsIn = (q: Questionnaire, state: ReceiptPhase): readonly Probe[] =>
  examplesOf(q).flatMap(({ command, id, data, facts, depth }) => {
    if (depth === 'look' || !facts) return []
    const isRefused = !isAllowed(facts.allowedIn, state)
    const stays = !q.moving.includes(command.name)
    if (!isRefused && !stays) return []
    if (isRefused && id !== 'good') return []
    return commandProbe(q, state, command, id, data)
  })

/** What says something wrong, in the first state that allows the command. */
const deniedIn = (q: Questionnaire, state: ReceiptPhase): readonly Probe[] =>
  q.catalogue.all.flatMap((command) =>
    (q.refused[command.name] ?? []).flatMap((data, at) => {
      const facts = factsFor(command, data, q.page)
      const first = facts && PHASES.find((one) => isAllowed(facts.allowedIn, one))
      return first === state ? commandProbe(q, state, command, `wrong${at + 1}`, data) : []
    }),
  )

/** Wrong fields of what prints, in the first state that allows the command. */
const wrongsIn = (q: Questionnaire, state: ReceiptPhase): readonly Probe[] =>
  examplesOf(q)
    .filter(({ facts, id, depth }) => {
      const first = facts && PHASES.find((one) => isAllowed(facts.allowedIn, one))
      return id === 'good' && depth !== 'look' && first === state
    })
    .flatMap(({ command, data }) =>
      mutations(data, q.separator).flatMap(([id, wrong]) => {
        // What can still be read would be carried out, and bring the device into another state.
        const isRead = factsFor(command, wrong, q.page) !== undefined
        return isRead && q.moving.includes(command.name) ? [] : commandProbe(q, state, command, id, wrong)
      }),
    )

const unknowns = (q: Questionnaire): readonly Probe[] =>
  q.unknown.map((code) => ({
    id: `unknown.${code.toString(16).toUpperCase().padStart(2, '0')}h.idle`,
    command: 'unknown',
    section: q.unknownSection,
    depth: 'look',
    state: 'idle',
    isHarmless: true,
    write: ({ write }, number) => [write({ number, code, data: '' })],
  }))

const linkProbe = ({ id, section, bytes }: LinkProbe): Probe => ({
  id: `link.${id}`,
  command: 'link',
  section,
  depth: 'look',
  state: 'idle',
  isHarmless: true,
  write: (_, number) => bytes(number),
})

function readingProbe(q: Questionnaire, reads: Reading): Probe {
  const [name, data] = reads.first
  const command = q.catalogue.byName[name] as AnyCommand
  return {
    id: `reading.${reads.id}`,
    command: name,
    section: command.source,
    depth: 'look',
    state: 'idle',
    isHarmless: false,
    reads,
    write: ({ write }, number) => [write({ number, code: command.code, data })],
  }
}

/** The frame of a command with such data. */
export function frameOf(q: Questionnaire, [name, data]: Ask, number: number): Uint8Array {
  const command = q.catalogue.byName[name]
  if (!command) throw new Error(`the edition ${q.edition} has no command ${name}`)
  return q.write({ number, code: command.code, data })
}
