/** A step of a scenario: its kind, and its form after loading. */
import type { z } from 'zod'
import type { Check } from '../checks/index.ts'
import type { Need } from '../need-names.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import type { Problem } from '../types.ts'
import type { Modifier } from './modifiers.ts'

/** A step as a file contains it. */
export interface Step {
  readonly [key: string]: unknown
}

export interface StepKind<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  readonly needs: Need | undefined
  /** Returns the need in place of `needs`, if it depends on the value. */
  needsOf?(value: unknown): Need
  /** Returns the manual action in its place: `take the paper out`, or undefined if a person cannot do it. */
  manualAction?(value: z.output<Schema>): string | undefined
  /** The modifiers that the step accepts. */
  readonly acceptedModifiers?: readonly Modifier[]
  /**
   * Location of the inner steps: in its member `steps`, all of them requests or not, in the file that it names, or in
   * the shared steps that it names.
   */
  readonly inner?: 'steps' | 'requests' | 'file' | 'shared'
  /** Returns the check inside it. */
  checks?(value: z.output<Schema>): Check | undefined
  /** Returns the line of a request. Names are filled in. */
  request?(verb: string, value: unknown, body: unknown): RequestLine
  /**
   * `value` has its names filled in, unless there are steps inside. Resolves to the problems that make the step fail.
   */
  play(value: z.output<Schema>, run: ScenarioRun, step: LoadedStep): Promise<readonly Problem[]>
}

export interface RequestLine {
  readonly method: string
  /** Path below `/api`. */
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
  /** The text of the step in the file. */
  readonly text: string
  readonly children: readonly LoadedStep[]
  /** For `use`: its arguments and the defaults of the others, as the files contain them. */
  readonly argumentValues?: Readonly<Record<string, unknown>>
}
