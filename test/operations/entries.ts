/** Entries of the operation log: a complete receipt of 4.80 at a given stage, and single commands. */
import type { Payment, TextLine } from '../../drivers/model/receipt.ts'
import type { DocumentKind, Sale, Step, StepOfKind } from '../../drivers/model/steps.ts'
import type { Entry } from '../../server/operations/operation.ts'
import { placeBefore, placeOfPayment } from '../../server/operations/payments.ts'
import { BEFORE } from './scripted-printer.ts'

export const sale = (price: number, more: Partial<Sale> = {}): Sale =>
  ({
    ...{ name: 'TEA', taxCode: 1, department: 0, unit: 'BUC', price, quantity: 1000, void: false },
    ...more,
  }) as Sale

/** Returns a sale of an article whose price only the device knows. */
export const article = (more: Partial<Sale> = {}): Sale => ({ plu: 7, quantity: 1000, void: false, ...more }) as Sale

export const text = (words: string, on: 'fiscal' | 'nonFiscal' = 'fiscal'): StepOfKind<'print'> => ({
  ...{ does: 'print', element: { is: 'text', line: { text: words } }, on },
})

export interface ReceiptParts {
  readonly sales?: readonly Sale[]
  readonly further?: readonly Step[]
  /** The default is the whole sum in cash. */
  readonly payments?: readonly (Payment & { readonly textsBefore?: readonly TextLine[] })[]
  readonly cancels?: boolean
}

export const receiptSteps = ({
  sales = [sale(240), sale(240)],
  further = [],
  payments,
  cancels,
}: ReceiptParts = {}): Step[] => [
  { does: 'open' },
  ...sales.map((one): Step => ({ does: 'sell', sale: one })),
  ...further,
  ...(cancels ? [] : (payments ?? [{ mode: 0 }])).flatMap(({ textsBefore = [], ...payment }): Step[] => [
    ...textsBefore.map(({ text: words }) => text(words)),
    { does: 'pay', payment },
  ]),
  { does: cancels ? 'cancel' : 'close' },
]

export const slipSteps = (texts: readonly string[] = ['HELLO'], cancels = false): Step[] => [
  { does: 'openNonFiscal' },
  ...texts.map((words) => text(words, 'nonFiscal')),
  { does: cancels ? 'cancelNonFiscal' : 'closeNonFiscal' },
]

/** Returns the steps as the caller sends them. In the log, the opening step has no opening data. */
export const receiptToPrint = (of?: ReceiptParts): Step[] => [
  { does: 'open', opening: { operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false } },
  ...receiptSteps(of).slice(1),
]

export type Stage = 'opening' | 'filling' | 'paying' | 'closing' | 'cancelling' | 'done'

export interface At extends Partial<Entry> {
  readonly begun?: number
  /** True if the text lines before the last started payment are printed. */
  readonly textsPrinted?: boolean
}

export function entryAt(
  steps: readonly Step[],
  stage: Stage,
  { begun = 1, textsPrinted = false, ...more }: At = {},
): Entry {
  const payment = textsPrinted ? placeOfPayment({ steps }, begun - 1) : placeBefore({ steps }, begun - 1)
  const places = {
    opening: 0,
    filling: 1,
    paying: payment,
    closing: steps.length - 1,
    cancelling: 1,
    done: steps.length - 1,
  }
  return {
    ...{ steps, at: places[stage], before: BEFORE },
    ...((stage === 'cancelling' || stage === 'done') && { is: stage }),
    ...more,
  }
}

export const receipt = (stage: Stage, { ...more }: At & { readonly of?: ReceiptParts } = {}): Entry => {
  const { of, ...at } = more
  return entryAt(receiptSteps(of), stage, at)
}

export const slip = (stage: Exclude<Stage, 'paying'>, more: At = {}): Entry => entryAt(slipSteps(), stage, more)

export const alone = (step: Step, more: Partial<Entry> = {}): Entry => ({
  steps: [step],
  at: 0,
  before: BEFORE,
  ...more,
})

export const documentOf = (kind: DocumentKind, more: Partial<Entry> & { readonly amount?: number } = {}): Entry => {
  const { amount, ...entry } = more
  return alone({ does: 'document', kind, ...(amount !== undefined && { amount }) }, entry)
}
