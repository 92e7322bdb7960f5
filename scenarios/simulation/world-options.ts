import type { Family } from '../../drivers/model/families.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { CheckedFamilies } from './checked-families.ts'
import type { Step } from './steps.ts'

/** Options of a simulated world. */
export interface WorldOptions {
  /** The steps of the run: if another program takes part, the line of the service is shared. */
  readonly steps?: readonly Step[] | undefined
  readonly family: Family
  readonly families?: CheckedFamilies
  /** Profile of the device; by default the first of the family. */
  readonly profile?: string | undefined
  /** Seed of the fault rules. */
  readonly seed?: number
  /** The device takes its time: a Z report 40 s. */
  readonly slow?: boolean
  /** Time until the power returns after a cut, unless a step switches it. */
  readonly powerBackMs?: number | undefined
  /** Characters that the line delivers when the power returns. */
  readonly powerOnNoise?: string | undefined
  /** Stores books and journal in SQLite, as in a shop; otherwise as plain rows, which takes half the time. */
  readonly onSqlite?: boolean | undefined
  /** A seeded mistake that the judges must find. */
  readonly breakDevice?: (emulator: Emulator) => void
  readonly breakPrinter?: (printer: FiscalPrinter) => FiscalPrinter
}

/** One run of this many uses SQLite. */
const ON_SQLITE_EVERY = 50
/** `number`: of the run, or its seed. */
export const isOnSqlite = (number: number): boolean => number % ON_SQLITE_EVERY === 0
