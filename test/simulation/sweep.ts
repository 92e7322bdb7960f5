/**
 * The n-th fault sweep: one composite receipt, and trouble at every byte of both directions and at every write, one
 * point at a time, all points. What passes on the line without trouble is counted first; then each passing and each of
 * its bytes has its turn.
 */
import type { Rule } from '../../emulator/faults/plan.ts'
import type { LinkPoint } from '../../emulator/faults/points.ts'
import { Run } from './run.ts'
import type { RequestStep } from './steps.ts'
import { type Family, World } from './world.ts'

export const TROUBLES = ['cut', 'unplug', 'drop', 'flip', 'swallow the rest', 'duplicate'] as const
export type Trouble = (typeof TROUBLES)[number]

const RECEIPT: RequestStep = { do: 'receipt', rows: 2, paying: 'card and cash', key: true }

interface Passing {
  readonly at: LinkPoint
  /** Bytes of each frame and single byte, in order. */
  readonly lengths: readonly number[]
}

export interface SweepResult {
  readonly points: number
  readonly bytes: number
  readonly writes: number
  /** How the receipt was answered: 200, an error, outcome unknown. */
  readonly answers: Readonly<Record<string, number>>
  readonly violations: readonly string[]
  /** Rules that never struck, so that nothing was proved. */
  readonly unused: number
}

/** A service that has met its device: what is swept is the receipt, not the greeting. */
async function worldFor(family: Family): Promise<{ world: World; run: Run }> {
  const world = new World({ family })
  const run = new Run(world)
  await run.request({ do: 'status' })
  return { world, run }
}

/** What passes on the line while the receipt is printed, and the writes to memory and journal. */
async function countPassings(family: Family): Promise<{ passings: readonly Passing[]; writes: number }> {
  const { world, run } = await worldFor(family)
  const lengths: Record<LinkPoint, number[]> = { 'link.toDevice': [], 'link.toHost': [] }
  const end = world.emulator.subscribe((event) => {
    if (event.type !== 'frame') return
    lengths[event.entry.direction === 'toDevice' ? 'link.toDevice' : 'link.toHost'].push(event.entry.bytes.length)
  })
  const counter = world.emulator.faults.add({ at: 'memory.write', do: 'powerCut', skip: 1_000_000 })
  await run.request(RECEIPT)
  end()
  world.emulator.faults.remove(counter.id)
  const passings = (['link.toDevice', 'link.toHost'] as const).map((at) => ({ at, lengths: lengths[at] }))
  await world.close()
  return { passings, writes: WRITES_OF_A_RECEIPT }
}

/** One closed receipt is one write: memory and journal together or not at all. */
const WRITES_OF_A_RECEIPT = 1

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

/** Everything that stands on paper for a receipt prints at its close; lines and writes have rules of their own. */
function writeRules(writes: number): Rule[] {
  const atWrites = Array.from(
    { length: writes },
    (_nothing, skip): Rule => ({ at: 'memory.write', skip, times: 1, do: 'powerCut' }),
  )
  const around = ['command.before', 'command.after'] as const
  const atCommands = around.flatMap((at) =>
    Array.from({ length: COMMANDS_AT_MOST }, (_nothing, skip): Rule => ({ at, skip, times: 1, do: 'powerCut' })),
  )
  const atLines = Array.from(
    { length: LINES_AT_MOST },
    (_nothing, skip): Rule => ({ at: 'paper.line', skip, times: 1, do: 'powerCut' }),
  )
  return [...atWrites, ...atCommands, ...atLines]
}

const COMMANDS_AT_MOST = 80
const LINES_AT_MOST = 60

async function runRule(family: Family, rule: Rule): Promise<{ answer: string; struck: boolean; violation?: string }> {
  const { world, run } = await worldFor(family)
  try {
    world.emulator.faults.add(rule)
    const reply = await run.request(RECEIPT)
    const struck = world.emulator.faults.unused().length === 0
    // A client that got no number asks again with the same key.
    await run.request({ do: 'again' })
    await run.liveness()
    const isUnknown = reply?.message.startsWith('Outcome unknown:')
    return { answer: isUnknown ? 'unknown' : String(reply?.status), struck }
  } catch (problem) {
    const message = problem instanceof Error ? problem.message : String(problem)
    return { answer: 'violation', struck: true, violation: `${JSON.stringify(rule)}: ${message}` }
  } finally {
    await world.close()
  }
}

/** `part`: every n-th point only, from the given one; without it all. */
export async function sweep(family: Family, trouble: Trouble | 'writes'): Promise<SweepResult> {
  const { passings, writes } = await countPassings(family)
  const rules = trouble === 'writes' ? writeRules(writes) : rulesFor(trouble, passings)
  const answers: Record<string, number> = {}
  const violations: string[] = []
  let unused = 0
  for (const rule of rules) {
    const { answer, struck, violation } = await runRule(family, rule)
    if (!struck) {
      unused++
      continue
    }
    answers[answer] = (answers[answer] ?? 0) + 1
    if (violation !== undefined) violations.push(violation)
  }
  const bytes = passings.flatMap(({ lengths }) => lengths).reduce((sum, length) => sum + length, 0)
  return { points: rules.length - unused, bytes, writes, answers, violations, unused }
}
