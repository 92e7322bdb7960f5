/** What a step is: one kind of thing that a scenario can do, and the loop that does them one after the other. */
import type { z } from 'zod'
import { messageOf } from '../../../drivers/model/errors.ts'
import type { Check } from '../checks/index.ts'
import type { Course, Problem } from '../course.ts'
import type { Need } from '../needs.ts'
import { beginStep, leaveOutSteps } from '../story.ts'
import { Unreachable } from '../target/target.ts'
import { fill } from '../values.ts'
import type { Modifier } from './modifiers.ts'

/** As it stands in a file. */
export interface Step {
  readonly [key: string]: unknown
}

export interface StepKind<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  readonly needs: Need | undefined
  /** In place of it, where it depends on what is asked for. */
  needsOf?(value: unknown): Need
  /** What a person would do in its place: `take the paper out`; undefined: no hand can do it. */
  hand?(value: z.output<Schema>): string | undefined
  /** The modifiers that mean something beside it. */
  readonly takes?: readonly Modifier[]
  /**
   * The steps inside it stand in its member `steps`, where all may have to be requests, in the file that it names, or in
   * the shared steps that it names.
   */
  readonly inner?: 'steps' | 'requests' | 'file' | 'shared'
  /** The check inside it. */
  checks?(value: z.output<Schema>): Check | undefined
  /** Of a request: where it goes, and with which body. Names are filled in. */
  request?(verb: string, value: unknown, body: unknown): RequestLine
  /** `value` has its names filled in, unless there are steps inside. The problems that make the step fail. */
  play(value: z.output<Schema>, course: Course, step: LoadedStep): Promise<readonly Problem[]>
}

export interface RequestLine {
  readonly method: string
  /** Below `/api`. */
  readonly path: string
  readonly body?: unknown
}

export const stepKind = <Schema extends z.ZodType>(kind: StepKind<Schema>): StepKind<Schema> => kind

export interface LoadedStep {
  /** `post /report-z`, `paper`, `repeat`. */
  readonly verb: string
  readonly kind: StepKind
  readonly raw: Step
  readonly file: string
  readonly line: number
  /** As it stands in the file. */
  readonly text: string
  readonly children: readonly LoadedStep[]
  /** Of `use`: its arguments with those that have values by default, as they stand in the files. */
  readonly given?: Readonly<Record<string, unknown>>
}

export class StepFailed extends Error {
  readonly step: LoadedStep
  readonly problems: readonly Problem[]

  constructor(step: LoadedStep, problems: readonly Problem[]) {
    super(problems.map(({ what }) => what).join('\n'))
    this.step = step
    this.problems = problems
  }
}

/** Somebody who watches does not want to go on. */
export class Stopped extends Error {}

/** Throws StepFailed at the first step that fails. */
export async function playSteps(steps: readonly LoadedStep[], course: Course): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const spent = course.budget.spend()
    if (spent !== undefined) throw new StepFailed(step, [{ what: spent }])
    const families = step.raw['families'] as readonly string[] | undefined
    if (families && !families.includes(course.rig.family)) {
      leaveOutSteps([step], 'otherFamily', course)
      continue
    }
    await course.beforeStep?.(step, course)
    const under = beginStep(step, course)
    try {
      await playStep(step, course)
      under.end('passed')
    } catch (error) {
      under.end('failed')
      leaveOutSteps(steps.slice(index + 1), 'notReached', course)
      throw error
    }
  }
}

async function playStep(step: LoadedStep, course: Course): Promise<void> {
  if (!step.kind.inner) {
    course.heardBefore = course.rig.heard?.() ?? 0
    course.request = undefined
    course.answer = undefined
  }
  course.depth++
  const wrong = await problemsOf(step, course).finally(() => course.depth--)
  if (wrong.length > 0) throw new StepFailed(step, wrong)
}

async function problemsOf(step: LoadedStep, course: Course): Promise<readonly Problem[]> {
  const { kind, verb, raw } = step
  try {
    return await kind.play(kind.inner ? raw[verb] : fill(raw[verb], course.scope), course, step)
  } catch (error) {
    if (error instanceof StepFailed || error instanceof Unreachable || error instanceof Stopped) throw error
    return [{ what: messageOf(error) }]
  }
}
