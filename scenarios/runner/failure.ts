import { rigCommand } from '../../drivers/host/shell-command.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { DocumentView } from '../../emulator/panel/contract.ts'
import { faultsOfRun } from './injected-faults.ts'
import type { Play } from './loaded-scenario.ts'
import { wireLines } from './scenario-details.ts'
import type { ScenarioRun } from './scenario-run.ts'
import type { Problem } from './step-results.ts'

export interface Stop {
  readonly file: string
  readonly line: number
  readonly step: string | undefined
  readonly problems: readonly Problem[]
}

export interface Failure extends Stop {
  readonly asked?: string
  readonly answered?: string
  readonly printed?: readonly string[]
  readonly trace: readonly string[]
  readonly state: readonly string[]
  readonly repeat: string
}

export async function failureOf(
  stop: Stop,
  { loaded, id }: Play,
  run: ScenarioRun,
  options: readonly string[],
): Promise<Failure> {
  const { request, answer } = run.log
  return {
    ...stop,
    ...omitUndefined({ asked: request, answered: answer }),
    printed: await printedBy(run),
    trace: await traceOf(run),
    state: await stateOf(run),
    repeat: repeatCommand(loaded.file, id, options),
  }
}

export const failureBefore = (stop: Stop, { loaded, id }: Play, options: readonly string[]): Failure => ({
  ...stop,
  trace: [],
  state: [],
  repeat: repeatCommand(loaded.file, id, options),
})

const LINES_SHOWN = 40

async function printedBy({ rig }: ScenarioRun): Promise<string[]> {
  const last = ((await rig.panel?.('GET /emulator/documents')) as readonly DocumentView[] | undefined)?.at(-1)
  if (!last) return []
  const { kind, number, text } = last
  const hiddenLines = text.length - LINES_SHOWN
  return [
    `${kind} ${number}`,
    ...text.slice(0, LINES_SHOWN).map((line) => `| ${line}`),
    ...(hiddenLines > 0 ? [`and ${countText(hiddenLines, 'more line')}`] : []),
  ]
}

const FRAMES_BEFORE = 4
const FRAMES_SHOWN = 24

const EARLIER_FAULTS_SHOWN = 10

async function traceOf({ rig, log: { beginning, framesBeforeStep } }: ScenarioRun): Promise<string[]> {
  if (!rig.panel) return []
  const frames = await rig.panel('GET /emulator/frames')
  const frameCount = rig.frameCount?.() ?? frames.length
  const mark = Math.max(0, framesBeforeStep - (frameCount - frames.length))
  const from = Math.max(0, Math.min(mark - FRAMES_BEFORE, frames.length))
  const shownFrames = frames.slice(Math.max(from, frames.length - FRAMES_SHOWN))
  const first = shownFrames[0]?.id ?? 0
  const faults = (await faultsOfRun(rig)).filter(({ frame }) => frame >= beginning.frame)
  const earlier = faults.filter(({ frame }) => frame < first).slice(-EARLIER_FAULTS_SHOWN)
  return wireLines(shownFrames, [...earlier, ...faults.filter(({ frame }) => frame >= first)])
}

async function stateOf({ rig }: ScenarioRun): Promise<string[]> {
  if (!rig.panel) return []
  const { power, paper, cover, cable, clock, receipt, day, counters } = await rig.panel('GET /emulator')
  return [
    `${power ? 'on' : 'off'}, paper ${paper}, cover ${cover ? 'open' : 'closed'}, cable ${cable ? 'in' : 'out'}, clock ${clock}`,
    `open receipt: ${receipt ? JSON.stringify(receipt) : 'none'}; day total ${day.total}; ${JSON.stringify(counters)}`,
  ]
}

const repeatCommand = (file: string, id: string, options: readonly string[]): string =>
  rigCommand(['run', file, '--only', id, ...options])
