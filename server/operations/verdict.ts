/**
 * What became of an operation? One pure function over what it has written down, what the device says now, and what its journal says
 * of single documents. It is definite only where no other world gives the same evidence;
 * otherwise the verdict is `undecided`, and nothing is done to the device.
 */
import { adjustmentOf } from '../../drivers/model/amounts.ts'
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import type { DocumentFacts, Evidence, OpenReceipt } from '../../drivers/model/printer.ts'
import type { Adjustment, Subtotal } from '../../drivers/model/receipt.ts'
import { isHeld } from './evidence.ts'
import {
  amountOf,
  type DocumentKind,
  type Entry,
  isClosing,
  isNonFiscal,
  isStepOfReceipt,
  isWholeReceipt,
  type Prices,
  paymentsBegun,
  type Sale,
  type Step,
  type StepThat,
  salesOf,
} from './operation.ts'

export type Verdict =
  /** Its receipt stands open. */
  | { readonly is: 'open'; readonly open: OpenReceipt }
  | { readonly is: 'closed'; readonly number: number; readonly total: Money | null }
  | { readonly is: 'cancelled' }
  /** Nothing of it was carried out. */
  | { readonly is: 'notCarriedOut' }
  | { readonly is: 'once' }
  | { readonly is: 'twice' }
  /** `why`: what is known, and where a person can look. */
  | { readonly is: 'undecided'; readonly why: string }

/** What the device's journal and article table say besides; undefined: they do not tell. */
export interface Facts {
  /** Of the document that the operation has, or would have. */
  readonly own?: DocumentFacts | undefined
  /** Of those behind it, in their order. */
  readonly later?: readonly (DocumentFacts | undefined)[]
  readonly prices?: Prices
}

export function verdict(entry: Entry, now: Evidence, facts: Facts): Verdict {
  const [step] = entry.steps
  if (step === undefined) return undecided('the device did not tell its state before this step.')
  if (isWholeReceipt(entry)) return ofReceipt(entry, now, facts)
  if (isStepOfReceipt(entry)) return ofStep(step, entry.before, now, facts)
  return step.does === 'document' ? ofDocument(step, entry.before, now, facts) : ofReceipt(entry, now, facts)
}

const NOT_CARRIED_OUT: Verdict = { is: 'notCarriedOut' }
const CANCELLED: Verdict = { is: 'cancelled' }
const ONCE: Verdict = { is: 'once' }
const undecided = (why: string): Verdict => ({ is: 'undecided', why })

// ---------------------------------------------------------------- receipts that the operation opens, or closes

/** The number that the receipt of this request has, or would have if its opening was carried out. */
export function numberOf({ document, before }: Entry): number | undefined {
  if (document !== undefined) return document
  return before === null || before.open !== null || before.lastDocument === null ? undefined : before.lastDocument + 1
}

function ofReceipt(entry: Entry, now: Evidence, { own, prices }: Facts): Verdict {
  const { before } = entry
  const number = numberOf(entry)
  if (number === undefined) {
    if (before?.open) return NOT_CARRIED_OUT
    return undecided('the device did not tell the number of its last document before this request.')
  }
  // An opening that was not acknowledged may have been carried out; nothing behind it was ever sent.
  if (entry.document === undefined) return ofOpening(entry, number, now)
  const { open, lastDocument } = now
  const isOnlyOne = isHeld(before, now)
  if (open && (open.number ?? lastDocument) === number) {
    const isOurs = fits(open, entry) && (isOnlyOne || couldBeOf(entry, open, now, prices))
    return isOurs ? { is: 'open', open } : undecided(notOpenedBy(number))
  }
  if (lastDocument !== null && lastDocument < number) return undecided(wentBack(number, lastDocument))
  if (!isOnlyOne && isOlder(now, before))
    return undecided(
      `the device tells of fewer Z reports than before this request; look at the paper of document ${number}.`,
    )
  if (own) return byJournal(entry, number, own, isOnlyOne, prices)
  return isNonFiscal(entry) ? { is: 'closed', number, total: null } : bySums(entry, number, now)
}

/** Its memory was exchanged, or begun anew. */
const wentBack = (number: number, last: number): string =>
  `the device gave out document number ${number}, and says now that ${last} was its last.`

