/** A step of a scenario: its kind, and its form after loading. */
import type { z } from 'zod'
import type { Check } from '../checks/index.ts'
import type { Need } from '../need-names.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import type { Problem } from '../types.ts'
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
  play(value: z.output<Schema>, run: ScenarioRun, step: LoadedStep): Promise<readonly Problem[]>
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
  readonly argumentValues?: Readonly<Record<string, unknown>>
}
