import type { z } from 'zod'
import type { Check } from '../checks/index.ts'
import type { Need } from '../need-names.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import type { Problem } from '../step-results.ts'
import type { Modifier } from './modifiers.ts'

export interface Step {
  readonly [key: string]: unknown
}

export interface StepKind<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  readonly needs: Need | undefined
  /** Returns the need in place of `needs`, if the need depends on the value. */
  needsOf?(value: unknown): Need
  manualAction?(value: z.output<Schema>): string | undefined
  readonly acceptedModifiers?: readonly Modifier[]
  /**
   * Source of the inner steps: the member `steps` (any steps, or requests only), the named file, or the named shared
   * steps.
   */
  readonly inner?: 'steps' | 'requests' | 'file' | 'shared'
  checks?(value: z.output<Schema>): Check | undefined
  request?(verb: string, value: unknown, body: unknown): RequestLine
  /** Resolves to the problems of the step. Names in `value` are filled in, unless the step has inner steps. */
  play(value: z.output<Schema>, run: ScenarioRun, step: LoadedStep): Promise<readonly Problem[]>
}

export interface RequestLine {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export const stepKind = <Schema extends z.ZodType>(kind: StepKind<Schema>): StepKind<Schema> => kind

export interface LoadedStep {
  /** The key of the step, such as `post /report-z`, `paper` or `repeat`. */
  readonly verb: string
  readonly kind: StepKind
  readonly raw: Step
  readonly file: string
  readonly line: number
  readonly text: string
  readonly children: readonly LoadedStep[]
  /** Arguments of `use`, including defaults, as the files contain them. */
  readonly argumentValues?: Readonly<Record<string, unknown>>
}
