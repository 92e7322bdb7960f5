import type { Family } from '../../drivers/model/families.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { CheckedFamilies } from './checked-families.ts'
import type { Step } from './steps.ts'

export interface WorldOptions {
  /** Steps of the run. If another program takes part, the line of the service is shared. */
  readonly steps?: readonly Step[] | undefined
  readonly family: Family
  readonly families?: CheckedFamilies
  readonly profile?: string | undefined
  readonly seed?: number
  /** True if the device takes the time of a real one: 40 s for a Z report. */
  readonly slow?: boolean
  readonly powerBackMs?: number | undefined
  readonly powerOnNoise?: string | undefined
  /** True if totals and operation log are stored in SQLite. Plain rows take half the time. */
  readonly onSqlite?: boolean | undefined
  readonly breakDevice?: (emulator: Emulator) => void
  readonly breakPrinter?: (printer: FiscalPrinter) => FiscalPrinter
}

const ON_SQLITE_EVERY = 50
/** The number is that of the run, or its seed. */
export const isOnSqlite = (number: number): boolean => number % ON_SQLITE_EVERY === 0
