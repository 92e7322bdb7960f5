/** Operations as the log has them: a complete receipt of 4.80 at a place of its way, and commands alone. */
import type { Payment, TextLine } from '../../drivers/model/receipt.ts'
import type { DocumentKind, Entry, Sale, Step, StepThat } from '../../server/operations/operation.ts'
import { placeBefore, placeOfPayment } from '../../server/operations/payments.ts'
import { BEFORE } from './scripted-printer.ts'

export const sale = (price: number, more: Partial<Sale> = {}): Sale =>
  ({
    ...{ name: 'TEA', taxCode: 1, department: 0, unit: 'BUC', price, quantity: 1000, void: false },
    ...more,
  }) as Sale

/** Of an article, whose price only the device knows. */
export const article = (more: Partial<Sale> = {}): Sale => ({ plu: 7, quantity: 1000, void: false, ...more }) as Sale

export const text = (words: string, on: 'fiscal' | 'nonFiscal' = 'fiscal'): StepThat<'print'> => ({
  ...{ does: 'print', element: { is: 'text', line: { text: words } }, on },
})

export interface Asked {
  readonly sales?: readonly Sale[]
  /** Between the sales and the payments. */
  readonly further?: readonly Step[]
  /** Absent: the whole sum in cash. */
  readonly payments?: readonly (Payment & { readonly textsBefore?: readonly TextLine[] })[]
  /** Its own end is a cancel. */
  readonly cancels?: boolean
}

export const receiptSteps = ({
  sales = [sale(240), sale(240)],
  further = [],
  payments,
  cancels,
}: Asked = {}): Step[] => [
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

/** As it is sent: what the log has of it opens nothing. */
export const receiptToPrint = (of?: Asked): Step[] => [
  { does: 'open', opening: { operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false } },
  ...receiptSteps(of).slice(1),
]

export type Stage = 'opening' | 'filling' | 'paying' | 'closing' | 'cancelling' | 'done'

export interface At extends Partial<Entry> {
  /** So many of its payments. */
  readonly begun?: number
  /** The lines of text before the last payment that was begun are printed. */
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

/** How far a complete receipt has come that nobody has given a number yet. */
export const receipt = (stage: Stage, { ...more }: At & { readonly of?: Asked } = {}): Entry => {
  const { of, ...at } = more
  return entryAt(receiptSteps(of), stage, at)
}

/** The same of a non-fiscal one. */
export const slip = (stage: Exclude<Stage, 'paying'>, more: At = {}): Entry => entryAt(slipSteps(), stage, more)

/** One command of its own. */
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