const notOpenedBy = (number: number): string => `document ${number} is not what this request has opened.`

const isEmpty = ({ items, total, paid }: OpenReceipt): boolean => !items && !total && !paid

const fits = ({ kind }: OpenReceipt, entry: Entry): boolean => (kind === 'NonFiscal') === isNonFiscal(entry)

/**
 * Nothing behind its opening was ever sent, so that its receipt is empty, unless this computer has lost its power since: the
 * answer to the opening is written down, but not flushed to the disk. Documents may have been printed by hand between what
 * was written down and the opening, so that its number may be a later one than `next`.
 */
function ofOpening(entry: Entry, next: number, now: Evidence): Verdict {
  const { open } = now
  const number = open?.number ?? now.lastDocument
  if (!open || !fits(open, entry) || number === null || number < next) return NOT_CARRIED_OUT
  const isHeldThen = entry.before?.hold !== undefined
  if (!isEmpty(open)) return isHeldThen ? NOT_CARRIED_OUT : undecided(perhapsOthers(number, open))
  // Another program gives its own receipt the same number, where the opening of this request was not carried out.
  return isHeld(entry.before, now) ? { is: 'open', open } : undecided(perhapsOthers(number, open))
}

const perhapsOthers = (number: number, open: OpenReceipt): string =>
  `document ${number} stands open${isEmpty(open) ? ', and nothing is sold on it' : ''}: this request has opened it, or another program has opened it since the connection was lost. Look at the device and its paper before it is cancelled or used.`

/**
 * A memory that was exchanged in the device, or begun anew, may have a receipt of the same number. While one stands open no
 * Z report is printed and no other receipt is closed; and it has no more on it than was asked for, but for rows that were
 * written again, each of them up to three times.
 */
function couldBeOf(entry: Entry, open: OpenReceipt, now: Evidence, prices?: Prices): boolean {
  const { before } = entry
  const isSameMemory = !before || (isEqual(before.lastZ, now.lastZ) && isEqual(before.lastReceipt, now.lastReceipt))
  if (!isSameMemory || !isWholeReceipt(entry) || isNonFiscal(entry)) return isSameMemory
  if (open.items !== null && open.items > salesOf(entry).length * WRITES_MAX) return false
  const { total } = open
  return total === null || total === 0 || couldComeTo(total, entry, prices)
}

/** So often the link writes a command. */
const WRITES_MAX = 3
const TIMES_WRITTEN = [1, 2, WRITES_MAX]
const RANGES_MAX = 1000

/** Sums of money, the bounds included. */
interface Range {
  readonly low: Money
  readonly high: Money
}

const NOTHING_SOLD: Range = { low: 0, high: 0 }

const isIn = (sum: Money, { low, high }: Range): boolean => low <= sum && sum <= high

/** Each step once, twice, or as often as the link writes it; also where only the first of them have come. */
function couldComeTo(total: Money, entry: Entry, prices?: Prices): boolean {
  let ranges: readonly Range[] = [NOTHING_SOLD]
  for (const { times, isKnown } of changesOf(entry, prices)) {
    if (!isKnown) return true
    ranges = distinct(ranges.flatMap((range) => TIMES_WRITTEN.map((count) => times(range, count))))
    if (ranges.some((range) => isIn(total, range))) return true
    // So many that only their bounds are told.
    if (ranges.length > RANGES_MAX) ranges = [boundsOf(ranges)]
  }
  return false
}

interface Change {
  /** What it makes of a sum, carried out so often. */
  readonly times: (range: Range, count: number) => Range
  /** False: only the device knows its price. */
  readonly isKnown: boolean
}

/** What the rows and the adjusted subtotals of a receipt do to its sum, in their order. */
function changesOf({ steps }: Entry, prices?: Prices): readonly Change[] {
  let rows = 0
  return steps.flatMap((step): Change[] => {
    if (step.does === 'sell') {
      rows++
      const amount = amountOf(step.sale, prices)
      const more = amount ?? 0
      return [
        {
          times: ({ low, high }, count) => ({ low: low + count * more, high: high + count * more }),
          isKnown: amount !== undefined,
        },
      ]
    }
    if (step.does !== 'subtotal' || !step.subtotal.adjustment) return []
    const { adjustment } = step.subtotal
    const off = offOf(adjustment, rows)
    const once = ({ low, high }: Range): Range => ({
      low: low + adjustmentOf(low, adjustment) - off,
      high: high + adjustmentOf(high, adjustment) + off,
    })
    return [{ times: (range, count) => Array.from({ length: count }).reduce<Range>(once, range), isKnown: true }]
  })
}

