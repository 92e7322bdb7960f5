/**
 * The probes with which `fiscal-rig passport` examines a device, derived from the questionnaire and the catalogue:
 * every query, every command in states that forbid it, every field of a printing command with wrong values.
 */
import type { ReceiptPhase } from '../model/receipt.ts'
import type { ByteText, CodePage } from './charset.ts'
import { type AnyCommand, type Change, factsOf, isAllowed } from './command.ts'
import { FieldError } from './field.ts'
import {
  type CommandCall,
  covers,
  type Depth,
  type LinkProbe,
  type Questionnaire,
  type RepeatedQuery,
} from './questionnaire.ts'

const DEPTH_OF: Readonly<Record<Change, Depth | 'never'>> = {
  nothing: 'read',
  paper: 'print',
  day: 'fiscal',
  memory: 'never',
}

/**
 * Returns the greatest change that a command makes with this data. For data that cannot be parsed, returns the greatest
 * of all its variants.
 */
export function greatestChange(command: AnyCommand, data: ByteText, page: CodePage): Change {
  const facts = factsFor(command, data, page)
  if (facts) return facts.changes
  const order: readonly Change[] = ['nothing', 'paper', 'day', 'memory']
  const all = [command.changes, ...(command.variants ?? []).flatMap(({ changes }) => changes ?? [])]
  return order.findLast((one) => all.includes(one)) ?? 'memory'
}

export function factsFor(command: AnyCommand, data: ByteText, page: CodePage) {
  try {
    return factsOf(command, command.request.read(data, page))
  } catch (problem) {
    if (problem instanceof FieldError) return undefined
    throw problem
  }
}

const depthOf = (command: AnyCommand, data: ByteText, page: CodePage): Depth | 'never' =>
  DEPTH_OF[greatestChange(command, data, page)]

/**
 * A request of a recording. `command`: its name in the catalogue, `unknown`, or `link` for bytes that are not a valid
 * frame.
 */
export interface Probe {
  readonly id: string
  readonly command: string
  readonly section: string
  readonly depth: Depth
  readonly state: ReceiptPhase
  write(q: Questionnaire, number: number, closures?: number): readonly Uint8Array[]
  /** Set if the request is about a Z report, whose number differs on each device. */
  readonly closure?: OwnClosure
  /** Set if the request is sent again until the device refuses it. Only the last answer is compared. */
  readonly reads?: RepeatedQuery
  readonly isHarmless: boolean
  readonly isContinued?: true
}

/** Numbers of Z reports in probes. Before the first Z report, the two numbers are equal. */
export const OWN_CLOSURES = {
  lastZ: (closures: number) => Math.max(1, closures),
  nextZ: (closures: number) => closures + 1,
} as const
export type OwnClosure = keyof typeof OWN_CLOSURES

const WRONG: readonly (readonly [string, (piece: ByteText) => ByteText | undefined])[] = [
  ['empty', (piece) => (piece === '' ? undefined : '')],
  ['long', (piece) => (/^[\d.+-]*$/.test(piece) ? '9'.repeat(19) : 'W'.repeat(90))],
  ['kind', (piece) => (/^[+-]?[\d.]+$/.test(piece) ? `x${piece.slice(1)}` : undefined)],
]

function mutations(data: ByteText, separator: ByteText): readonly (readonly [id: string, ByteText])[] {
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
  idle: 'read',
  nonFiscal: 'print',
  selling: 'fiscal',
  paying: 'fiscal',
  paid: 'fiscal',
}

const deeper = (one: Depth, other: Depth): Depth => (covers(one, other) ? one : other)

