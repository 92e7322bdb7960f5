import type { Clock } from '../../drivers/model/clock.ts'
import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import { frameOf, type Probe, probesOf } from '../../drivers/wire/probe.ts'
import {
  type Ask,
  covers,
  type Depth,
  type Questionnaire,
  type Reading,
  type Said,
  type Standing,
  type Way,
} from '../../drivers/wire/questionnaire.ts'
import { admits, type Consent, type Needed, neededFor } from './gate.ts'
import { type Heard, type Line, LineLost, type Patience } from './line.ts'

/**
 * The conversation with a device: all probes of a depth, state by state, and back to where it stood. Everything that was
 * said is kept in its order, so that it can be said to another device again.
 */

export interface Exchange {
  /** Absent: it only led to a state, or back. */
  readonly probe?: Probe
  /** Of the same probe, from 0. */
  readonly attempt: number
  readonly state: ReceiptPhase
  /** Since the conversation began. */
  readonly atMs: number
  readonly requests: readonly Uint8Array[]
  readonly heard: readonly Heard[]
  readonly reads?: Reading
}

export interface Conversation {
  readonly exchanges: readonly Exchange[]
  /** As it was met. */
  readonly standing: Standing
  /** Probes of the plan that could not be asked: their state was not reached. */
  readonly leftOut: readonly string[]
  readonly isComplete: boolean
  /** Not a word was understood. */
  readonly isSilent: boolean
  /** What ended it before its end. */
  readonly ended?: 'interrupted' | 'silent' | 'lost'
  /** Widest text that was taken, by the state in which it was. */
  readonly widest: Readonly<Partial<Record<'nonFiscal' | 'selling', number>>>
}

export interface Talk {
  readonly line: Line
  readonly q: Questionnaire
  /** The same family in its other editions. */
  readonly others: readonly Questionnaire[]
  readonly clock: Clock
  readonly consent: Consent
  readonly signal?: AbortSignal
  /** Chooses the number of the first message. */
  readonly seed?: number
  /** Asked with the first answer: false ends the conversation at once. */
  readonly mayGoOn?: (standing: Standing) => boolean
  readonly progress?: (done: number, of: number) => void
}

/** How often what changes nothing is asked. */
const TRIES = 3
/** A device that says nothing for so long has stopped. */
const SILENCE_MS = 60_000
const SILENCE_PAUSE_MS = 2_000
/** Questions to one who has not said anything yet. */
const GREETINGS = 3
const READING_MAX = 400
const WIDEST = 64

class Ended extends Error {
  readonly why: 'interrupted' | 'silent' | 'lost'
  constructor(why: Ended['why']) {
    super(why)
    this.why = why
  }
}

/** What of a plan may be sent, each with what it needs. */
export interface Planned {
  readonly probe: Probe
  readonly needs: Needed
  readonly frames: readonly Uint8Array[]
}

/** The probes of a depth; what another edition of the family would read as more than was agreed to is left out. */
export function planOf(q: Questionnaire, others: readonly Questionnaire[], consent: Consent): readonly Planned[] {
  return probesOf(q, consent.depth)
    .map((probe) => {
      const frames = probe.write(q, q.numbers.first)
      const needs = frames.map((frame) => (q.request(frame) ? neededFor(frame, q, others) : 'look'))
      return { probe, frames, needs: needs.find((one) => !admits(consent, one)) ?? needs.at(-1) ?? 'look' }
    })
    .filter(({ needs }) => admits(consent, needs))
}

export const waysOf = (q: Questionnaire, depth: Depth): readonly Way[] =>
  q.ways.filter((way) => covers(depth, way.depth))

