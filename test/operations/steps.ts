/**
 * The steps of operations: the state before each, the call of the driver, and the work of the device that it causes.
 */
import type { Family } from '../../drivers/model/families.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { ReceiptStage, What } from './verdict-under-test.ts'

/** Work of the device that a frame of a step can cause. */
export type Work = keyof FiscalDevice &
  (
    | 'openFiscal'
    | 'openNonFiscal'
    | 'sell'
    | 'sellArticle'
    | 'subtotal'
    | 'printText'
    | 'pay'
    | 'closeFiscal'
    | 'closeNonFiscal'
    | 'cancelFiscal'
    | 'reportX'
    | 'reportZ'
    | 'copyLastReceipt'
    | 'cashInOut'
  )

export interface TriedStep {
  readonly name: string
  /** Returns `undefined` if the family's wire protocol lacks the step. */
  readonly what: (printer: FiscalPrinter) => What | undefined
  readonly before: readonly ((printer: FiscalPrinter) => Promise<unknown>)[]
  /**
   * Number of calls before the step that follow the first evidence, because they belong to the same receipt. The
   * default is 0.
   */
  readonly sinceEvidence?: number
  readonly act: (printer: FiscalPrinter) => Promise<unknown>
  readonly work: readonly Work[]
}

export const CASH = 10_000
export const OTHER_CASH = 700
const CARD_PART = 30
const PERCENT = 1000
const PLU = 1

type Act = (printer: FiscalPrinter) => Promise<unknown>

export const operatorOf = (printer: FiscalPrinter, code = 1) => ({
  code,
  password: printer.capabilities.defaultPassword(code),
})

const ARTICLE = { plu: PLU, quantity: 1000, void: false } as const
const FREE = { name: 'Tea', taxCode: 1, price: 120, quantity: 1000, department: 0, unit: '', void: false } as const

export const open: Act = (printer) =>
  printer.openFiscal({ operator: operatorOf(printer), pointOfSale: 1, invoice: false })
export const openNonFiscal: Act = (printer) =>
  printer.openNonFiscal(printer.capabilities.nonFiscalNeedsOperator ? operatorOf(printer) : undefined)
export const sellArticle: Act = (printer) => printer.sellArticle(ARTICLE)
export const payAll: Act = (printer) => printer.pay({ mode: 0 })
export const close: Act = (printer) => printer.closeFiscal()
const text: Act = (printer) => printer.printFiscalText({ text: 'a line of this request' })
const slipText: Act = (printer) => printer.printNonFiscalText({ text: 'a line of this request' })
const discount = { print: true, display: false, adjustment: { kind: 'discount', percent: PERCENT } } as const

const RECEIPT: readonly Act[] = [open, sellArticle, payAll, close]
const OPEN = [...RECEIPT, open]
const SOLD = [...OPEN, sellArticle]
const SLIP = [...RECEIPT, openNonFiscal]

const hasFreeSale = ({ capabilities }: FiscalPrinter): boolean => capabilities.freeSale === true
const hasCash = ({ moveCash }: FiscalPrinter): boolean => moveCash !== undefined

const step = (
  name: string,
  before: readonly Act[],
  act: Act,
  work: Work | readonly Work[],
  what: What,
  isThere: (printer: FiscalPrinter) => boolean = () => true,
): TriedStep => ({
  ...{ name, before, act },
  work: typeof work === 'string' ? [work] : work,
  what: (printer) => (isThere(printer) ? what : undefined),
})

const cash = (name: string, before: readonly Act[], kind: 'cashIn' | 'cashOut', amount: number): TriedStep =>
  step(
    name,
    before,
    (printer) =>
      printer.moveCash?.(kind === 'cashIn' ? amount : -amount, operatorOf(printer)) ?? Promise.reject(new Error(name)),
    'cashInOut',
    { is: 'document', kind, amount },
    hasCash,
  )

const payment = (name: string, sum: { readonly mode: number; readonly amount?: number }): TriedStep =>
  step(name, SOLD, (printer) => printer.pay(sum), 'pay', { is: 'step', step: { does: 'pay', payment: sum } })

const LINE = { does: 'print', element: { is: 'text', line: { text: 'a line of this request' } }, on: 'fiscal' } as const

