import { messageOf } from '../../../drivers/model/errors.ts'
import { fill } from '../scenario-names.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { beginStep, entryOf, logSkippedSteps } from '../step-log.ts'
import type { Problem } from '../step-results.ts'
import { TargetUnreachable } from '../target/target.ts'
import type { LoadedStep } from './step.ts'

export class StepFailed extends Error {
  readonly step: LoadedStep
  readonly problems: readonly Problem[]

  constructor(step: LoadedStep, problems: readonly Problem[]) {
    super(problems.map(({ what }) => what).join('\n'))
    this.step = step
    this.problems = problems
  }
}

/** Thrown if the person who watches the scenario stops it. */
export class ScenarioStopped extends Error {}

export async function playSteps(steps: readonly LoadedStep[], run: ScenarioRun): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const spent = run.budget.spend()
    if (spent !== undefined) throw new StepFailed(step, [{ what: spent }])
    const families = step.raw['families'] as readonly string[] | undefined
    if (families && !families.includes(run.rig.family)) {
      logSkippedSteps([step], 'otherFamily', run)
      continue
    }
    await run.beforeStep?.(entryOf(step, run, 'passed'), run)
    const under = beginStep(step, run)
    try {
      await playStep(step, run)
      under.end('passed')
    } catch (error) {
      under.end('failed')
      logSkippedSteps(steps.slice(index + 1), 'notReached', run)
      throw error
    }
  }
}

async function playStep(step: LoadedStep, run: ScenarioRun): Promise<void> {
  if (!step.kind.inner) {
    run.log.framesBeforeStep = run.rig.frameCount?.() ?? 0
    run.log.request = undefined
    run.log.answer = undefined
  }
  run.log.depth++
  const wrong = await problemsOf(step, run).finally(() => run.log.depth--)
  if (wrong.length > 0) throw new StepFailed(step, wrong)
}

async function problemsOf(step: LoadedStep, run: ScenarioRun): Promise<readonly Problem[]> {
  const { kind, verb, raw } = step
  try {
    return await kind.play(kind.inner ? raw[verb] : fill(raw[verb], run.scope), run, step)
  } catch (error) {
    if (error instanceof StepFailed || error instanceof TargetUnreachable || error instanceof ScenarioStopped)
      throw error
    return [{ what: messageOf(error) }]
  }
}