/** Rejects only for mistakes of ours: what a device does ends the conversation and stands in it. */
export async function converse(talk: Talk): Promise<Conversation> {
  const { q, clock, consent } = talk
  const start = clock.now()
  const exchanges: Exchange[] = []
  const widest: Partial<Record<'nonFiscal' | 'selling', number>> = {}
  const plan = planOf(q, talk.others, consent).map(({ probe }) => probe)
  const asked = new Set<string>()
  let standing: Standing = { receipt: 'none', isFiscal: true }
  let number = q.numbers.first + ((talk.seed ?? 0) % (q.numbers.last - q.numbers.first))
  let state: ReceiptPhase = 'idle'
  let isClosing = false

  function next(): number {
    const { first, last, skipped } = q.numbers
    number = number >= last ? first : number + 1
    if (number === skipped) number++
    return number
  }

  function patienceFor(frame: Uint8Array): Patience {
    const request = q.request(frame)
    const command = request && q.catalogue.find(request.code, request.data)
    const isPrinting = command?.prints === true
    const totalMs = command?.limitMs ?? (isPrinting ? 30_000 : 10_000)
    return { firstMs: q.busyByte === undefined ? (isPrinting ? totalMs : 3_000) : 1_500, gapMs: 1_500, totalMs }
  }

  async function say(frame: Uint8Array): Promise<Heard> {
    if (!isClosing && talk.signal?.aborted) throw new Ended('interrupted')
    try {
      return await talk.line.ask(frame, patienceFor(frame))
    } catch (problem) {
      if (problem instanceof LineLost) throw new Ended('lost')
      throw problem
    }
  }

  const saidBy = (frame: Uint8Array, heard: Heard): Said | undefined => {
    const request = q.request(frame)
    return request && q.said(heard.frames, request)
  }

  /** A command that said nothing at all: is somebody still there? */
  async function isThere(): Promise<void> {
    const since = clock.now()
    while (true) {
      const frame = frameOf(q, q.state, next())
      const heard = await say(frame)
      if (heard.bytes.length > 0) return
      if (clock.now() - since >= SILENCE_MS) throw new Ended('silent')
      await new Promise<void>((resolve) => void clock.after(SILENCE_PAUSE_MS, resolve))
    }
  }

  async function record(frames: readonly Uint8Array[], of: Partial<Pick<Exchange, 'probe' | 'attempt'>> = {}) {
    const atMs = clock.now() - start
    const heard: Heard[] = []
    for (const frame of frames) heard.push(await say(frame))
    exchanges.push({ attempt: 0, ...of, state, atMs, requests: frames, heard })
    if (heard.some(({ bytes }, at) => bytes.length === 0 && q.request(frames[at] as Uint8Array))) await isThere()
    return heard
  }

  /** Whether it was carried out. */
  async function does(ask: Ask, probe?: Probe): Promise<boolean> {
    const frame = frameOf(q, ask, next())
    const [heard] = await record([frame], probe && { probe })
    const said = heard && saidBy(frame, heard)
    return said !== undefined && said.refusal === undefined
  }

  async function stand(): Promise<Standing> {
    const frame = frameOf(q, q.state, next())
    const [heard] = await record([frame])
    const said = heard && saidBy(frame, heard)
    return said ? q.standing(said) : { receipt: 'none', isFiscal: true }
  }

  const isWhere = ({ receipt }: Standing): boolean =>
    receipt === (state === 'idle' ? 'none' : state === 'nonFiscal' ? 'nonFiscal' : 'fiscal')

  async function readToItsEnd(probe: Probe, reads: Reading): Promise<void> {
    const atMs = clock.now() - start
    const requests: Uint8Array[] = []
    const heard: Heard[] = []
    for (let ask = reads.first; requests.length < READING_MAX; ask = reads.again) {
      const frame = frameOf(q, ask, next())
      const answer = await say(frame)
      requests.push(frame)
      heard.push(answer)
      const said = saidBy(frame, answer)
      if (!said || said.refusal !== undefined) break
    }
    exchanges.push({ probe, attempt: 0, state, atMs, requests, heard, reads })
  }

  /** False: the device is in another state behind it. */
  async function askProbe(probe: Probe): Promise<boolean> {
    asked.add(probe.id)
    talk.progress?.(asked.size, plan.length)
    if (probe.reads) {
      await readToItsEnd(probe, probe.reads)
      return true
    }
    const tries = probe.isHarmless && state === 'idle' ? TRIES : 1
    for (let attempt = 0; attempt < tries; attempt++) await record(probe.write(q, next()), { probe, attempt })
    return probe.isHarmless || isWhere(await stand())
  }

  async function askAll(probes: readonly Probe[]): Promise<boolean> {
    for (const probe of probes) if (!asked.has(probe.id) && !(await askProbe(probe))) return false
    return true
  }

  /** Closes or cancels what stands open. */
  async function leave(ends: Way['ends']): Promise<void> {
    for (let turn = 0; turn < 2 && (await stand()).receipt !== 'none'; turn++) {
      for (const asks of ends) {
        let isDone = true
        for (const ask of asks) isDone = (await does(ask)) && isDone
        if (isDone) break
      }
    }
    state = 'idle'
  }

  const inState = (of: ReceiptPhase): readonly Probe[] => plan.filter((probe) => probe.state === of)
  const allEnds = q.ways.flatMap(({ ends }) => ends)

  async function measureWidth(of: 'nonFiscal' | 'selling'): Promise<void> {
    const ask = q.widest?.[of]
    if (!ask || widest[of] !== undefined) return
    let [low, high] = [0, WIDEST]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (await does(ask(middle))) low = middle
      else high = middle - 1
    }
    widest[of] = low
  }

  /** Asks again and again while a probe of a state leads out of it. */
  async function walk(way: Way): Promise<void> {
    for (let turn = 0; turn < 4; turn++) if (await walkOnce(way, turn)) return
  }

  async function walkOnce(way: Way, turn: number): Promise<boolean> {
    for (const [at, [name, data, then]] of way.steps.entries()) {
      const probe = stepProbe(q, way, at, state)
      if (!(await does([name, data], turn === 0 ? probe : undefined))) break
      if (turn === 0) asked.add(probe.id)
      if (then === undefined) continue
      state = then
      if (!(await askAll(inState(then)))) {
        await leave(way.ends)
        return false
      }
      if (then === 'nonFiscal' || then === 'selling') await measureWidth(then)
    }
    await leave(way.ends)
    return true
  }

  /** Nobody who is asked for the first time is waited for as long as one who has answered. */
  async function greet(): Promise<void> {
    for (let turn = 0; turn < GREETINGS; turn++) {
      const frame = frameOf(q, q.state, next())
      const atMs = clock.now() - start
      const heard = await say(frame)
      exchanges.push({ attempt: 0, state, atMs, requests: [frame], heard: [heard] })
      if (heard.frames.length > 0) return
    }
    throw new Ended('silent')
  }

  async function all(): Promise<void> {
    // The first number may be that of the last command of somebody else: then an old answer comes.
    await greet()
    standing = await stand()
    if (talk.mayGoOn && !talk.mayGoOn(standing)) return
    const isForeign = standing.receipt !== 'none'
    const idle = inState('idle')
    const harmless = idle.filter(({ depth }) => depth === 'look')
    const links = harmless.filter(({ command }) => command === 'link')
    await askAll([...harmless.filter((one) => !links.includes(one)), ...links])
    if (isForeign) return
    const others = idle.filter(({ depth }) => depth !== 'look')
    while (!(await askAll(others))) await leave(allEnds)
    for (const way of waysOf(q, consent.depth)) await walk(way)
    // What can only be asked once something was printed is asked again.
    if (consent.depth !== 'look') for (const reads of q.readings) await readAgain(reads)
    if (consent.z) {
      const closing = closingProbe(q)
      asked.add(closing.id)
      await does(q.closing, closing)
    }
  }

  async function readAgain(reads: Reading): Promise<void> {
    const probe = plan.find((one) => one.reads === reads)
    if (probe) await readToItsEnd({ ...probe, id: `${probe.id}.printed` }, reads)
  }

  let ended: Conversation['ended']
  try {
    await all()
  } catch (problem) {
    if (!(problem instanceof Ended)) throw problem
    ended = problem.why
    isClosing = true
    if (ended === 'interrupted' && state !== 'idle') await leave(allEnds).catch(() => undefined)
  }
  const isSilent = exchanges.every(({ heard, requests }) =>
    requests.every((frame, at) => heard[at] === undefined || saidBy(frame, heard[at]) === undefined),
  )
  const leftOut = plan.filter(({ id }) => !asked.has(id)).map(({ id }) => id)
  return { exchanges, standing, leftOut, isComplete: ended === undefined, isSilent, ...(ended && { ended }), widest }
}

export function stepProbe(q: Questionnaire, way: Way, at: number, state: ReceiptPhase): Probe {
  const [name, data] = way.steps[at] as readonly [string, string]
  const command = q.catalogue.byName[name]
  return {
    id: `way.${way.id}.${at + 1}.${name}`,
    command: name,
    section: command?.source ?? '',
    depth: way.depth,
    state,
    isHarmless: false,
    write: (own, number) => [frameOf(own, [name, data], number)],
  }
}

export const closingProbe = (q: Questionnaire): Probe => ({
  id: 'closing',
  command: q.closing[0],
  section: q.catalogue.byName[q.closing[0]]?.source ?? '',
  depth: 'day',
  state: 'idle',
  isHarmless: false,
  write: (own, number) => [frameOf(own, own.closing, number)],
})
