/**
 * The fault rules of a device. Command, content and count of a rule are checked before its probability, so that only
 * matching events consume random numbers of the seed.
 */
import {
  type EffectContext,
  type EffectRow,
  type EffectTarget,
  effectName,
  effectValue,
  reportOf,
  rowOf,
} from './effects.ts'
import { PlanError, readPlan } from './fault-plan.ts'
import type {
  CommandInterference,
  CommandPoint,
  Delivery,
  DeviceControls,
  Injector,
  LinkPoint,
  Point,
  Transmission,
} from './points.ts'
import type { Rule } from './rule.ts'

export interface ActiveRule extends Rule {
  readonly id: number
  readonly hits: number
}

export interface FaultRules {
  list(): readonly ActiveRule[]
  get(id: number): ActiveRule | undefined
  /** Throws PlanError for an invalid rule. */
  add(rule: unknown): ActiveRule
  /** Adds all rules, or none if one of them is invalid. Throws PlanError. */
  addAll(rules: unknown): readonly ActiveRule[]
  remove(id: number): boolean
  clear(): void
  /** Returns the rules that were never triggered, which usually indicates a mistake in a test. */
  unused(): readonly ActiveRule[]
}

interface Entry {
  readonly id: number
  readonly rule: Rule
  readonly effectHandlers: EffectRow<never>['effectHandlers']
  readonly context: EffectContext<never>
  matches: number
  hits: number
}

export class RuleInjector implements Injector, FaultRules {
  readonly #controls: DeviceControls
  readonly #target: EffectTarget
  readonly #random: () => number
  readonly #commands: () => ReadonlySet<string>
  #rules: Entry[] = []
  #lastId = 0
  /** Points at which a rule can still be triggered. */
  #watched = new Set<Point>()
  #current = 'unknown'
  /** Delay of the next command in ms, set by a rule at `link.toDevice`. */
  #busyMs = 0
  #memoryIsFull = false

