/** The course of a scenario as it is told afterwards: one entry for each step, in the order in which they began. */
import { present } from '../../drivers/model/present.ts'
import type { Course } from './course.ts'
import { stepTitle } from './step-title.ts'
import type { LoadedStep } from './steps/step.ts'

export type StepStatus = 'passed' | 'failed' | 'notReached' | 'otherFamily'

export interface StoryStep {
  readonly file: string
  readonly line: number
  /** How deep it stands inside of repeat, include and the like; 0: a step of the scenario itself. */
  readonly depth: number
  /** What it does in one line, its names filled in. */
  readonly title: string
  readonly note?: string
  readonly status: StepStatus
  /** When it began on the scenario's clock, from its beginning, and how long it took there; of what was not done 0. */
  readonly atMs: number
  readonly tookMs: number
  /** What was asked and answered last in it, in words. */
  readonly asked?: string
  readonly answered?: string
  /** Frames that had passed on the line before it and after it; absent: nobody counts them here. */
  readonly heard?: readonly [before: number, after: number]
  /** Ids of the documents that had been printed last before it and after it, in the same way. */
  readonly printed?: readonly [before: number, after: number]
}

/** A step under way: its place in the story is kept, and what became of it is said later. */
export interface Under {
  end(status: 'passed' | 'failed'): void
}

/** Of a scenario that repeats something ten thousand times nobody reads more. */
const STEPS_TOLD = 400

/** Adds the step to the story. */
export function beginStep(step: LoadedStep, course: Course): Under {
  const { story, rig } = course
  const now = () => sinceBeginning(course)
  const entry = entryOf(step, course, 'passed')
  const atMs = now()
  const heard = rig.heard?.()
  const printed = rig.printed?.()
  story.push(entry)
  if (story.length > 2 * STEPS_TOLD) story.splice(STEPS_TOLD / 2, story.length - STEPS_TOLD)
  return {
    end(status) {
      const asks = step.kind.inner === undefined || step.kind.inner === 'requests'
      Object.assign(entry, {
        status,
        atMs,
        tookMs: now() - atMs,
        ...(asks && present({ asked: course.request, answered: course.answer })),
        ...(heard !== undefined && { heard: [heard, rig.heard?.() ?? heard] }),
        ...(printed !== undefined && { printed: [printed, rig.printed?.() ?? printed] }),
      } satisfies Partial<StoryStep>)
    },
  }
}

/** Steps that are not done: those of other families, and what stands behind a failure. */
export function leaveOutSteps(
  steps: readonly LoadedStep[],
  status: 'notReached' | 'otherFamily',
  course: Course,
): void {
  for (const step of steps) course.story.push(entryOf(step, course, status))
}

/** What is no step: given, before the first one, and the check behind the last. */
export function tellPart(course: Course, part: Pick<StoryStep, 'file' | 'line' | 'title' | 'status'>): void {
  course.story.push({ ...part, depth: 0, atMs: sinceBeginning(course), tookMs: 0 })
}

const sinceBeginning = ({ rig, beganAt }: Course): number =>
  beganAt === undefined ? 0 : rig.time.clock.now() - beganAt

function entryOf(step: LoadedStep, { depth, scope }: Course, status: StepStatus): StoryStep {
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
