/**
 * The entry `fiscal-rig/matchers`: `expect.extend(matchers)`, in Vitest and in Jest. Types of `expect` itself are in
 * `fiscal-rig/matchers/vitest` and `fiscal-rig/matchers/jest`. Amounts are compared by value: 20, '20' and '20.00' are
 * equal.
 */
import { countText } from '../drivers/model/count-text.ts'
import { formatMoney, parseDecimal } from '../drivers/model/money.ts'
import { cents, checkOwnSums, differenceOfAmounts } from '../scenarios/runner/sum-consistency.ts'
import type { Printer, Receipt } from './library/types.ts'

/** An amount or a quantity: decimal text or a number. */
export type Decimal = string | number

/** A row of a receipt; only the given members are compared. */
export interface ExpectedRow {
  /** Name on the receipt. */
  readonly name?: string
  /** Unit price. */
  readonly price?: Decimal
  /** Quantity sold: 2, '2' and '2.000' are equal. */
  readonly quantity?: Decimal
  /** Amount after the discount or surcharge of the row. */
  readonly amount?: Decimal
  /** Tax code 1 to 8, for the tax groups A to H. */
  readonly taxCode?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
}

export interface ExpectedPayment {
  /** Payment mode; 0 is cash on every family. */
  readonly paymentMode?: number
  /** Tendered amount: change is not subtracted. */
  readonly amount?: Decimal
}

/** A receipt; given rows and payments must be complete and in order. */
export interface ExpectedReceipt {
  /** Receipt total. */
  readonly total: Decimal
  /** All sales, in their order. */
  readonly rows?: readonly ExpectedRow[]
  /** All payments, in their order. */
  readonly payments?: readonly ExpectedPayment[]
}

/** Result of a matcher. */
export interface Verdict {
  /** The assertion holds. */
  readonly pass: boolean
  /** Returns the actual and the expected values; used with `not` as well. */
  message(): string
}

/** The assertions about a printer. */
export interface PrinterMatchers<Returned = void> {
  /** Passes if a closed fiscal receipt that was not cancelled has these values. */
  toHavePrinted(expected: ExpectedReceipt): Returned
  /** Passes if the printer has printed nothing at all. */
  toHavePrintedNothing(): Returned
  /** Passes if this number of fiscal receipts were closed and not cancelled. */
  toHaveReceipts(count: number): Returned
  /** Passes if the customer display shows these lines; trailing blanks are ignored. */
  toShow(line1: string, line2?: string): Returned
  /**
   * Passes if the sums of the day and of every Z report agree with each other and, over all Z reports, with the
   * receipts in the journal.
   */
  toBeBalanced(): Returned
}

type Matcher<Arguments extends readonly unknown[]> = (received: unknown, ...expected: Arguments) => Verdict
type Matchers = {
  readonly [Name in keyof PrinterMatchers]: Matcher<Parameters<PrinterMatchers[Name]>>
}

/** Matchers for `expect.extend`. */
export const matchers: Matchers = {
  toHavePrinted(received, expected) {
    const printer = printerOf('toHavePrinted', received)
    checkExpected(expected)
    return {
      pass: closed(printer).some((receipt) => differs(receipt, expected).length === 0),
      message() {
        const last = closed(printer).at(-1)
        const differences = last ? differs(last, expected) : ['no fiscal receipt was closed']
        return mismatchText(`a receipt of ${JSON.stringify(expected)}`, differences, printer)
      },
    }
  },

  toHavePrintedNothing(received) {
    const printer = printerOf('toHavePrintedNothing', received)
    const { length } = printer.documents()
    return {
      pass: length === 0,
      message: () => mismatchText('nothing', [`printed: ${countText(length, 'document')}`], printer),
    }
  },

  toHaveReceipts(received, count) {
    const printer = printerOf('toHaveReceipts', received)
    const all = printer.receipts()
    const { length } = closed(printer)
    const cancelled = all.length === length ? '' : `, and ${all.length - length} cancelled`
    return {
      pass: length === count,
      message: () => mismatchText(countText(count, 'closed receipt'), [`closed: ${length}${cancelled}`], printer),
    }
  },

  toShow(received, line1, line2 = '') {
    const printer = printerOf('toShow', received)
    const expected = [line1, line2].map((line) => line.trimEnd())
    const displayLines = printer.display.map((line) => line.trimEnd())
    return {
      pass: expected.every((line, index) => line === (displayLines[index] ?? '')),
      message: () => `expected on the display:\n${framed(expected)}\nactual:\n${framed(displayLines)}`,
    }
  },

  toBeBalanced(received) {
    const printer = printerOf('toBeBalanced', received)
    const wrong = imbalances(printer)
    return { pass: wrong.length === 0, message: () => mismatchText('books that are balanced', wrong, printer) }
  },
}

