import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { ScenarioRun } from './scenario-run.ts'
import type { StepLogEntry, StepStatus } from './step-results.ts'
import { stepTitle } from './step-title.ts'
import type { LoadedStep } from './steps/step.ts'

interface OpenEntry {
  end(status: 'passed' | 'failed'): void
}

const STEPS_MAX = 400

export function beginStep(step: LoadedStep, run: ScenarioRun): OpenEntry {
  const { log, rig } = run
  const now = () => sinceBeginning(run)
  const entry = entryOf(step, run, 'passed')
  const atMs = now()
  const framesBefore = rig.frameCount?.()
  const faultsBefore = rig.faults?.().length
  const printed = rig.printed?.()
  const device = rig.state?.()
  log.story.push(entry)
  if (log.story.length > 2 * STEPS_MAX) log.story.splice(STEPS_MAX / 2, log.story.length - STEPS_MAX)
  return {
    end(status) {
      const asks = step.kind.inner === undefined || step.kind.inner === 'requests'
      Object.assign(entry, {
        status,
        atMs,
        tookMs: now() - atMs,
        ...(asks && omitUndefined({ asked: run.log.request, answered: run.log.answer })),
        ...(framesBefore !== undefined && { heard: [framesBefore, rig.frameCount?.() ?? framesBefore] }),
        ...(faultsBefore !== undefined && { injected: [faultsBefore, rig.faults?.().length ?? faultsBefore] }),
        ...(printed !== undefined && { printed: [printed, rig.printed?.() ?? printed] }),
        ...(device !== undefined && { device: [device, rig.state?.() ?? device] }),
      } satisfies Partial<StepLogEntry>)
    },
  }
}

export function logSkippedSteps(
  steps: readonly LoadedStep[],
  status: 'notReached' | 'otherFamily',
  run: ScenarioRun,
): void {
  for (const step of steps) run.log.story.push(entryOf(step, run, status))
}

/** Logs a part that is not a step, such as `given` or the check at the end. */
export function logPart(run: ScenarioRun, part: Pick<StepLogEntry, 'file' | 'line' | 'title' | 'status'>): void {
  run.log.story.push({ ...part, depth: 0, atMs: sinceBeginning(run), tookMs: 0 })
}

const sinceBeginning = ({ rig, log: { beganAt } }: ScenarioRun): number =>
  beganAt === undefined ? 0 : rig.time.clock.now() - beganAt

export function entryOf(step: LoadedStep, { log: { depth }, scope }: ScenarioRun, status: StepStatus): StepLogEntry {
  const note = step.raw['note']
  return {
    file: step.file,
    line: step.line,
    depth,
    title: stepTitle(step, scope),
    ...(typeof note === 'string' && { note }),
    status,
    atMs: 0,
    tookMs: 0,
  }
}