const boundsOf = (ranges: readonly Range[]): Range =>
  ranges.reduce(({ low, high }, one) => ({ low: Math.min(low, one.low), high: Math.max(high, one.high) }))

const distinct = (ranges: readonly Range[]): readonly Range[] => [
  ...new Map(ranges.map((range) => [`${range.low} ${range.high}`, range])).values(),
]

const isEqual = (one: number | null, other: number | null): boolean => one === null || other === null || one === other

const isOlder = (now: Evidence, before: Evidence | null): boolean =>
  before !== null && before.lastZ !== null && now.lastZ !== null && now.lastZ < before.lastZ

/** What the request was to come to, as far as that is known. */
function dueOf(entry: Entry, prices?: Prices): Range | null {
  const { total } = entry
  if (total !== undefined) return { low: total, high: total }
  if (!isWholeReceipt(entry)) return null
  const changes = changesOf(entry, prices)
  if (!changes.every(({ isKnown }) => isKnown)) return null
  return changes.reduce<Range>((range, { times }) => times(range, 1), NOTHING_SOLD)
}

const rangeInWords = ({ low, high }: Range): string =>
  low === high ? formatMoney(low) : `${formatMoney(low)} to ${formatMoney(high)}`

function byJournal(
  entry: Entry,
  number: number,
  { kind, total }: DocumentFacts,
  isOnlyOne: boolean,
  prices?: Prices,
): Verdict {
  const due = dueOf(entry, prices)
  if (kind === 'fiscal' && !isOnlyOne && total !== null && due !== null && !isIn(total, due))
    return undecided(
      `receipt ${number} comes to ${formatMoney(total)}, and this request to ${rangeInWords(due)}: another program has changed it, or it is another one's. Look at its paper.`,
    )
  if (kind === 'cancelled') return isOnlyOne || !isAllPaid(entry) ? CANCELLED : undecided(notOpenedBy(number))
  if (kind === null)
    return undecided(`the journal of the device does not tell what document ${number} is; look at its paper.`)
  if (kind === (isNonFiscal(entry) ? 'nonFiscal' : 'fiscal')) return { is: 'closed', number, total }
  return undecided(notOpenedBy(number))
}

/** Its payments were answered, and something was to pay: no device cancels it then. */
const isAllPaid = (entry: Entry): boolean =>
  isWholeReceipt(entry) && isClosing(entry) && paymentsBegun(entry) > 0 && entry.total !== 0

/** Where the journal cannot be asked for a document: the last receipt, and the sums of the day. */
function bySums(entry: Entry, number: number, now: Evidence): Verdict {
  const { before } = entry
  const isSameDay = before !== null && before.lastZ === now.lastZ
  const more = isSameDay ? difference(before.day.receipts, now.day.receipts) : undefined
  const grown = more ?? (isSameDay ? difference(before.day.turnover, now.day.turnover) : undefined)
  if (more === 0 || (grown === 0 && !mayBeZero(entry))) return CANCELLED
  if (grown === 0)
    return undecided(`the device does not tell whether receipt ${number} of 0.00 was closed; look at its paper.`)
  if (now.lastReceipt === number) return { is: 'closed', number, total: null }
  if (now.lastReceipt !== null && now.lastReceipt < number) return CANCELLED
  const look = `look at the paper of document ${number}.`
  if (!isSameDay) return undecided(`a Z report was printed since; ${look}`)
  if (grown === undefined) return undecided(`the device does not tell what became of document ${number}; ${look}`)
  if (now.lastDocument === number) return { is: 'closed', number, total: null }
  return undecided(`other documents were printed after document ${number}; ${look}`)
}

/** Closed, it would let no turnover grow. */
function mayBeZero(entry: Entry): boolean {
  if (!isWholeReceipt(entry)) return !entry.before?.open?.total
  return paymentsBegun(entry) > 0 && !entry.total
}

