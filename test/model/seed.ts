import { rotatingRuns, rotatingSeed } from '../support/slice.ts'

export const suiteSeed = rotatingSeed

export const suiteRuns = (few: number, many: number): number =>
  Number(process.env['RIG_RUNS'] ?? rotatingRuns(few, many))
