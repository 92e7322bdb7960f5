import type { Family } from '../../drivers/model/families.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { CheckedFamilies } from './families.ts'
import type { Step } from './steps.ts'

/** What a simulated world is made of. */
export interface WorldOptions {
  /** The steps of the run: if another program takes part, the line of the service is shared. */
  readonly steps?: readonly Step[] | undefined
  readonly family: Family
  readonly families?: CheckedFamilies
  /** Of the device; the family's first without. */
  readonly profile?: string | undefined
  /** Of the dice of the fault rules. */
  readonly seed?: number
  /** The device takes its time: a Z report 40 s. */
  readonly slow?: boolean
  /** How long the power stays away after a cut, unless somebody switches. */
  readonly powerBackMs?: number | undefined
  /** Characters that the line gives when it comes back. */
  readonly powerOnNoise?: string | undefined
  /** Books and journal are kept by SQLite, as in a shop; else as plain rows, which takes half the time. */
  readonly onSqlite?: boolean | undefined
  /** A kept mistake, to see that it is found. */
  readonly breakDevice?: (emulator: Emulator) => void
  readonly breakPrinter?: (printer: FiscalPrinter) => FiscalPrinter
}

/** Of so many runs one is on SQLite. */
const ON_SQLITE_EVERY = 50
/** `number`: of the run, or its seed. */
export const isOnSqlite = (number: number): boolean => number % ON_SQLITE_EVERY === 0
