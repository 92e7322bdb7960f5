/** A printer that responds as scripted. Its log lists queries, commands and notices in order. */
import { DeviceError, type DeviceProblem } from '../../drivers/model/errors.ts'
import {
  type DocumentFacts,
  type Evidence,
  type FiscalPrinter,
  isSame,
  type OpenReceipt,
} from '../../drivers/model/printer.ts'
import type { Step } from '../../drivers/model/steps.ts'
import type { Entry } from '../../server/operations/operation.ts'
import { cancellingEntry, entryAtStep, type Position } from '../../server/operations/under-way.ts'
import { createFakePrinter } from '../support/fake-printer.ts'

/** Device evidence without an open receipt. The last document is receipt 16, and the last Z report has number 4. */
export const BEFORE: Evidence = {
  serialNumber: 'S1',
  fiscalMemoryNumber: 'M1',
  hold: 1,
  open: null,
  lastDocument: 16,
  lastReceipt: 16,
  lastZ: 4,
  day: { turnover: 500, receipts: 3, cashIn: 0, cashOut: 0 },
}

export const openAt = (number: number | null, more: Partial<OpenReceipt> = {}): OpenReceipt => ({
  kind: 'Fiscal',
  number,
  items: 0,
  total: 0,
  paid: 0,
  remaining: 0,
  ...more,
})

/** Evidence that document 17 exists and is no longer open. */
export const GIVEN_OUT: Partial<Evidence> = { lastDocument: 17 }
/** Evidence that document 17 is open, with nothing, a part or all of 4.80 paid. */
export const open = (...of: Parameters<typeof openAt>): Partial<Evidence> => ({ open: openAt(...of), lastDocument: 17 })
export const unpaid = open(17, { items: 2, total: 480, remaining: 480 })
export const partPaid = open(17, { items: 2, total: 480, paid: 100, remaining: 380 })
export const allPaid = open(17, { items: 2, total: 480, paid: 480 })

export const FISCAL: DocumentFacts = { kind: 'fiscal', total: 480 }
export const CANCELLED: DocumentFacts = { kind: 'cancelled', total: null }

export const REFUSED = new DeviceError({ kind: 'refused', code: '7', key: 'no', meaning: 'not now' })
/** The refusal of a device that lacks the command, and therefore never reports this fact. */
export const LACKING = new DeviceError({ kind: 'refused', code: '0.1', key: 'invalidCommand', meaning: 'unknown' })
export const NO_ANSWER = new DeviceError({ kind: 'noAnswer' })
export const NO_PAPER = new DeviceError({ kind: 'cannotPrint', condition: 'noPaper' })
export const UNKNOWN = new DeviceError({ kind: 'outcomeUnknown', what: 'the answer was lost.' })
/** Returns the failure for a command that the link has retransmitted. */
export const retransmitted = ({ problem }: { readonly problem: DeviceProblem }): DeviceError =>
  new DeviceError(problem, true)

type Act =
  | 'printFiscalText'
  | 'cancelFiscal'
  | 'cancelNonFiscal'
  | 'pay'
  | 'closeFiscal'
  | 'lastReportZ'
  | 'lastReceipt'
  | 'lastDocument'

export interface Script {
  /** Responses to the queries for evidence, merged over `BEFORE`. The last response repeats. */
  readonly says: readonly (Partial<Evidence> | DeviceError)[]
  /** Facts of documents in the journal; missing if the wire protocol has no journal. */
  readonly documents?: Readonly<Record<number, DocumentFacts>>
  readonly lines?: Readonly<Record<number, readonly string[]>>
  readonly fails?: Partial<Record<Act, DeviceError>>
  readonly lacks?: 'lastReportZ' | 'lastReceipt'
  /** Members that replace those of the printer. */
  readonly more?: Partial<FiscalPrinter>
}

export interface ScriptedPrinter extends FiscalPrinter {
  readonly story: string[]
}

export const placeIn = ({ steps }: Pick<Entry, 'steps'>, at: number): string => {
  const isPayment = ({ does }: Step): boolean => does === 'pay'
  const step = steps[at] as Step
  return isPayment(step) ? `pay ${steps.slice(0, at + 1).filter(isPayment).length}` : step.does
}

function wordsOf(more: Partial<Entry>): string {
  const unconfirmed = more.unconfirmed?.at(-1)
  return unconfirmed
    ? `doubt ${unconfirmed.text}${unconfirmed.mayBeMissing ? ' at all' : ''}`
    : `note ${Object.keys(more).join(', ')}`
}

