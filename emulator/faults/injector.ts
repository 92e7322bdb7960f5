/**
 * Rules at work: what the six points are told. Deterministic first (command, content, n-th time), probability second,
 * from the seed; every hit is counted and reported.
 */
import { PowerCut } from '../fiscal/types.ts'
import { type Effect, effectName, PlanError, type Rule, readPlan } from './plan.ts'
import type { CommandPoint, Delivery, Hands, Injector, Interference, LinkPoint, Passing, Point } from './points.ts'

export interface ActiveRule extends Rule {
  readonly id: number
  readonly hits: number
}

/** The rules of one device, for whoever adds and lists them. */
export interface FaultRules {
  list(): readonly ActiveRule[]
  get(id: number): ActiveRule | undefined
  /** Throws PlanError. */
  add(rule: unknown): ActiveRule
  /** All or, when one of them cannot be, none. Throws PlanError. */
  addAll(rules: unknown): readonly ActiveRule[]
  /** False: there is no such rule. */
  remove(id: number): boolean
  clear(): void
  /** Rules that have not struck: in a test, a mistake. */
  unused(): readonly ActiveRule[]
}

interface Held {
  readonly id: number
  readonly rule: Rule
  seen: number
  hits: number
}

interface Piece {
  readonly bytes: Uint8Array
  readonly afterMs: number
}

/** Between the two halves of a split frame: longer than a turn of the loop, shorter than any wire's gap. */
const SPLIT_PAUSE_MS = 20

export class RuleInjector implements Injector, FaultRules {
  readonly #hands: Hands
  readonly #random: () => number
  readonly #commands: () => ReadonlySet<string>
  #rules: Held[] = []
  #lastId = 0
  /** Points at which some rule may still strike. */
  #watched = new Set<Point>()
  #current = 'unknown'
  /** Asked for on the line, for the command that the frame brings. */
  #busyMs = 0
  #memoryIsFull = false

  constructor(hands: Hands, random: () => number, commands: () => ReadonlySet<string>) {
    this.#hands = hands
    this.#random = random
    this.#commands = commands
  }

  // ---------------------------------------------------------------- the rules

  list(): readonly ActiveRule[] {
    return this.#rules.map(shown)
  }

  get(id: number): ActiveRule | undefined {
    const held = this.#rules.find((one) => one.id === id)
    return held && shown(held)
  }

  add(rule: unknown): ActiveRule {
    try {
      return this.addAll([rule])[0] as ActiveRule
    } catch (problem) {
      if (!(problem instanceof PlanError)) throw problem
      throw new PlanError(problem.problems.map((one) => ({ ...one, path: one.path.replace(/^\[0\]\.?/, '') })))
    }
  }

