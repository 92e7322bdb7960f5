/**
 * An adapter for `verdict`, which the table of worlds checks only through this file. The facts are the documents that
 * the electronic journal has gained since the evidence `before`, and the device's price of the step's article.
 */
import type { Money } from '../../drivers/model/money.ts'
import type { DocumentFacts, Evidence } from '../../drivers/model/printer.ts'
import type { Sale, Step, StepOfKind } from '../../drivers/model/steps.ts'
import { isSameDevice } from '../../server/operations/evidence.ts'
import type { Entry } from '../../server/operations/operation.ts'
import {
  type Verdict as Found,
  numberOf,
  type Facts as VerdictFacts,
  verdict,
} from '../../server/operations/verdict.ts'

export type What =
  | { readonly is: 'step'; readonly step: Step }
  | { readonly is: 'document'; readonly kind: StepOfKind<'document'>['kind']; readonly amount?: Money }
  | { readonly is: 'close'; readonly of: 'fiscal' | 'nonFiscal' }
  /**
   * A receipt that a single request opens, fills, pays and closes. `isOpened`: the device has responded to the opening.
   */
  | { readonly is: 'receipt'; readonly at: ReceiptStage; readonly isOpened: boolean; readonly rows: readonly Sale[] }

export type ReceiptStage = 'opening' | 'filling' | 'paying' | 'closing' | 'cancelling'

export interface Facts {
  /** Facts by document number, or `undefined` if the journal does not report the document. */
  readonly documents: Readonly<Record<number, DocumentFacts | undefined>>
  readonly price?: Money | undefined
}

export type Verdict = Truth | 'undecided'
/**
 * Number of times that the device has executed the step for the service. For a complete receipt, its final state
 * (`not`: never opened).
 */
export type Truth = 'not' | 'once' | 'twice' | 'open' | 'closed' | 'cancelled'

/** Maximum number of documents after the expected one whose facts are read. */
const LATER_MAX = 8

export function verdictOf(what: What, before: Evidence, now: Evidence, facts: Facts): Verdict {
  if (!isSameDevice(before, now)) return 'undecided'
  const entry = entryOf(what, before)
  return WORDS[what.is === 'receipt' ? 'receipt' : 'alone'][verdict(entry, now, factsOf(entry, now, facts)).is]
}

type Words = Readonly<Record<Found['is'], Verdict>>

const COMMON = { notCarriedOut: 'not', once: 'once', twice: 'twice', undecided: 'undecided' } as const

const WORDS: Readonly<Record<'receipt' | 'alone', Words>> = {
  receipt: { ...COMMON, open: 'open', closed: 'closed', cancelled: 'cancelled' },
  alone: { ...COMMON, open: 'not', closed: 'once', cancelled: 'not' },
}

function entryOf(what: What, before: Evidence): Entry {
  switch (what.is) {
    case 'step':
      return { steps: [what.step], at: 0, before }
    case 'document': {
      const { kind, amount } = what
      return { steps: [{ does: 'document', kind, ...(amount !== undefined && { amount }) }], at: 0, before }
    }
    case 'close': {
      const document = before.open?.number ?? before.lastDocument
      const does = what.of === 'fiscal' ? 'close' : 'closeNonFiscal'
      return { steps: [{ does }], at: 0, before, ...(document !== null && { document }) }
    }
    case 'receipt':
      return receiptEntry(what, before)
  }
}

function receiptEntry({ at, isOpened, rows }: Extract<What, { is: 'receipt' }>, before: Evidence): Entry {
  const steps: readonly Step[] = [
    { does: 'open' },
    ...rows.map((sale): Step => ({ does: 'sell', sale })),
    { does: 'pay', payment: { mode: 0 } },
    { does: 'close' },
  ]
  const places = { opening: 0, filling: 1, paying: steps.length - 2, closing: steps.length - 1, cancelling: 1 }
  return {
    ...{ steps, at: places[at], before },
    ...(at === 'cancelling' && { is: 'cancelling' as const }),
    ...(isOpened && { document: (before.lastDocument ?? 0) + 1 }),
  }
}

function factsOf(entry: Entry, now: Evidence, { documents, price }: Facts): VerdictFacts {
  const [step] = entry.steps
  const prices = new Map(price === undefined ? [] : [[1, price]])
  const last = entry.before?.lastDocument ?? null
  const isOfNext = step?.does === 'document' || (entry.steps.length === 1 && step?.does.startsWith('open'))
  if (isOfNext && last !== null) {
    const own = documents[last + 1]
    const more = own ? (now.lastDocument ?? last) - last - 1 : 0
    const later = Array.from({ length: Math.min(more, LATER_MAX) }, (_nothing, place) => documents[last + 2 + place])
    return { own, later: more > LATER_MAX ? [...later, undefined] : later }
  }
  const number = step?.does === 'cancel' ? entry.before?.open?.number : numberOf(entry)
  return { prices, own: typeof number === 'number' ? documents[number] : undefined }
}