export function probesOf(q: Questionnaire, depth: Depth): readonly Probe[] {
  const all = PHASES.flatMap((state) => [
    ...questionsIn(q, state),
    ...refusalsIn(q, state),
    ...deniedIn(q, state),
    ...wrongsIn(q, state),
  ])
  const probes = [...all, ...unknowns(q), ...q.link.map(linkProbe), ...q.readings.map((one) => readingProbe(q, one))]
  // The probes about Z reports follow the queries that return their number.
  const closures = (Object.keys(OWN_CLOSURES) as OwnClosure[]).map((own) => closureProbe(q, own))
  const seenIds = new Set<string>()
  return [...probes, ...closures].filter((probe) => {
    const isNew = !seenIds.has(probe.id)
    seenIds.add(probe.id)
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
    isHarmless: own === 'read',
    ...(q.continuingQueries.some(([name, first]) => name === command.name && first === data) && { isContinued: true }),
    write: ({ writeRequest: write }, number) => [write({ number, code: command.code, data })],
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

/** Returns the queries: all of them between receipts, but only one per command inside a receipt. */
const questionsIn = (q: Questionnaire, state: ReceiptPhase): readonly Probe[] =>
  examplesOf(q)
    .filter(({ depth, id }) => depth === 'read' && (state === 'idle' || id === 'good'))
    .flatMap(({ command, id, data }) => commandProbe(q, state, command, id, data))

/**
 * Returns requests of commands that change something: commands that this phase forbids, and commands that do not change
 * the phase.
 */
const refusalsIn = (q: Questionnaire, state: ReceiptPhase): readonly Probe[] =>
  examplesOf(q).flatMap(({ command, id, data, facts, depth }) => {
    if (depth === 'read' || !facts) return []
    const isRefused = !isAllowed(facts.allowedIn, state)
    const isStable = !q.moving.includes(command.name)
    if (!isRefused && !isStable) return []
    if (isRefused && id !== 'good') return []
    return commandProbe(q, state, command, id, data)
  })

const deniedIn = (q: Questionnaire, state: ReceiptPhase): readonly Probe[] =>
  q.catalogue.all.flatMap((command) =>
    (q.refused[command.name] ?? []).flatMap((data, at) => {
      const facts = factsFor(command, data, q.page)
      const first = facts && PHASES.find((one) => isAllowed(facts.allowedIn, one))
      return first === state ? commandProbe(q, state, command, `wrong${at + 1}`, data) : []
    }),
  )

/** Returns printing commands with wrong fields, in the first phase that allows the command. */
const wrongsIn = (q: Questionnaire, state: ReceiptPhase): readonly Probe[] =>
  examplesOf(q)
    .filter(({ facts, id, depth }) => {
      const first = facts && PHASES.find((one) => isAllowed(facts.allowedIn, one))
      return id === 'good' && depth !== 'read' && first === state
    })
    .flatMap(({ command, data }) =>
      mutations(data, q.separator).flatMap(([id, wrong]) => {
        // The device would execute data that it can parse, and its phase would change.
        const isRead = factsFor(command, wrong, q.page) !== undefined
        return isRead && q.moving.includes(command.name) ? [] : commandProbe(q, state, command, id, wrong)
      }),
    )

const unknowns = (q: Questionnaire): readonly Probe[] =>
  q.unknown.map((code) => ({
    id: `unknown.${code.toString(16).toUpperCase().padStart(2, '0')}h.idle`,
    command: 'unknown',
    section: q.unknownSection,
    depth: 'read',
    state: 'idle',
    isHarmless: true,
    write: ({ writeRequest: write }, number) => [write({ number, code, data: '' })],
  }))

const linkProbe = ({ id, section, bytes }: LinkProbe): Probe => ({
  id: `link.${id}`,
  command: 'link',
  section,
  depth: 'read',
  state: 'idle',
  isHarmless: true,
  write: (_, number) => bytes(number),
})

function readingProbe(q: Questionnaire, reads: RepeatedQuery): Probe {
  const [name, data] = reads.first
  const command = q.catalogue.byName[name] as AnyCommand
  return {
    id: `reading.${reads.id}`,
    command: name,
    section: command.source,
    depth: 'read',
    state: 'idle',
    isHarmless: false,
    reads,
    write: ({ writeRequest: write }, number) => [write({ number, code: command.code, data })],
  }
}

function closureProbe(q: Questionnaire, closure: OwnClosure): Probe {
  const [name] = q.archivedZ(1)
  return {
    id: `${name}.${closure}.idle`,
    command: name,
    section: q.catalogue.byName[name]?.source ?? '',
    depth: 'read',
    state: 'idle',
    isHarmless: true,
    closure,
    write: (own, number, closures = 0) => [frameOf(own, own.archivedZ(OWN_CLOSURES[closure](closures)), number)],
  }
}

export function frameOf(q: Questionnaire, [name, data]: CommandCall, number: number): Uint8Array {
  const command = q.catalogue.byName[name]
  if (!command) throw new Error(`the edition ${q.edition} has no command ${name}`)
  return q.writeRequest({ number, code: command.code, data })
}