  addAll(rules: unknown): readonly ActiveRule[] {
    const added = readPlan(rules, this.#commands()).map((rule) => ({ id: ++this.#lastId, rule, seen: 0, hits: 0 }))
    this.#rules.push(...added)
    this.#look()
    return added.map(shown)
  }

  remove(id: number): boolean {
    const before = this.#rules.length
    this.#rules = this.#rules.filter((held) => held.id !== id)
    this.#look()
    return this.#rules.length < before
  }

  clear(): void {
    this.#rules = []
    this.#busyMs = 0
    this.#memoryIsFull = false
    this.#look()
  }

  unused(): readonly ActiveRule[] {
    return this.#rules.filter(({ hits }) => hits === 0).map(shown)
  }

  // ---------------------------------------------------------------- the points

  watches(point: Point): boolean {
    // The points around a command also say which one runs, for the rules inside the books.
    if (point.startsWith('command.')) return this.#watched.size > 0 || this.#busyMs > 0 || this.#memoryIsFull
    return this.#watched.has(point)
  }

  link(point: LinkPoint, passing: Passing): Delivery {
    let delivery: { pieces: readonly Piece[]; ending?: 'unplug' | 'powerCut' } = {
      pieces: [{ bytes: passing.bytes, afterMs: 0 }],
    }
    for (const held of this.#rules) {
      if (held.rule.at !== point || !concerns(held.rule, passing)) continue
      if (!this.#strikes(held, passing.command)) continue
      delivery = this.#onTheWay(point, held.rule, delivery)
    }
    return delivery
  }

  command(point: CommandPoint, command: string): Interference {
    const before = point === 'command.before'
    if (before) this.#memoryIsFull = false
    this.#current = before ? command : 'unknown'
    let done: { drop?: boolean; refuse?: boolean; busyMs?: number; ending?: 'unplug' | 'powerCut' } = {}
    if (before && this.#busyMs > 0) {
      done.busyMs = this.#busyMs
      this.#busyMs = 0
    }
    for (const held of this.#rules) {
      const { rule } = held
      if (rule.at !== point || (rule.on !== undefined && rule.on !== command)) continue
      if (this.#strikes(held, command)) done = this.#around(rule.do, done)
    }
    return done
  }

  memoryWrite(what: 'receipt' | 'z' | 'taxRates' | 'journal'): void {
    for (const held of this.#rules) {
      if (held.rule.at !== 'memory.write' || held.rule.do === 'memoryFull') continue
      if (this.#inBooks(held, what)) this.#byHand(held.rule.do)
    }
  }

  memoryFull(): boolean {
    let full = this.#memoryIsFull
    for (const held of this.#rules) {
      if (held.rule.at !== 'memory.write' || held.rule.do !== 'memoryFull') continue
      if (this.#inBooks(held, '')) full = true
    }
    return full
  }

  paperLine(text: string): void {
    for (const held of this.#rules) {
      if (held.rule.at === 'paper.line' && this.#inBooks(held, text)) this.#byHand(held.rule.do)
    }
  }

  // ---------------------------------------------------------------- one rule

  #inBooks(held: Held, content: string): boolean {
    const { on, containing } = held.rule
    if (on !== undefined && on !== this.#current) return false
    if (containing !== undefined && !content.includes(containing)) return false
    return this.#strikes(held, this.#current)
  }

  /** Everything but the dice has said yes. */
  #strikes(held: Held, command: string): boolean {
    const { skip = 0, times, probability, at } = held.rule
    if (times !== undefined && held.hits >= times) return false
    held.seen++
    if (held.seen <= skip) return false
    if (probability !== undefined && this.#random() >= probability) return false
    held.hits++
    if (times !== undefined && held.hits >= times) this.#look()
    this.#hands.report({
      point: at,
      what: wording(held.rule.do),
      rule: held.id,
      ...(command === 'unknown' ? {} : { on: command }),
    })
    return true
  }

  #onTheWay(
    point: LinkPoint,
    rule: Rule,
    delivery: { pieces: readonly Piece[]; ending?: 'unplug' | 'powerCut' },
  ): { pieces: readonly Piece[]; ending?: 'unplug' | 'powerCut' } {
    const { pieces } = delivery
    const what = rule.do
    switch (what) {
      case 'drop':
        if (rule.byte !== undefined) return { ...delivery, pieces: withByte(pieces, rule.byte, () => []) }
        return { ...delivery, pieces: firstOf(pieces, rule.after ?? 0) }
      case 'duplicate':
        if (rule.byte !== undefined) return { ...delivery, pieces: withByte(pieces, rule.byte, (one) => [one, one]) }
        return { ...delivery, pieces: [...pieces, ...pieces] }
      case 'unplug':
      case 'powerCut':
        return { pieces: firstOf(pieces, rule.after ?? 0), ending: what }
      case 'refuse':
        return { ...delivery, pieces: point === 'link.toHost' ? this.#refusal(pieces) : damaged(pieces) }
      case 'paperOut':
      case 'coverOpen':
      case 'memoryFull':
        this.#byHand(what)
        return delivery
      default:
        return { ...delivery, pieces: this.#shaped(point, what, pieces) }
    }
  }

  #shaped(point: LinkPoint, what: Exclude<Effect, string>, pieces: readonly Piece[]): readonly Piece[] {
    if ('flip' in what) return flipped(pieces, what.flip)
    if ('split' in what) return pieces.flatMap((piece) => split(piece, what.split))
    if ('delayMs' in what) return delayed(pieces, what.delayMs)
    if ('noise' in what) return [{ bytes: Buffer.from(what.noise, 'latin1'), afterMs: 0 }, ...pieces]
    if (point === 'link.toHost') return this.#behindBusyBytes(what.busyMs, pieces)
    this.#busyMs += what.busyMs
    return pieces
  }

  /** The device's own word for a frame that it could not read, in place of its answer. */
  #refusal(pieces: readonly Piece[]): readonly Piece[] {
    const bytes = this.#hands.refusal()
    return bytes ? [{ bytes, afterMs: 0 }] : damaged(pieces)
  }

  #behindBusyBytes(busyMs: number, pieces: readonly Piece[]): readonly Piece[] {
    const busy = this.#hands.busy()
    if (!busy) return delayed(pieces, busyMs)
    const beats = Math.floor(busyMs / busy.everyMs)
    const beat = { bytes: Uint8Array.of(busy.byte), afterMs: busy.everyMs }
    return [...Array.from({ length: beats }, () => beat), ...delayed(pieces, busyMs - beats * busy.everyMs)]
  }

  #around(
    what: Effect,
    done: { drop?: boolean; refuse?: boolean; busyMs?: number; ending?: 'unplug' | 'powerCut' },
  ): typeof done {
    if (what === 'drop') return { ...done, drop: true }
    if (what === 'refuse') return { ...done, refuse: true }
    if (what === 'powerCut') return { ...done, ending: 'powerCut' }
    if (what === 'unplug') return { ...done, ending: done.ending ?? 'unplug' }
    if (typeof what === 'object' && 'busyMs' in what) return { ...done, busyMs: (done.busyMs ?? 0) + what.busyMs }
    this.#byHand(what)
    return done
  }

  /** What is done to the device and not to bytes. Throws PowerCut. */
  #byHand(what: Effect): void {
    if (what === 'paperOut') this.#hands.setPaper('out')
    else if (what === 'coverOpen') this.#hands.setCover(true)
    else if (what === 'memoryFull') this.#memoryIsFull = true
    else if (what === 'powerCut') throw new PowerCut()
  }

