import { CUSTOMER_WIDTHS, type Parameters } from '../../drivers/family-c/protocol/commands/identity.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import {
  type Cell, flag, type NumberedCells, number, numberedCells, optional, type PersistentCells, persistentCells, record, text,
} from '../fiscal/persistent-cells.ts' // biome-ignore format: one list

export interface Session {
  /**
   * True if the power was cut inside a fiscal receipt and the status has not been read since (sheet 2.3, error 3Dh).
   */
  powerCut: boolean
  powerCutReported: boolean
  /** True if the open non-fiscal receipt prints only when it is closed. */
  postponedNonFiscal: boolean
  /** True after 1Dh `=0F`: the device is silent until it is selected again. */
  silent: boolean
  baud: number
  setUpBaud: number

  readonly persistentCells: PersistentCells<typeof PERSISTENT_CELLS>
  /** Payment codes of c4 (64h) that differ from the factory codes. */
  readonly paymentCodes: NumberedCells<number | undefined>
  readonly customers: NumberedCells<Customer | undefined>
  /** Texts of 69h that are neither header nor footer. */
  readonly texts: NumberedCells<string>
  /** Number and time of the last zeroing of the reports of articles, departments and operators. */
  readonly reports: NumberedCells<ReportMark>
}

interface Customer {
  readonly fields: readonly string[]
  readonly idType?: number
}

export const NO_CUSTOMER: Customer = { fields: CUSTOMER_WIDTHS.map(() => '') }

export type CountedReport = 'articles' | 'departments' | 'operators'
interface ReportMark {
  readonly number: number
  readonly at?: string
}

/** The speed in factory state (sheet 1). */
const BAUD = 115_200
const NEW_RATE = 497_000

/** Parameters of 65h and 45h in factory state: point of sale 1, and no automatic actions. */
const PARAMETERS: Parameters = {
  pos: 1,
  logo: false,
  drawer: false,
  cutter: false,
  display: false,
  articleReport: false,
  currency: false,
  ejFont: false,
  oneOperator: false,
}

const PERSISTENT_CELLS = {
  parameters: record(PARAMETERS),
  servicePassword: text('000000'),
  automaticZ: flag(),
  /** Number of the last Z report at the time of a register overflow. Status 1.1 is set until the next Z report. */
  overflow: optional(number()),
  /** Number of the receipt whose only copy was printed (sheet 4.12). */
  duplicateOf: optional(number()),
  lastNonFiscal: number(),
  /** Exchange rate of the foreign currency, in hundred thousandths. */
  rate: number(NEW_RATE),
  logo: text('0'),
}

const reportMark: Cell<ReportMark> = {
  read(stored = '0') {
    const [number, at] = stored.split(' ')
    return { number: Number(number), ...(at === undefined ? {} : { at }) }
  },
  write: ({ number, at = '' }) => `${number} ${at}`.trim(),
}

export const newSession = ({ registers }: FiscalDevice): Session => ({
  powerCut: false,
  powerCutReported: false,
  postponedNonFiscal: false,
  silent: false,
  baud: BAUD,
  setUpBaud: BAUD,
  persistentCells: persistentCells(registers, PERSISTENT_CELLS),
  paymentCodes: numberedCells(registers, 'paymentCode', optional(number())),
  customers: numberedCells(registers, 'customer', optional(record(NO_CUSTOMER))),
  texts: numberedCells(registers, 'text', text()),
  reports: numberedCells(registers, 'report', reportMark),
})
