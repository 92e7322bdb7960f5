/**
 * The verdict that the table of worlds checks: the only file of the table that knows where it is made. Facts are what the
 * device's electronic journal says of the documents since, and what the device asks for the article of the step.
 */
import type { Money } from '../../drivers/model/money.ts'
import type { DocumentFacts, Evidence } from '../../drivers/model/printer.ts'
import type { DocumentKind, ProgressRecord, SoldRow, Step } from '../../server/recovery/progress.ts'
import { fateOf, isSameDevice, madeOf, type Times, timesOf } from '../../server/recovery/proof.ts'

export type What =
  | { readonly is: 'step'; readonly step: Step }
  | { readonly is: 'document'; readonly kind: DocumentKind; readonly amount?: Money }
  | { readonly is: 'close'; readonly of: 'fiscal' | 'nonFiscal' }
  /** A receipt that a request opens, fills, pays and closes by itself; `isOpened`: the device has answered to its opening. */
  | { readonly is: 'receipt'; readonly at: ReceiptStage; readonly isOpened: boolean; readonly rows: readonly SoldRow[] }

export type ReceiptStage = 'opening' | 'filling' | 'paying' | 'closing' | 'cancelling'

export interface Facts {
  /** By their numbers; undefined: the journal does not tell. */
  readonly documents: Readonly<Record<number, DocumentFacts | undefined>>
  /** Price of the article of the step; undefined: the device does not tell it. */
  readonly price?: Money | undefined
}

export type Verdict = Truth | 'undecided'
/** How often the device has executed the step for us; of a whole receipt, what became of it (`not`: it was never opened). */
export type Truth = 'not' | 'once' | 'twice' | 'open' | 'closed' | 'cancelled'

/** As many documents behind the expected one are asked for. */
const LATER_MAX = 8

export function verdictOf(what: What, before: Evidence, now: Evidence, facts: Facts): Verdict {
  if (!isSameDevice(before, now)) return 'undecided'
  switch (what.is) {
    case 'step':
      return stepVerdict(what.step, before, now, facts)
    case 'document':
      return documentVerdict(what, before, now, facts)
    case 'close':
      return closeVerdict(what.of, before, now, facts)
    case 'receipt':
      return receiptVerdict(what, before, now, facts)
  }
}

const TIMES: Readonly<Record<Times, Verdict>> = { not: 'not', once: 'once', twice: 'twice', unproven: 'undecided' }

/** As `timesCarriedOut` and `settleStep` ask. */
function stepVerdict(step: Step, before: Evidence, now: Evidence, { price, documents }: Facts): Verdict {
  const priced =
    step.does === 'sale' && step.row && step.row.price === undefined && price !== undefined
      ? { ...step, row: { ...step.row, price } }
      : step
  const times = timesOf(priced, before, now)
  if (step.does !== 'cancel' || times !== 'once') return TIMES[times]
  const number = before.open?.number ?? undefined
  return number !== undefined && documents[number]?.kind === 'fiscal' ? 'undecided' : 'once'
}

/** As `settleDocument` asks. */
function documentVerdict(
  { kind, amount }: Extract<What, { is: 'document' }>,
  before: Evidence,
  now: Evidence,
  { documents }: Facts,
): Verdict {
  const last = before.lastDocument
  const record = {
    undertaking: 'document',
    stage: 'closing',
    before,
    kind,
    ...(amount !== undefined && { amount }),
  } as const
  const first = last === null ? undefined : documents[last + 1]
  const more = first && last !== null ? (now.lastDocument ?? last) - last - 1 : 0
  const later = Array.from(
    { length: Math.min(more, LATER_MAX) },
    (_nothing, place) => documents[(last ?? 0) + 2 + place],
  )
  const made = madeOf(record, now, first, more > LATER_MAX ? [...later, undefined] : later)
  return made.is === 'made' ? 'once' : made.is === 'notMade' ? 'not' : 'undecided'
}

/** As `settleClose` asks: of the receipt that was open. */
function closeVerdict(of: 'fiscal' | 'nonFiscal', before: Evidence, now: Evidence, { documents }: Facts): Verdict {
  const document = before.open?.number ?? before.lastDocument
  if (document === null) return 'undecided'
  const undertaking = of === 'fiscal' ? 'closeFiscal' : 'closeNonFiscal'
  const fate = fateOf({ undertaking, stage: 'closing', before, document }, now, documents[document])
  switch (fate.is) {
    case 'closed':
      return 'once'
    case 'open':
    case 'cancelled':
    case 'none':
      return 'not'
    case 'unproven':
      return 'undecided'
  }
}

/** As `fateNow` asks: of the receipt of a request. */
function receiptVerdict(
  { at, isOpened, rows }: Extract<What, { is: 'receipt' }>,
  before: Evidence,
  now: Evidence,
  { documents, price }: Facts,
): Verdict {
  const document = (before.lastDocument ?? 0) + 1
  const settlement = { total: null, payments: [], begun: at === 'paying' || at === 'closing' ? 1 : 0 }
  const record: ProgressRecord = {
    ...{ undertaking: 'fiscalReceipt', stage: at, before, settlement },
    ...(isOpened ? { document } : {}),
    rows: price === undefined ? rows : rows.map((row) => ({ ...row, price })),
  }
  const fate = fateOf(record, now, documents[document])
  switch (fate.is) {
    case 'open':
    case 'closed':
    case 'cancelled':
      return fate.is
    case 'none':
      return 'not'
    case 'unproven':
      return 'undecided'
  }
}