  #look(): void {
    const active = this.#rules.filter(({ rule, hits }) => rule.times === undefined || hits < rule.times)
    this.#watched = new Set(active.map(({ rule }) => rule.at))
  }
}

const shown = ({ id, rule, hits }: Held): ActiveRule => ({ id, ...rule, hits })

const wording = (what: Effect): string =>
  typeof what === 'string' ? what : `${effectName(what)} ${JSON.stringify(Object.values(what)[0])}`

/** A named command is carried by frames; without a name every byte on the line is meant. */
function concerns({ on, containing }: Rule, { command, bytes }: Passing): boolean {
  if (on !== undefined && (on !== command || bytes.length < 2)) return false
  return containing === undefined || Buffer.from(bytes).toString('latin1').includes(containing)
}

function firstOf(pieces: readonly Piece[], count: number): readonly Piece[] {
  let left = count
  const kept: Piece[] = []
  for (const piece of pieces) {
    if (left <= 0) break
    kept.push({ ...piece, bytes: piece.bytes.subarray(0, left) })
    left -= piece.bytes.length
  }
  return kept
}

/** Puts other bytes in the place of one; nothing happens to a frame that is shorter. */
function withByte(pieces: readonly Piece[], at: number, change: (byte: number) => readonly number[]): readonly Piece[] {
  let begin = 0
  return pieces.map((piece) => {
    const from = at - begin
    begin += piece.bytes.length
    const byte = from < 0 ? undefined : piece.bytes[from]
    if (byte === undefined) return piece
    const bytes = Uint8Array.from([
      ...piece.bytes.subarray(0, from),
      ...change(byte),
      ...piece.bytes.subarray(from + 1),
    ])
    return { ...piece, bytes }
  })
}

function flipped(pieces: readonly Piece[], bit: number): readonly Piece[] {
  const length = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return length === 0 ? pieces : withByte(pieces, Math.floor(bit / 8) % length, (byte) => [byte ^ (1 << (bit % 8))])
}

/** The last byte ends every family's frame: without it the form is wrong, whatever else happens to the frame. */
function damaged(pieces: readonly Piece[]): readonly Piece[] {
  const length = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return withByte(pieces, Math.max(0, length - 1), (byte) => [byte ^ 0x40])
}

function split(piece: Piece, after: number): readonly Piece[] {
  const { bytes, afterMs } = piece
  if (after >= bytes.length) return [piece]
  return [
    { bytes: bytes.subarray(0, after), afterMs },
    { bytes: bytes.subarray(after), afterMs: SPLIT_PAUSE_MS },
  ]
}

const delayed = ([first, ...rest]: readonly Piece[], ms: number): readonly Piece[] =>
  first ? [{ ...first, afterMs: first.afterMs + ms }, ...rest] : []