/** A receipt that comes to nothing looks the same before its payment and behind it. */
const isOfNothing = ({ total, paid }: OpenReceipt): boolean => total === 0 && paid === 0

export const isPerhapsPaid = (entry: Entry, open: OpenReceipt): boolean => isOfNothing(open) && paymentsBegun(entry) > 0

const difference = (before: number | null, now: number | null): number | undefined =>
  before === null || now === null ? undefined : now - before

// ---------------------------------------------------------------- documents of one command

/**
 * A report, a copy, a movement of cash: it would be the document after the last. A Z report by hand, or another program's
 * document, may stand in between.
 */
function ofDocument(step: StepThat<'document'>, before: Evidence | null, now: Evidence, facts: Facts): Verdict {
  const { kind } = step
  const { later = [] } = facts
  // A text that nobody here reads says as little as no text.
  const own = facts.own?.kind === null ? undefined : facts.own
  if (!before || before.lastDocument === null || now.lastDocument === null)
    return undecided('the device does not tell the number of its last document.')
  if (now.lastDocument === before.lastDocument) return NOT_CARRIED_OUT
  if (now.lastDocument < before.lastDocument) return undecided(wentBack(before.lastDocument, now.lastDocument))
  const number = before.lastDocument + 1
  const isOnlyOne = isHeld(before, now)
  if (own && !isKind(own.kind, kind) && !(kind === 'z' && own.kind === 'other'))
    return later.some((one) => one === undefined || isKind(one.kind, kind))
      ? undecided(mayBeLater(number, now.lastDocument))
      : NOT_CARRIED_OUT
  if (kind === 'z' && own?.kind !== 'z') return ofZ(before, now, number)
  const moved = cashMoved(kind, before, now)
  if (moved === 0) return NOT_CARRIED_OUT
  if (moved !== undefined && moved !== step.amount)
    return now.lastDocument === number ? NOT_CARRIED_OUT : undecided(movedOtherwise(moved, step))
  if (own?.kind !== kind && isOfOthersCash(kind, before, now))
    return now.lastDocument === number ? NOT_CARRIED_OUT : undecided('another program has moved cash since.')
  if (own && later[0] && isKind(later[0].kind, kind)) return undecided(mayBeTwice(number))
  if (own) return ours(number, isOnlyOne)
  const isOthers = before.lastZ !== now.lastZ || now.lastReceipt === number || now.open !== null
  if (now.lastDocument === number) return isOthers ? NOT_CARRIED_OUT : ours(number, isOnlyOne)
  const more = moved === undefined ? ': it may have carried out the command more than once. Look at the paper' : ''
  return undecided(
    `documents ${number} to ${now.lastDocument} were printed since, and the device does not tell what they are${more}.`,
  )
}

/** A document of the very kind, which another program may have made while nobody of this one was on the line. */
const ours = (number: number, isOnlyOne: boolean): Verdict =>
  isOnlyOne
    ? ONCE
    : undecided(
        `document ${number} is what was asked for: this request has printed it, or another program has printed it since the connection was lost. Look at its paper, and at its time.`,
      )

function movedOtherwise(moved: Money, { amount = 0 }: StepThat<'document'>): string {
  const isMultiple = amount !== 0 && moved / amount > 1 && moved % amount === 0
  return `cash of ${formatMoney(moved)} was moved since${isMultiple ? `: ${MORE_OR_OTHERS}` : ', not of this request alone.'}`
}

const MORE_OR_OTHERS =
  'the device may have carried out the command more than once, or another program has printed. Look at the paper.'

/** A device that is cut off for a moment does once more what the link writes again; nothing tells whether it did. */
const mayBeTwice = (number: number): string =>
  `documents ${number} and ${number + 1} are of the same kind: the device may have carried out the command more than once. Look at the paper.`

const mayBeLater = (number: number, last: number): string =>
  `document ${number} is not what was asked for, and one of the documents up to ${last} may be it. Look at their paper.`

/** On the same day, of the same kind; undefined: that cannot be told. */
function cashMoved(kind: DocumentKind, before: Evidence, now: Evidence): Money | undefined {
  if (before.lastZ !== now.lastZ || (kind !== 'cashIn' && kind !== 'cashOut')) return undefined
  return difference(before.day[kind], now.day[kind])
}