const closed = (printer: Printer): readonly Receipt[] => printer.receipts().filter(({ cancelled }) => !cancelled)

function differs(receipt: Receipt, { total, rows, payments }: ExpectedReceipt): readonly string[] {
  return [
    ...(equal(receipt.total, total, 2) ? [] : [`total: ${receipt.total}, expected ${total}`]),
    ...(rows ? listDiffers('rows', receipt.rows, rows, ROW_DECIMALS) : []),
    ...(payments ? listDiffers('payments', receipt.payments, payments, PAYMENT_DECIMALS) : []),
  ]
}

/** Number of decimals of the members that are decimal text. Other members are compared unchanged. */
const ROW_DECIMALS: Readonly<Record<string, number>> = { price: 2, quantity: 3, amount: 2 }
const PAYMENT_DECIMALS: Readonly<Record<string, number>> = { amount: 2 }

function listDiffers(
  what: string,
  there: readonly object[],
  expected: readonly object[],
  decimals: Readonly<Record<string, number>>,
): readonly string[] {
  const count = there.length === expected.length ? [] : [`${what}: ${there.length}, expected ${expected.length}`]
  const wrong = expected.flatMap((members, index) => {
    const actual = new Map(Object.entries(there[index] ?? {}))
    if (actual.size === 0) return []
    return Object.entries(members).flatMap(([name, value]: [string, unknown]) => {
      const is = actual.get(name)
      const places = decimals[name]
      const fits = places === undefined ? is === value : equal(String(is), value, places)
      return fits ? [] : [`${what}[${index}].${name}: ${JSON.stringify(is)}, expected ${JSON.stringify(value)}`]
    })
  })
  return [...count, ...wrong]
}

function equal(there: string, expected: unknown, decimals: number): boolean {
  const value = parseDecimal(String(expected), decimals)
  return typeof value === 'number' && value === parseDecimal(there, decimals)
}

function imbalances(printer: Printer): readonly string[] {
  const { day } = printer
  const zs = printer.zReports()
  const sold = closed(printer).filter(({ kind }) => kind !== 'reversal')
  const receipts = sold.reduce((sum, { total }) => sum + cents(total), 0)
  const booked = [...zs, day].reduce((sum, { total }) => sum + cents(total), 0)
  return [
    ...checkOwnSums({ day, zs }),
    ...differenceOfAmounts('receipts in the journal, and Z reports with the day', receipts, booked),
  ]
}

const USED_OF_A_PRINTER = ['receipts', 'documents', 'zReports'] as const

function printerOf(matcher: string, received: unknown): Printer {
  const members = typeof received === 'object' && received !== null ? received : {}
  const isPrinter = USED_OF_A_PRINTER.every((name) => name in members)
  if (!isPrinter) throw new TypeError(`${matcher}: expected a printer of startPrinter in expect(...)`)
  return received as Printer
}

const EXPECTED_MEMBERS = {
  receipt: ['total', 'rows', 'payments'],
  rows: ['name', 'price', 'quantity', 'amount', 'taxCode'],
  payments: ['paymentMode', 'amount'],
} as const

/** Throws TypeError for unknown members, because a misspelt name would never be compared. */
function checkExpected(expected: ExpectedReceipt): void {
  const assertMembers = (what: string, value: object, members: readonly string[]) => {
    const wrong = Object.keys(value).find((name) => !members.includes(name))
    if (wrong === undefined) return
    throw new TypeError(`toHavePrinted: ${what} has no ${JSON.stringify(wrong)}; there are ${members.join(', ')}`)
  }
  if (typeof expected !== 'object' || expected === null || expected.total === undefined) {
    throw new TypeError('toHavePrinted: expected { total, rows?, payments? }')
  }
  assertMembers('a receipt', expected, EXPECTED_MEMBERS.receipt)
  for (const row of expected.rows ?? []) assertMembers('a row', row, EXPECTED_MEMBERS.rows)
  for (const payment of expected.payments ?? []) assertMembers('a payment', payment, EXPECTED_MEMBERS.payments)
  if (typeof parseDecimal(String(expected.total), 2) !== 'number') {
    throw new TypeError(`toHavePrinted: total: expected an amount like ${formatMoney(1250)}`)
  }
}

const framed = (lines: readonly string[]): string => lines.map((line) => `  | ${line}`).join('\n')

function mismatchText(expected: string, differences: readonly string[], printer: Printer): string {
  const last = printer.documents().at(-1)
  const paper = last ? `the last paper:\n${framed(last.text)}` : 'nothing was printed.'
  return [`expected: ${expected}`, ...differences.map((one) => `  ${one}`), paper].join('\n')
}
