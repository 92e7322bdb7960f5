/** Where the random sequences of the suites begin, and how many they are: as everything that rotates (support/slice.ts). */
import { rotatingRuns, rotatingSeed } from '../support/slice.ts'

export const suiteSeed = rotatingSeed

/** RIG_RUNS sets the number: mutants need few (mutants/run.ts). */
export const suiteRuns = (few: number, many: number): number =>
  Number(process.env['RIG_RUNS'] ?? rotatingRuns(few, many))