  constructor(controls: DeviceControls, random: () => number, commands: () => ReadonlySet<string>) {
    this.#controls = controls
    this.#target = {
      ...controls,
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

  list(): readonly ActiveRule[] {
    return this.#rules.map(activeRule)
  }

  get(id: number): ActiveRule | undefined {
    const entry = this.#rules.find((one) => one.id === id)
    return entry && activeRule(entry)
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
    const added = readPlan(rules, this.#commands()).map((rule) => this.#entryFor(rule))
    this.#rules.push(...added)
    this.#updateWatched()
    return added.map(activeRule)
  }

  remove(id: number): boolean {
    const before = this.#rules.length
    this.#rules = this.#rules.filter((entry) => entry.id !== id)
    this.#updateWatched()
    return this.#rules.length < before
  }

  clear(): void {
    this.#rules = []
    this.#busyMs = 0
    this.#memoryIsFull = false
    this.#updateWatched()
  }

  unused(): readonly ActiveRule[] {
    return this.#rules.filter(({ hits }) => hits === 0).map(activeRule)
  }

  watches(point: Point): boolean {
    // The points around a command also record which command runs, for the rules inside the books.
    if (point.startsWith('command.')) return this.#watched.size > 0 || this.#busyMs > 0 || this.#memoryIsFull
    return this.#watched.has(point)
  }

  link(point: LinkPoint, transmission: Transmission): Delivery {
    const moment = point === 'link.toDevice' ? 'toDevice' : 'toHost'
    let delivery: Delivery = { pieces: [{ bytes: transmission.bytes, afterMs: 0 }] }
    for (const entry of this.#at(point)) {
      if (!concerns(entry.rule, transmission) || !this.#isTriggered(entry, transmission.command)) continue
      delivery = entry.effectHandlers[moment]?.(delivery, entry.context) ?? delivery
    }
    return delivery
  }

  command(point: CommandPoint, command: string): CommandInterference {
    const moment = point === 'command.before' ? 'before' : 'after'
    if (moment === 'before') this.#memoryIsFull = false
    this.#current = moment === 'before' ? command : 'unknown'
    let interference: CommandInterference = {}
    if (moment === 'before' && this.#busyMs > 0) {
      interference = { busyMs: this.#busyMs }
      this.#busyMs = 0
    }
    for (const entry of this.#at(point)) {
      if (entry.rule.on !== undefined && entry.rule.on !== command) continue
      if (this.#isTriggered(entry, command))
        interference = entry.effectHandlers[moment]?.(interference, entry.context) ?? interference
    }
    return interference
  }

  memoryWrite(what: 'receipt' | 'z' | 'taxRates' | 'header' | 'journal'): void {
    for (const entry of this.#at('memory.write')) {
      if (entry.effectHandlers.write && this.#inBooks(entry, what)) entry.effectHandlers.write(entry.context)
    }
  }

  memoryFull(writes: boolean): boolean {
    let isFull = this.#memoryIsFull
    for (const entry of this.#at('memory.write')) {
      if (!entry.effectHandlers.full || !(writes || isPersistent(entry)) || !this.#inBooks(entry, '')) continue
      isFull = true
      // The status in the answer to this command must also report the full memory.
      this.#memoryIsFull = true
    }
    return isFull
  }

  memoryIsFull(): 'persistent' | 'forThisCommand' | false {
    if (this.#at('memory.write').some((entry) => entry.effectHandlers.full && isPersistent(entry))) return 'persistent'
    return this.#memoryIsFull && 'forThisCommand'
  }

  paperLine(text: string): void {
    for (const entry of this.#at('paper.line')) {
      if (this.#inBooks(entry, text)) entry.effectHandlers.line?.(entry.context)
    }
  }

  #entryFor(rule: Rule): Entry {
    const { effectHandlers } = rowOf(effectName(rule.do))
    const context = { value: effectValue(rule.do) as never, rule, device: this.#target }
    return { id: ++this.#lastId, rule, effectHandlers, context, matches: 0, hits: 0 }
  }

  #at(point: Point): readonly Entry[] {
    return this.#rules.filter(({ rule }) => rule.at === point)
  }

  #inBooks(entry: Entry, content: string): boolean {
    const { on, containing } = entry.rule
    if (on !== undefined && on !== this.#current) return false
    if (containing !== undefined && !content.includes(containing)) return false
    return this.#isTriggered(entry, this.#current)
  }

  #isTriggered(entry: Entry, command: string): boolean {
    const { skip = 0, times, probability, at } = entry.rule
    if (times !== undefined && entry.hits >= times) return false
    entry.matches++
    if (entry.matches <= skip) return false
    if (probability !== undefined && this.#random() >= probability) return false
    entry.hits++
    if (times !== undefined && entry.hits >= times) this.#updateWatched()
    this.#controls.report({
      point: at,
      what: reportOf(entry.rule.do),
      rule: entry.id,
      ...(command === 'unknown' ? {} : { on: command }),
    })
    return true
  }

  #updateWatched(): void {
    const active = this.#rules.filter(({ rule, hits }) => rule.times === undefined || hits < rule.times)
    this.#watched = new Set(active.map(({ rule }) => rule.at))
  }
}

/** Returns true if no limit of the rule ends the condition: the memory is full until the rule is removed. */
const isPersistent = ({ rule, matches: matchCount }: Entry): boolean =>
  [rule.times, rule.on, rule.containing, rule.probability].every((limit) => limit === undefined) &&
  matchCount >= (rule.skip ?? 0)

const activeRule = ({ id, rule, hits }: Entry): ActiveRule => ({ id, ...rule, hits })

/** A rule with a command does not apply to single bytes, such as ACK or busy bytes. */
function concerns({ on, containing }: Rule, { command, bytes }: Transmission): boolean {
  if (on !== undefined && (on !== command || bytes.length < 2)) return false
  return containing === undefined || Buffer.from(bytes).toString('latin1').includes(containing)
}
