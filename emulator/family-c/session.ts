import { CUSTOMER_WIDTHS, type Parameters } from '../../drivers/family-c/protocol/commands/identity.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import {
  type Cell, flag, type Numbered, number, numbered, optional, type PersistentCells, persistentCells, record, text,
} from '../fiscal/persistent-cells.ts' // biome-ignore format: one list

/** What the wire of family C remembers between commands. */
export interface Session {
  /** The power was cut inside a fiscal receipt, and nobody has read the status since (sheet 2.3, 3Dh). */
  powerCut: boolean
  /** 3D has been told. */
  powerCutReported: boolean
  /** The open non-fiscal receipt prints only when it is closed. */
  postponedNonFiscal: boolean
  /** 1Dh `=0F`: silent until it is called again. */
  silent: boolean
  baud: number
  /** The speed that comes back with the power. */
  setUpBaud: number

  readonly persistentCells: PersistentCells<typeof PERSISTENT_CELLS>
  /** The kinds that c4's payments carry as codes (64h), where they are not those of the factory. */
  readonly paymentCodes: Numbered<number | undefined>
  /** The base of customers (52h). */
  readonly customers: Numbered<Customer | undefined>
  /** Texts of 69h that are neither header nor footer. */
  readonly texts: Numbered<string>
  /** When the registers of articles, departments and operators were zeroed last, and how often: a report's own counter. */
  readonly reports: Numbered<ReportMark>
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

/** Sheet 1: the factory's speed. */
const BAUD = 115_200
const NEW_RATE = 497_000

/** 65h and 45h: a new device has point of sale 1 and nothing automatic. */
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

/** Kept over a power cut. */
const PERSISTENT_CELLS = {
  parameters: record(PARAMETERS),
  servicePassword: text('000000'),
  /** 4Fh. */
  automaticZ: flag(),
  /** Number of the last Z when a register was too small for a sum; status 1.1 stands until the next one. */
  overflow: optional(number()),
  /** The receipt whose one copy has been taken (4.12). */
  duplicateOf: optional(number()),
  /** Document of the last non-fiscal receipt. */
  lastNonFiscal: number(),
  /** Of the currency, in hundred thousandths. */
  rate: number(NEW_RATE),
  /** The active one. */
  logo: text('0'),
}

const reportMark: Cell<ReportMark> = {
  read(kept = '0') {
    const [number, at] = kept.split(' ')
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
  paymentCodes: numbered(registers, 'paymentCode', optional(number())),
  customers: numbered(registers, 'customer', optional(record(NO_CUSTOMER))),
  texts: numbered(registers, 'text', text()),
  reports: numbered(registers, 'report', reportMark),
})