/** `story` receives what the service stores for the operation. */
export function positionOf(entry: Entry, story: string[]): Position & { readonly noted: readonly Partial<Entry>[] } {
  const noted: Partial<Entry>[] = []
  let now = entry
  const noting = (words: string, next: Entry, more: Partial<Entry> = {}) => {
    story.push(words)
    noted.push(more)
    now = next
  }
  return {
    noted,
    get entry() {
      return now
    },
    reach(at, more = {}) {
      const isNew = at !== now.at || now.is !== undefined || Object.keys(more).length > 0
      if (isNew) noting(`reach ${placeIn(now, at)}${more.inCash ? ', in cash' : ''}`, entryAtStep(now, at, more), more)
    },
    takeBack: (more) => noting('take back', cancellingEntry(now, more), more),
    note: (more) => noting(wordsOf(more), { ...now, ...more }, more),
  }
}

export const EXCHANGED = new DeviceError({
  kind: 'portLost',
  path: 'scripted',
  why: 'another device responds there now',
})

export function scriptedPrinter({ says, documents, lines, fails = {}, lacks, more = {} }: Script): ScriptedPrinter {
  const story: string[] = []
  const left = [...says]
  async function act<T>(name: Act, words: string, answer: T): Promise<T> {
    story.push(words)
    const failure = fails[name]
    if (failure) throw failure
    return answer
  }
  const done = { text: '', retransmitted: false }
  return {
    ...createFakePrinter(),
    story,
    async evidence({ thorough = false, of } = {}) {
      story.push(thorough ? 'evidence thorough' : 'evidence')
      const next = left.length > 1 ? left.shift() : left[0]
      if (next instanceof DeviceError) throw next
      const now = { ...BEFORE, ...next }
      if (of && !isSame(of, now)) throw EXCHANGED
      return now
    },
    async numbers() {
      story.push('numbers')
      const { serialNumber, fiscalMemoryNumber } = BEFORE
      return { serialNumber, fiscalMemoryNumber }
    },
    ...(documents && {
      async documentOf(number: number) {
        story.push(`documentOf ${number}`)
        return documents[number]
      },
    }),
    ...(lines && { linesOf: async (number: number) => lines[number] }),
    lastDocument: () => act('lastDocument', 'lastDocument', 16),
    ...(lacks !== 'lastReportZ' && { lastReportZ: () => act('lastReportZ', 'lastReportZ', '5,12.00') }),
    ...(lacks !== 'lastReceipt' && { lastReceipt: () => act('lastReceipt', 'lastReceipt', '15') }),
    cancelFiscal: () => act('cancelFiscal', 'cancelFiscal', done),
    cancelNonFiscal: () => act('cancelNonFiscal', 'cancelNonFiscal', done),
    printFiscalText: ({ text }) => act('printFiscalText', `print ${text}`, done),
    pay: ({ mode, amount }) => act('pay', ['pay', mode, amount ?? 'the rest'].join(' '), done),
    closeFiscal: () => act('closeFiscal', 'closeFiscal', { receiptNumber: '17', raw: '', retransmitted: false }),
    ...more,
  }
}

export type Method = {
  [Name in keyof FiscalPrinter]-?: NonNullable<FiscalPrinter[Name]> extends (...args: never) => Promise<unknown>
    ? Name
    : never
}[keyof FiscalPrinter]

/** The later evidence in the script shows whether the failing call was executed. */
export function failingOnce(printer: ScriptedPrinter, name: Method, error: unknown): ScriptedPrinter {
  let isFirst = true
  const act = printer[name] as (...args: readonly unknown[]) => Promise<unknown>
  const failing = (...args: readonly unknown[]) => {
    if (!isFirst) return act(...args)
    isFirst = false
    return Promise.reject(error)
  }
  return { ...printer, [name]: failing }
}

/** Opens every receipt as document 17, and accepts all rows and texts. */
export const TAKES_ALL: Partial<FiscalPrinter> = (() => {
  const done = async () => ({ text: '', retransmitted: false })
  const opened = async () => ({ text: '', retransmitted: false, document: 17 })
  return {
    ...{ openFiscal: opened, openNonFiscal: opened, sell: done, sellArticle: done, subtotal: done },
    ...{ printNonFiscalText: done, printBarcode: done, printSeparatingLine: done, closeNonFiscal: done },
  }
})()
