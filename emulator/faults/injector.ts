/**
 * Rules at work: what the six points are told. Deterministic first (command, content, n-th time), probability second,
 * from the seed; every hit is counted and reported.
 */
import { type Blow, type EffectRow, effectName, effectValue, reportOf, rowOf, type Victim } from './effects.ts'
import { PlanError, type Rule, readPlan } from './plan.ts'
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
  readonly strike: EffectRow<never>['strike']
  readonly blow: Blow<never>
  seen: number
  hits: number
}

export class RuleInjector implements Injector, FaultRules {
  readonly #hands: Hands
  readonly #victim: Victim
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
    this.#victim = {
      ...hands,
      fillMemory: () => {
        this.#memoryIsFull = true
      },
      delayCommand: (ms) => {
        this.#busyMs += ms
      },
    }
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
    const added = readPlan(rules, this.#commands()).map((rule) => this.#hold(rule))
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
    const moment = point === 'link.toDevice' ? 'toDevice' : 'toHost'
    let delivery: Delivery = { pieces: [{ bytes: passing.bytes, afterMs: 0 }] }
    for (const held of this.#at(point)) {
      if (!concerns(held.rule, passing) || !this.#strikes(held, passing.command)) continue
      delivery = held.strike[moment]?.(delivery, held.blow) ?? delivery
    }
    return delivery
  }

  command(point: CommandPoint, command: string): Interference {
    const moment = point === 'command.before' ? 'before' : 'after'
    if (moment === 'before') this.#memoryIsFull = false
    this.#current = moment === 'before' ? command : 'unknown'
    let done: Interference = {}
    if (moment === 'before' && this.#busyMs > 0) {
      done = { busyMs: this.#busyMs }
      this.#busyMs = 0
    }
    for (const held of this.#at(point)) {
      if (held.rule.on !== undefined && held.rule.on !== command) continue
      if (this.#strikes(held, command)) done = held.strike[moment]?.(done, held.blow) ?? done
    }
    return done
  }

  memoryWrite(what: 'receipt' | 'z' | 'taxRates' | 'journal'): void {
    for (const held of this.#at('memory.write')) {
      if (held.strike.write && this.#inBooks(held, what)) held.strike.write(held.blow)
    }
  }

  memoryFull(): boolean {
    let isFull = this.#memoryIsFull
    for (const held of this.#at('memory.write')) {
      if (held.strike.full && this.#inBooks(held, '')) isFull = true
    }
    return isFull
  }

  paperLine(text: string): void {
    for (const held of this.#at('paper.line')) {
      if (this.#inBooks(held, text)) held.strike.line?.(held.blow)
    }
  }

  // ---------------------------------------------------------------- one rule

  #hold(rule: Rule): Held {
    const { strike } = rowOf(effectName(rule.do))
    const blow = { value: effectValue(rule.do) as never, rule, device: this.#victim }
    return { id: ++this.#lastId, rule, strike, blow, seen: 0, hits: 0 }
  }

  #at(point: Point): readonly Held[] {
    return this.#rules.filter(({ rule }) => rule.at === point)
  }

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
      what: reportOf(held.rule.do),
      rule: held.id,
      ...(command === 'unknown' ? {} : { on: command }),
    })
    return true
  }

  #look(): void {
    const active = this.#rules.filter(({ rule, hits }) => rule.times === undefined || hits < rule.times)
    this.#watched = new Set(active.map(({ rule }) => rule.at))
  }
}

const shown = ({ id, rule, hits }: Held): ActiveRule => ({ id, ...rule, hits })

/** A named command is carried by frames; without a name every byte on the line is meant. */
function concerns({ on, containing }: Rule, { command, bytes }: Passing): boolean {
  if (on !== undefined && (on !== command || bytes.length < 2)) return false
  return containing === undefined || Buffer.from(bytes).toString('latin1').includes(containing)
}
