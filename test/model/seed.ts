/** Seed and number of the random sequences of the suites, from the rotating part (support/slice.ts). */
import { rotatingRuns, rotatingSeed } from '../support/slice.ts'

export const suiteSeed = rotatingSeed

/** RIG_RUNS overrides the number: mutants need few (mutants/run.ts). */
export const suiteRuns = (few: number, many: number): number =>
  Number(process.env['RIG_RUNS'] ?? rotatingRuns(few, many))
