/** A scenario as it was read from its file, and one play of it. */
import type { Family } from '../../drivers/model/families.ts'
import type { Row } from './csv-table.ts'
import type { ScenarioFiles } from './scenario-files.ts'
import type { Scenario } from './schema.ts'
import type { LoadedStep } from './steps/step.ts'

export interface LoadedScenario {
  /** The file as the user named it. */
  readonly file: string
  readonly line: number
  readonly checkLine: number
  /** Absolute path; file names in the scenario are relative to it. */
  readonly folder: string
  /** Absolute path of the folder with the golden files. */
  readonly paper: string
  readonly files: ScenarioFiles
  readonly scenario: Scenario
  /** Rows of its table of examples, wherever it is stored; undefined without a table. */
  readonly rows?: readonly Row[]
  readonly steps: readonly LoadedStep[]
}

export interface LoadOptions {
  /** Missing golden files will be written. */
  readonly update?: boolean
  /** `include` may name files outside the folder of the file that the user named. */
  readonly allowOutside?: boolean
  /** Called with the path of every file before it is read. */
  readonly onRead?: (path: string) => void
}

export interface Play {
  readonly loaded: LoadedScenario
  readonly family: Family
  readonly profile: string | undefined
  /** Name of the folder with its golden papers: see ScenarioRun. */
  readonly papers: string
  readonly row: Readonly<Record<string, unknown>>
  /** Includes family and row. */
  readonly id: string
  /** The id, with its turn if it is played several times: unique within a run. */
  readonly name: string
  /** Seed of all random values in it. */
  readonly seed: number
}