/** It may be what the document was that followed. */
const isOfOthersCash = (kind: DocumentKind, before: Evidence, now: Evidence): boolean =>
  (kind === 'x' || kind === 'copy') && Boolean(cashMoved('cashIn', before, now) || cashMoved('cashOut', before, now))

function ofZ(before: Evidence, now: Evidence, number: number): Verdict {
  const isNext = now.lastDocument === number
  if (before.lastZ === null || now.lastZ === null)
    return isNext
      ? ours(number, isHeld(before, now))
      : undecided('the device does not tell the number of its last Z report.')
  if (now.lastZ === before.lastZ) return NOT_CARRIED_OUT
  if (now.lastZ === before.lastZ + 1 && isNext) return ours(number, isHeld(before, now))
  return undecided(
    now.lastZ > before.lastZ + 1
      ? `the last Z report is number ${now.lastZ} now, and it was ${before.lastZ} before: ${MORE_OR_OTHERS}`
      : `the last Z report is number ${now.lastZ} now; it was ${before.lastZ} before, and other documents were printed since.`,
  )
}

const KINDS: Readonly<Record<DocumentKind, readonly DocumentFacts['kind'][]>> = {
  x: ['x', 'other'],
  copy: ['copy', 'other'],
  cashIn: ['cash', 'other', 'nonFiscal'],
  cashOut: ['cash', 'other', 'nonFiscal'],
  z: ['z'],
}

const isKind = (told: DocumentFacts['kind'], kind: DocumentKind): boolean => KINDS[kind].includes(told)

// ---------------------------------------------------------------- one step of a receipt

function ofStep(step: Step, before: Evidence | null, now: Evidence, { own, prices }: Facts): Verdict {
  if (!before) return undecided('the device did not tell its state before this step')
  const isOnlyOne = isHeld(before, now)
  switch (step.does) {
    case 'open':
    case 'openNonFiscal':
      return ofOpeningStep(step.does, before, now)
    case 'cancel':
      if (!before.open || isSameReceipt(before, now)) return NOT_CARRIED_OUT
      return ofCancel(before, now, own, isOnlyOne)
    case 'sell':
    case 'pay':
    case 'subtotal':
    case 'print': {
      const [was, is] = [before.open, now.open]
      if (!was || !is || !isSameReceipt(before, now)) return isSameNothing(before, now) ? NOT_CARRIED_OUT : UNPROVEN
      const inside = insideReceipt(step, was, is, prices)
      // Another program may have sold, paid or taken off the same.
      return inside.is === 'notCarriedOut' || isOnlyOne ? inside : UNPROVEN
    }
    case 'close':
    case 'closeNonFiscal':
    case 'cancelNonFiscal':
    case 'document':
      return UNPROVEN
  }
}

/** Where no journal tells, no receipt was closed since: the last that was is the same as before. */
function ofCancel(before: Evidence, now: Evidence, own: DocumentFacts | undefined, isOnlyOne: boolean): Verdict {
  if (own?.kind === 'fiscal') return undecided('the receipt was closed since by another program')
  const isLastAsBefore = before.lastReceipt !== null && before.lastReceipt === now.lastReceipt
  if (own?.kind === 'cancelled' || isOnlyOne || isLastAsBefore) return ONCE
  return undecided('the device does not tell whether the receipt was cancelled, or was closed by another program')
}

const UNPROVEN = undecided('what the device says does not prove what became of this step')

/** No device tells its lines of text. */
const MAY_BE_TWICE = undecided(
  'the device did not answer at first: what it was told to print stands on the paper once, twice or not at all',
)

function ofOpeningStep(does: 'open' | 'openNonFiscal', before: Evidence, now: Evidence): Verdict {
  const { open, lastDocument } = now
  if (before.open) return isSameReceipt(before, now) ? NOT_CARRIED_OUT : UNPROVEN
  if (!open) return lastDocument === before.lastDocument ? NOT_CARRIED_OUT : UNPROVEN
  const isNext = before.lastDocument === null || (open.number ?? lastDocument) === before.lastDocument + 1
  const isOurs = isNext && isEmpty(open) && (open.kind === 'NonFiscal') === (does === 'openNonFiscal')
  return isOurs && isHeld(before, now) ? ONCE : UNPROVEN
}

