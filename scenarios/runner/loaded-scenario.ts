import type { Family } from '../../drivers/model/families.ts'
import type { Row } from './csv-table.ts'
import type { ScenarioFiles } from './given-files.ts'
import type { Scenario } from './schema.ts'
import type { LoadedStep } from './steps/step.ts'

export interface LoadedScenario {
  readonly file: string
  readonly line: number
  readonly checkLine: number
  /** Absolute path. File names in the scenario are relative to it. */
  readonly folder: string
  readonly paper: string
  readonly files: ScenarioFiles
  readonly scenario: Scenario
  readonly rows?: readonly Row[]
  readonly steps: readonly LoadedStep[]
}

export interface LoadOptions {
  readonly update?: boolean
  /** True if `include` may name files outside the folder of the scenario. */
  readonly allowOutside?: boolean
  readonly onRead?: (path: string) => void
}

export interface Play {
  readonly loaded: LoadedScenario
  readonly family: Family
  readonly profile: string | undefined
  readonly papers: string
  readonly row: Readonly<Record<string, unknown>>
  readonly id: string
  /** The id and, if there are several plays, the number of the play: unique within a run. */
  readonly name: string
  readonly seed: number
}
