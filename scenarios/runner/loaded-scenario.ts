/** A scenario as it was read from its file, and one play of it. */
import type { Family } from '../../drivers/model/families.ts'
import type { ScenarioFiles } from './scenario-files.ts'
import type { Scenario } from './schema.ts'
import type { LoadedStep } from './steps/step.ts'
import type { Row } from './table.ts'

export interface LoadedScenario {
  /** As the user named it. */
  readonly file: string
  readonly line: number
  readonly checkLine: number
  /** Absolute; files that the scenario names stand relative to it. */
  readonly folder: string
  /** Absolute; golden files stand below it. */
  readonly paper: string
  readonly files: ScenarioFiles
  readonly scenario: Scenario
  /** Of its table of examples, wherever that stands; absent: it has none. */
  readonly rows?: readonly Row[]
  readonly steps: readonly LoadedStep[]
}

export interface LoadOptions {
  /** Golden files that are missing are going to be written. */
  readonly update?: boolean
  /** `include` may name files outside the folder of the file that was named to the runner. */
  readonly allowOutside?: boolean
  /** Hears the path of every file before it is read. */
  readonly onRead?: (path: string) => void
}

export interface Play {
  readonly loaded: LoadedScenario
  readonly family: Family
  readonly profile: string | undefined
  /** Where its golden papers stand: see ScenarioRun. */
  readonly papers: string
  readonly row: Readonly<Record<string, unknown>>
  /** With family and row. */
  readonly id: string
  /** The same, with its turn where it is played several times: unique within a run. */
  readonly name: string
  /** Seed of everything random in it. */
  readonly seed: number
}