type Standing = Pick<Evidence, 'open' | 'lastDocument'>
const isSameReceipt = (before: Standing, now: Standing): boolean =>
  before.open !== null &&
  now.open !== null &&
  (before.open.number ?? before.lastDocument) === (now.open.number ?? now.lastDocument)

const isSameNothing = (before: Evidence, now: Evidence): boolean =>
  before.open === null && now.open === null && before.lastDocument === now.lastDocument

function insideReceipt(
  step: StepThat<'sell' | 'pay' | 'subtotal' | 'print'>,
  before: OpenReceipt,
  now: OpenReceipt,
  prices?: Prices,
): Verdict {
  switch (step.does) {
    case 'print':
      return MAY_BE_TWICE
    case 'sell':
      return timesSold(step.sale, before, now, prices)
    case 'pay':
      return timesPaid(step.payment.amount, before, now)
    case 'subtotal':
      return timesSubtotal(step.subtotal, before, now)
  }
}

/** By the count of rows; and where it is known what the row comes to, by the sum too, which another program's has not. */
function timesSold(sale: Sale, before: OpenReceipt, now: OpenReceipt, prices?: Prices): Verdict {
  if (before.items === null || now.items === null) return UNPROVEN
  const count = Math.abs(now.items - before.items)
  const sold = difference(before.total, now.total)
  const amount = amountOf(sale, prices)
  if (amount === undefined || sold === undefined) return byCount(count)
  return sold === count * amount ? byCount(count) : UNPROVEN
}

function timesSubtotal({ adjustment, print }: Subtotal, before: OpenReceipt, now: OpenReceipt): Verdict {
  if (!adjustment) return print ? MAY_BE_TWICE : NOT_CARRIED_OUT
  // A non-fiscal receipt has no sum that an adjustment could change.
  if (before.total === null || now.total === null) return before.kind === 'NonFiscal' ? NOT_CARRIED_OUT : UNPROVEN
  const off = offOf(adjustment, before.items)
  return timesAdjusted(adjustment, before.total, now.total, off)
}

const TAX_GROUPS = 8

/**
 * A percentage is taken of each tax group, and rounded there: by half a hundredth at most, so that one group comes to what
 * is taken of the sum. Each group has a row at least; a receipt whose rows are not told may have all groups.
 */
const offOf = (adjustment: Adjustment, rows: number | null): Money =>
  'percent' in adjustment ? Math.floor(Math.min(rows || TAX_GROUPS, TAX_GROUPS) / 2) : 0

/** More often than that nobody looks. */
const TIMES_MAX = 3

/**
 * Another percentage is one of what the last has left. `off`: how far each may be from its share of the whole sum. What the
 * receipt comes to now proves a count that no other one comes to.
 */
function timesAdjusted(adjustment: Adjustment, before: Money, now: Money, off: Money): Verdict {
  const next = (sum: Money): Money => sum + adjustmentOf(sum, adjustment)
  const fitting: number[] = []
  let [low, high] = [before, before]
  for (let count = 0; count <= TIMES_MAX; count++) {
    if (low <= now && now <= high) fitting.push(count)
    ;[low, high] = [next(low) - off, next(high) + off]
  }
  const [count, ...others] = fitting
  return count !== undefined && others.length === 0 ? byCount(count) : UNPROVEN
}

function timesPaid(amount: Money | undefined, before: OpenReceipt, now: OpenReceipt): Verdict {
  if (before.paid === null || now.paid === null || before.remaining === null) return UNPROVEN
  const taken = now.paid - before.paid
  const once = amount ?? before.remaining
  // Before all else: where nothing was left to pay, nothing is also what the receipt would take of the payment. A fiscal one
  // that comes to nothing may be paid all the same.
  if (taken === 0) return isOfNothing(before) && before.kind !== 'NonFiscal' ? UNPROVEN : NOT_CARRIED_OUT
  // Some wires tell what was handed over, others what of it the receipt took.
  if (taken === once || taken === Math.min(once, before.remaining)) return ONCE
  return taken === 2 * once || now.remaining === 0 ? { is: 'twice' } : UNPROVEN
}

const byCount = (count: number): Verdict =>
  count === 0 ? NOT_CARRIED_OUT : count === 1 ? ONCE : count === 2 ? { is: 'twice' } : UNPROVEN
