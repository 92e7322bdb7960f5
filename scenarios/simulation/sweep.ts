/**
 * The n-th fault sweep: one composite receipt, and trouble at every byte of both directions and at every write, one
 * point for each receipt, all points. What passes on the line without trouble is counted first; then each passing and each
 * of its bytes has its turn.
 */

import { messageOf } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { LinkPoint } from '../../emulator/faults/points.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { type Broken, Run } from './run.ts'
import type { RequestStep } from './steps.ts'
import { World } from './world.ts'
import { isOnSqlite, type WorldOptions } from './world-options.ts'

export const TROUBLES = ['cut', 'unplug', 'drop', 'flip', 'swallow the rest', 'duplicate'] as const
export type Trouble = (typeof TROUBLES)[number]

const RECEIPT: RequestStep = { do: 'receipt', rows: 2, paying: 'card and cash', key: true }

interface Passing {
  readonly at: LinkPoint
  /** Bytes of each frame and single byte, in order. */
  readonly lengths: readonly number[]
}

export interface SweepResult {
  /** Points at which trouble struck, one receipt each. */
  readonly points: number
  /** How the receipt was answered: 200, an error's status, or `unknown`. */
  readonly answers: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}

/** A service that has met its device: what is swept is the receipt, not the greeting. */
async function worldFor(options: WorldOptions): Promise<{ world: World; run: Run }> {
  const world = new World(options)
  const run = new Run(world)
  await run.request({ do: 'status' })
  return { world, run }
}

/** What passes on the line while the receipt is printed. */
export async function countPassings(family: Family, profile?: string): Promise<readonly Passing[]> {
  const { world, run } = await worldFor({ family, profile })
  const lengths: Record<LinkPoint, number[]> = { 'link.toDevice': [], 'link.toHost': [] }
  const end = world.emulator.subscribe((event) => {
    if (event.type !== 'frame') return
    lengths[event.entry.direction === 'toDevice' ? 'link.toDevice' : 'link.toHost'].push(event.entry.bytes.length)
  })
  await run.request(RECEIPT)
  end()
  await world.close()
  return (['link.toDevice', 'link.toHost'] as const).map((at) => ({ at, lengths: lengths[at] }))
}

export const bytesIn = (passings: readonly Passing[]): number =>
  passings.flatMap(({ lengths }) => lengths).reduce((sum, length) => sum + length, 0)

function ruleFor(trouble: Trouble, at: LinkPoint, skip: number, byte: number): Rule {
  const where = { at, skip, times: 1 }
  switch (trouble) {
    case 'cut':
      return { ...where, do: 'powerCut', after: byte }
    case 'unplug':
      return { ...where, do: 'unplug', after: byte }
    case 'drop':
      return { ...where, do: 'drop', byte }
    case 'flip':
      return { ...where, do: { flip: byte * 8 + (byte % 8) } }
    case 'swallow the rest':
      return { ...where, do: 'drop', after: byte }
    case 'duplicate':
      return { ...where, do: 'duplicate', byte }
  }
}

function rulesFor(trouble: Trouble, passings: readonly Passing[]): Rule[] {
  return passings.flatMap(({ at, lengths }) =>
    lengths.flatMap((length, skip) => Array.from({ length }, (_nothing, byte) => ruleFor(trouble, at, skip, byte))),
  )
}

/** Where the power may fail besides the line: each is tried for the n-th time until there is no n-th time. */
export const POWER_POINTS = ['memory.write', 'command.before', 'command.after', 'paper.line'] as const

/**
 * So many points meet the same service and device, one after another: behind each of them all is judged, the sums of the
 * open day among it, and the next receipt shows that it has left nothing behind. Then the day is closed, which at each
 * point would take as long again as the point itself.
 */
const SERIES = 8

interface Series {
  /** Of the rules that have struck; where there is a violation, that of the last rule alone. */
  readonly answers: readonly string[]
  readonly violation?: string
}

async function runSeries(rules: readonly Rule[], options: WorldOptions): Promise<Series> {
  const { world, run } = await worldFor(options)
  const answers: string[] = []
  const tried: Rule[] = []
  let hasStruck = false
  world.onEvent = ({ type }) => {
    hasStruck ||= type === 'fault'
  }
  try {
    for (const rule of rules) {
      tried.push(rule)
      hasStruck = false
      world.emulator.faults.add(rule)
      const reply = await run.request(RECEIPT)
      const isUnknown = reply?.message.startsWith('Outcome unknown:')
      if (hasStruck) answers.push(isUnknown ? 'unknown' : String(reply?.status))
      // A client that got no number asks again with the same key.
      await run.request({ do: 'again' })
      // As at the beginning: a sound device, and a service that has settled with it.
      await world.heal()
      await run.request({ do: 'status' })
      run.judge.final()
    }
    await run.liveness()
    return { answers }
  } catch (problem) {
    const where = tried.map((rule) => JSON.stringify(rule)).join(', then ')
    return { answers: hasStruck ? ['violation'] : [], violation: `${where}: ${messageOf(problem)}` }
  } finally {
    await world.close()
  }
}

class Tally {
  #series = 0
  #points = 0
  readonly #answers: Record<string, number> = {}
  readonly #violations: string[] = []

  /** False: the rule has not struck. */
  async add(rule: Rule, options: WorldOptions): Promise<boolean> {
    const series = await this.#run([rule], options)
    this.#count(series)
    return series.answers.length > 0
  }

  /** Where something is wrong, each by itself: which of them it is, and what the others are worth; or it takes several. */
  async addSeries(rules: readonly Rule[], options: WorldOptions): Promise<void> {
    const series = await this.#run(rules, options)
    if (series.violation === undefined) return this.#count(series)
    const before = this.#violations.length
    for (const rule of rules) await this.add(rule, options)
    if (this.#violations.length === before) this.#violations.push(series.violation)
  }

  #run(rules: readonly Rule[], options: WorldOptions): Promise<Series> {
    return runSeries(rules, { ...options, onSqlite: isOnSqlite(this.#series++) })
  }

  #count({ answers, violation }: Series): void {
    this.#points += answers.length
    for (const answer of answers) this.#answers[answer] = (this.#answers[answer] ?? 0) + 1
    if (violation !== undefined) this.#violations.push(violation)
  }

  get result(): SweepResult {
    return { points: this.#points, answers: this.#answers, violations: this.#violations }
  }
}

/** Every byte of both directions. */
export async function sweepBytes(
  family: Family,
  trouble: Trouble,
  profile?: string,
  broken: Broken = {},
): Promise<SweepResult> {
  const tally = new Tally()
  const rules = rulesFor(trouble, await countPassings(family, profile))
  for (let first = 0; first < rules.length; first += SERIES)
    await tally.addSeries(rules.slice(first, first + SERIES), { ...broken, family, profile })
  return tally.result
}

/** A power cut at every write, before and after every command, and at every line on paper. */
export async function sweepPower(
  family: Family,
  at: (typeof POWER_POINTS)[number],
  profile?: string,
  broken: Broken = {},
): Promise<SweepResult> {
  const tally = new Tally()
  for (let skip = 0; await tally.add({ at, skip, times: 1, do: 'powerCut' }, { ...broken, family, profile }); skip++);
  return tally.result
}