const SINGLE_STEPS: readonly TriedStep[] = [
  step('opens a fiscal receipt', RECEIPT, open, 'openFiscal', { is: 'step', step: { does: 'open' } }),
  step('opens a non-fiscal receipt', RECEIPT, openNonFiscal, 'openNonFiscal', {
    is: 'step',
    step: { does: 'openNonFiscal' },
  }),
  step('sells an article', SOLD, sellArticle, ['sell', 'sellArticle'], {
    is: 'step',
    step: { does: 'sell', sale: ARTICLE },
  }),
  step(
    'sells freely',
    SOLD,
    (printer) => printer.sell(FREE),
    ['sell', 'sellArticle'],
    { is: 'step', step: { does: 'sell', sale: FREE } },
    hasFreeSale,
  ),
  step(
    'voids a row',
    [...SOLD, sellArticle],
    (printer) => printer.sellArticle({ ...ARTICLE, void: true }),
    ['sell', 'sellArticle'],
    { is: 'step', step: { does: 'sell', sale: { ...ARTICLE, void: true } } },
  ),
  step('takes a discount off the subtotal', SOLD, (printer) => printer.subtotal(discount), 'subtotal', {
    is: 'step',
    step: { does: 'subtotal', subtotal: discount },
  }),
  step('prints a subtotal', SOLD, (printer) => printer.subtotal({ print: true, display: false }), 'subtotal', {
    is: 'step',
    step: { does: 'subtotal', subtotal: { print: true, display: false } },
  }),
  step('prints a line', SOLD, text, 'printText', { is: 'step', step: LINE }),
  step('prints a line on a non-fiscal receipt', SLIP, slipText, 'printText', { is: 'step', step: LINE }),
  payment('pays a part by card', { mode: 1, amount: CARD_PART }),
  payment('pays the remaining amount in cash', { mode: 0 }),
  payment('pays more than the rest in cash', { mode: 0, amount: CASH }),
  step('closes a fiscal receipt', [...SOLD, payAll], close, 'closeFiscal', { is: 'close', of: 'fiscal' }),
  step('closes a non-fiscal receipt', [...SLIP, slipText], (printer) => printer.closeNonFiscal(), 'closeNonFiscal', {
    is: 'close',
    of: 'nonFiscal',
  }),
  step('cancels a fiscal receipt', SOLD, (printer) => printer.cancelFiscal(), 'cancelFiscal', {
    is: 'step',
    step: { does: 'cancel' },
  }),
  step('prints an X report', RECEIPT, (printer) => printer.reportX(), 'reportX', { is: 'document', kind: 'x' }),
  step('prints a Z report', RECEIPT, (printer) => printer.reportZ(), 'reportZ', { is: 'document', kind: 'z' }),
  step('prints a copy', RECEIPT, (printer) => printer.copyLastReceipt(), 'copyLastReceipt', {
    is: 'document',
    kind: 'copy',
  }),
  cash('puts cash in', RECEIPT, 'cashIn', CASH),
  cash(
    'takes cash out',
    [...RECEIPT, (printer) => printer.moveCash?.(3 * CASH, operatorOf(printer)) ?? Promise.resolve()],
    'cashOut',
    CASH,
  ),
]

/**
 * A row, a payment or the end of a complete receipt. The verdict is about the receipt, from the evidence before its
 * opening.
 */
const ofReceipt = (
  name: string,
  since: readonly Act[],
  act: Act,
  work: readonly Work[],
  at: ReceiptStage,
): TriedStep => ({
  ...step(`whole receipt: ${name}`, [...RECEIPT, ...since], act, work, {
    is: 'receipt',
    at,
    isOpened: since.length > 0,
    rows: [ARTICLE, ARTICLE],
  }),
  sinceEvidence: since.length,
})
const FILLED = [open, sellArticle, sellArticle]

const RECEIPT_STEPS: readonly TriedStep[] = [
  ofReceipt('opens', [], open, ['openFiscal'], 'opening'),
  ofReceipt('sells its second row', [open, sellArticle], sellArticle, ['sell', 'sellArticle'], 'filling'),
  ofReceipt('pays', FILLED, payAll, ['pay'], 'paying'),
  ofReceipt('closes', [...FILLED, payAll], close, ['closeFiscal'], 'closing'),
  ofReceipt('is cancelled', FILLED, (printer) => printer.cancelFiscal(), ['cancelFiscal'], 'cancelling'),
]

export const STEPS: readonly TriedStep[] = [...SINGLE_STEPS, ...RECEIPT_STEPS]

export interface TriedDevice {
  readonly family: Family
  readonly profile?: string
}
