/**
 * The verdict about an operation: a pure function of its record, the present evidence, and facts from the electronic
 * journal. A verdict is definite only if no other sequence of events leads to the same evidence
 * (test/operations/worlds.ts). Otherwise it is `undecided`, and the service changes nothing on the device.
 */
import { adjustmentOf } from '../../drivers/model/amounts.ts'
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import type { DocumentFacts, Evidence, OpenReceipt } from '../../drivers/model/printer.ts'
import type { Adjustment, Subtotal } from '../../drivers/model/receipt.ts'
import type { DocumentKind, Sale, Step, StepOfKind } from '../../drivers/model/steps.ts'
import { isHeld } from './evidence.ts'
import {
  amountOf,
  type Entry,
  endsInCancel,
  isClosing,
  isNonFiscal,
  isStepOfReceipt,
  isWholeReceipt,
  type Prices,
  paymentsBegun,
  salesOf,
} from './operation.ts'

export type Verdict =
  | { readonly is: 'open'; readonly open: OpenReceipt }
  | { readonly is: 'closed'; readonly number: number; readonly total: Money | null }
  | { readonly is: 'cancelled' }
  | { readonly is: 'notCarriedOut' }
  | { readonly is: 'once' }
  | { readonly is: 'twice' }
  /** `why`: the known facts, and the paper that a person must check. */
  | { readonly is: 'undecided'; readonly why: string }

export interface Facts {
  /** The document that the operation printed, or would have printed; `undefined` if the device does not report it. */
  readonly own?: DocumentFacts | undefined
  readonly later?: readonly (DocumentFacts | undefined)[]
  readonly prices?: Prices
}

export function verdict(entry: Entry, now: Evidence, facts: Facts): Verdict {
  const [step] = entry.steps
  if (step === undefined) return undecided('the state of the device before this request is unknown.')
  if (entry.before && !isHeld(entry.before, now)) {
    if (hasGoneBack(entry.before, now)) return undecided(OTHER_MEMORY)
    if (step.does === 'document' && hasOtherSums(entry.before, now, facts)) return undecided(OTHER_SUMS)
  }
  if (isWholeReceipt(entry)) return receiptVerdict(entry, now, facts)
  if (isStepOfReceipt(entry)) return stepVerdict(step, entry.before, now, facts)
  return step.does === 'document' ? documentVerdict(step, entry.before, now, facts) : receiptVerdict(entry, now, facts)
}

/** Numbers that never decrease, not even at a Z report. */
const NUMBERS = ['lastDocument', 'lastReceipt', 'lastZ'] as const

const hasGoneBack = (before: Evidence, now: Evidence): boolean =>
  NUMBERS.some((name) => (now[name] ?? Number.POSITIVE_INFINITY) < (before[name] ?? 0))

/** Returns whether the device certainly has another memory, so that further queries would prove nothing. */
export const isOtherMemory = ({ before, document = 0 }: Entry, now: Evidence): boolean =>
  before !== null && (hasGoneBack(before, now) || (now.lastDocument ?? document) < document)

/**
 * Returns whether the sums contradict the documents printed since: another number of Z reports, or a turnover that has
 * not grown by exactly the receipts that were closed on the same day. The device then has another memory. Returns false
 * if a receipt was or is open, or if the journal does not show all documents since.
 */
function hasOtherSums(before: Evidence, now: Evidence, { own, later = [] }: Facts): boolean {
  if (before.open || now.open) return false
  const printed = difference(before.lastDocument, now.lastDocument)
  const since = printed === 0 ? [] : [own, ...later]
  if (since.length !== printed) return false
  const closedDays = difference(before.lastZ, now.lastZ)
  const isEachKnown = since.every((one) => one != null && one.kind !== null && one.kind !== 'other')
  if (isEachKnown && closedDays !== undefined && closedDays !== since.filter((one) => one?.kind === 'z').length)
    return true
  const grown = difference(before.day.turnover, now.day.turnover)
  if (before.lastZ !== now.lastZ || grown === undefined) return false
  const totals = since.map((one) => (one?.kind === 'fiscal' ? one.total : one?.kind == null ? null : 0))
  return totals.every((total) => total !== null) && totals.reduce((sum, total) => sum + total, 0) !== grown
}

const OTHER_SUMS =
  'the sums of the day or the number of Z reports do not match those before this request plus the documents printed since: the memory of the device was exchanged, or amounts were reversed. Check the paper.'

const OTHER_MEMORY =
  'the device reports fewer documents than before this request: its memory was exchanged or reset since. Check the paper.'

const NOT_CARRIED_OUT: Verdict = { is: 'notCarriedOut' }
const CANCELLED: Verdict = { is: 'cancelled' }
const EXECUTED_ONCE: Verdict = { is: 'once' }
const undecided = (why: string): Verdict => ({ is: 'undecided', why })

// ---------------------------------------------------------------- receipts that the operation opens or closes

export function numberOf({ document, before }: Entry): number | undefined {
  if (document !== undefined) return document
  return before === null || before.open !== null || before.lastDocument === null ? undefined : before.lastDocument + 1
}

function receiptVerdict(entry: Entry, now: Evidence, { own, prices }: Facts): Verdict {
  const { before } = entry
  const number = numberOf(entry)
  if (number === undefined) {
    if (before?.open) return NOT_CARRIED_OUT
    return undecided('the number of the last document before this request is unknown.')
  }
  // The opening was not acknowledged, so no later command was sent.
  if (entry.document === undefined) return openingVerdict(entry, number, now)
  const { open, lastDocument } = now
  const isOnlyOne = isHeld(before, now)
  if (open && (open.number ?? lastDocument) === number) {
    if (!fits(open, entry)) return undecided(notOpenedBy(number))
    const isOurs = isOnlyOne || couldBeOf(entry, open, now, prices)
    return isOurs ? { is: 'open', open } : undecided(hasOtherContent(number))
  }
  if (lastDocument !== null && lastDocument < number)
    return undecided(`the device assigned document number ${number}, but now reports ${lastDocument} as its last.`)
  if (own) return byJournal(entry, number, own, isOnlyOne, prices)
  return isNonFiscal(entry) ? { is: 'closed', number, total: null } : bySums(entry, number, now, prices)
}

const notOpenedBy = (number: number): string => `document ${number} was not opened by this request.`

const hasOtherContent = (number: number): string =>
  `document ${number} is open, but its content is not that of this request: another program has changed it, or has opened it on another memory. Check the device and its paper.`

const isEmpty = ({ items, total, paid }: OpenReceipt): boolean => !items && !total && !paid

const fits = ({ kind }: OpenReceipt, entry: Pick<Entry, 'steps'>): boolean =>
  (kind === 'NonFiscal') === isNonFiscal(entry)

/**
 * Returns the verdict about an opening that was not acknowledged. Its acknowledgement may also have been lost with
 * records that were not flushed before a power failure of this computer; only then can the receipt have items.
 * Documents that a person printed before the opening may have raised its number above `next`.
 */
function openingVerdict(entry: Entry, next: number, now: Evidence): Verdict {
  const { open } = now
  const number = open?.number ?? now.lastDocument
  if (!open || !fits(open, entry) || number === null || number < next) return NOT_CARRIED_OUT
  const isHeldThen = entry.before?.hold !== undefined
  if (!isEmpty(open)) return isHeldThen ? NOT_CARRIED_OUT : undecided(perhapsOthers(number, open))
  // If the opening was not executed, a receipt of another program has the same number.
  return isHeld(entry.before, now) ? { is: 'open', open } : undecided(perhapsOthers(number, open))
}

const perhapsOthers = (number: number, open: OpenReceipt): string =>
  `document ${number} is open${isEmpty(open) ? ', and nothing is sold on it' : ''}: this request has opened it, or another program has opened it meanwhile. Check the device and its paper before you cancel or use it.`

/**
 * Returns whether the open receipt can be the operation's. An exchanged or reset memory may have a receipt with the
 * same number, but with another last Z report or last receipt, with more items, or with another sum. Retransmitted rows
 * may have been executed up to three times.
 */
function couldBeOf(entry: Entry, open: OpenReceipt, now: Evidence, prices?: Prices): boolean {
  const { before } = entry
  const isSameMemory = !before || (isEqual(before.lastZ, now.lastZ) && isEqual(before.lastReceipt, now.lastReceipt))
  if (!isSameMemory || !isWholeReceipt(entry) || isNonFiscal(entry)) return isSameMemory
  if (open.items !== null && open.items > salesOf(entry).length * WRITES_MAX) return false
  const { total } = open
  return total === null || sumsOf(entry, prices)?.some((sum) => isWithin(total, sum)) !== false
}

/**
 * Lowest and highest sum. They differ because a percentage is rounded in each tax group, and the tax group of an
 * article is unknown.
 */
type Range = readonly [low: Money, high: Money]

/**
 * Returns the possible sums of the unfinished receipt, with each row and subtotal executed up to three times;
 * `undefined` if a price is unknown. If there are too many combinations, at most one row is counted more than once.
 */
function sumsOf(entry: Entry, prices?: Prices): readonly Range[] | undefined {
  const all = sumsBy(entry, prices, timesOf)
  if (all !== 'too many') return all
  const expectedSums = sumsOnce(entry, prices)
  if (!expectedSums) return undefined
  const rows = salesOf(entry).map((sale) => amountOf(sale, prices) ?? 0)
  return expectedSums.flatMap(([low, high]): Range[] => [
    [low, high],
    ...rows.flatMap((row): Range[] => [
      [low + row, high + row],
      [low + 2 * row, high + 2 * row],
    ]),
  ])
}

const timesOf = (sum: Range, next: (sum: Range) => Range): readonly Range[] => {
  const times = [sum]
  for (let time = 0; time < WRITES_MAX; time++) times.push(next(times.at(-1) ?? sum))
  return times.slice(1)
}

function sumsOnce(entry: Entry, prices?: Prices): readonly Range[] | undefined {
  const sums = sumsBy(entry, prices, (sum, next) => [next(sum)])
  return sums === 'too many' ? undefined : sums
}

function sumsBy(
  { steps }: Entry,
  prices: Prices | undefined,
  step: (sum: Range, next: (sum: Range) => Range) => readonly Range[],
): readonly Range[] | 'too many' | undefined {
  let sums: readonly Range[] = [[0, 0]]
  const found: Range[] = [...sums]
  let rows = 0
  for (const one of steps) {
    const next = changeBy(one, rows, prices)
    if (next === undefined) return undefined
    if (next === 'none') continue
    if (one.does === 'sell') rows++
    const distinct = new Map(sums.flatMap((sum) => step(sum, next)).map((sum) => [sum.join(), sum]))
    if (distinct.size > SUMS_MAX) return 'too many'
    sums = [...distinct.values()]
    found.push(...sums)
  }
  return found
}

function changeBy(step: Step, rows: number, prices?: Prices): ((sum: Range) => Range) | 'none' | undefined {
  if (step.does === 'sell') {
    const amount = amountOf(step.sale, prices)
    return amount === undefined ? undefined : ([low, high]) => [low + amount, high + amount]
  }
  const adjustment = step.does === 'subtotal' ? step.subtotal.adjustment : undefined
  if (!adjustment) return 'none'
  const off = 'percent' in adjustment ? roundingBy(rows) : 0
  return ([low, high]) => [low + adjustmentOf(low, adjustment) - off, high + adjustmentOf(high, adjustment) + off]
}

/** Maximum number of times that the link sends a command. */
const WRITES_MAX = 3
const SUMS_MAX = 1000

const isEqual = (one: number | null, other: number | null): boolean => one === null || other === null || one === other

function dueOf(entry: Entry, prices?: Prices): Range | undefined {
  if (entry.total !== undefined) return [entry.total, entry.total]
  if (isWholeReceipt(entry)) return sumsOnce(entry, prices)?.at(-1)
  const total = entry.before?.open?.total
  return total == null ? undefined : [total, total]
}

const isWithin = (total: Money, [low, high]: Range): boolean => low <= total && total <= high

const comesToAnother = (number: number, total: Money, due: Range): string =>
  `receipt ${number} comes to ${formatMoney(total)}, and this request to ${describeRange(due)}: another program has changed it, or the receipt belongs to another program. Check its paper.`

const describeRange = ([low, high]: Range): string =>
  low === high ? formatMoney(low) : `${formatMoney(low)} to ${formatMoney(high)}`

function byJournal(
  entry: Entry,
  number: number,
  { kind, total }: DocumentFacts,
  isOnlyOne: boolean,
  prices?: Prices,
): Verdict {
  const due = dueOf(entry, prices)
  if (kind === 'fiscal' && !isOnlyOne && total !== null && due && !isWithin(total, due))
    return undecided(comesToAnother(number, total, due))
  // The receipt was fully paid before its close, so it could no longer be cancelled.
  if (kind === 'cancelled' && isClosing(entry) && !endsInCancel(entry) && !isOnlyOne)
    return undecided(notOpenedBy(number))
  if (kind === 'cancelled') return CANCELLED
  if (kind === null)
    return undecided(`the electronic journal does not show what document ${number} is. Check the paper.`)
  if (kind === (isNonFiscal(entry) ? 'nonFiscal' : 'fiscal')) return { is: 'closed', number, total }
  return undecided(notOpenedBy(number))
}

function bySums(entry: Entry, number: number, now: Evidence, prices?: Prices): Verdict {
  const { before } = entry
  const isSameDay = before !== null && before.lastZ === now.lastZ
  const receiptsSince = isSameDay ? difference(before.day.receipts, now.day.receipts) : undefined
  const grown = receiptsSince ?? (isSameDay ? difference(before.day.turnover, now.day.turnover) : undefined)
  if (receiptsSince === 0 || (grown === 0 && !mayBeZero(entry))) return CANCELLED
  if (grown === 0)
    return undecided(`the device does not report whether receipt ${number} of 0.00 was closed. Check its paper.`)
  const due = dueOf(entry, prices)
  const total = receiptsSince === 1 ? difference(before?.day.turnover ?? null, now.day.turnover) : undefined
  if (!isHeld(before, now) && total !== undefined && due && !isWithin(total, due))
    return undecided(comesToAnother(number, total, due))
  if (now.lastReceipt === number) return { is: 'closed', number, total: null }
  if (now.lastReceipt !== null && now.lastReceipt < number) return CANCELLED
  const check = `check the paper of document ${number}.`
  if (!isSameDay) return undecided(`a Z report was printed since; ${check}`)
  if (grown === undefined)
    return undecided(`the device does not report whether document ${number} was closed or cancelled; ${check}`)
  if (now.lastDocument === number) return { is: 'closed', number, total: null }
  return undecided(`other documents were printed after document ${number}; ${check}`)
}

function mayBeZero(entry: Entry): boolean {
  if (!isWholeReceipt(entry)) return !entry.before?.open?.total
  return paymentsBegun(entry) > 0 && !entry.total
}

/** Returns whether the device reports the same before and after the payment of this receipt. */
const isOfNothing = ({ total, paid }: OpenReceipt): boolean => total === 0 && paid === 0

export const isPerhapsPaid = (entry: Entry, open: OpenReceipt): boolean => isOfNothing(open) && paymentsBegun(entry) > 0

const difference = (before: number | null, now: number | null): number | undefined =>
  before === null || now === null ? undefined : now - before

// ---------------------------------------------------------------- documents of one command

/**
 * Returns the verdict about a report, a copy or a cash movement. Its document would be the next one after the last, but
 * another program may have printed in between, or a person may have printed a Z report on the device.
 */
function documentVerdict(step: StepOfKind<'document'>, before: Evidence | null, now: Evidence, facts: Facts): Verdict {
  const { kind } = step
  const { later = [] } = facts
  // A text that cannot be classified proves nothing.
  const own = facts.own?.kind === null ? undefined : facts.own
  if (!before || before.lastDocument === null || now.lastDocument === null)
    return undecided('the device does not report the number of its last document.')
  if (now.lastDocument === before.lastDocument) return NOT_CARRIED_OUT
  const number = before.lastDocument + 1
  const isOnlyOne = isHeld(before, now)
  if (own && !isKind(own.kind, kind) && !(kind === 'z' && own.kind === 'other'))
    return later.some((one) => one === undefined || isKind(one.kind, kind))
      ? undecided(mayBeLater(number, now.lastDocument))
      : NOT_CARRIED_OUT
  if (kind === 'z' && own?.kind !== 'z') return zVerdict(before, now, number)
  const moved = cashMoved(kind, before, now)
  if (moved === 0) return NOT_CARRIED_OUT
  if (moved !== undefined && moved !== step.amount)
    return now.lastDocument === number ? NOT_CARRIED_OUT : undecided(movedOtherwise(moved, step))
  if (own?.kind !== kind && isOfOthersCash(kind, before, now))
    return now.lastDocument === number
      ? NOT_CARRIED_OUT
      : undecided(
          'another program has moved cash since this request started. Check the paper and the cash in the drawer.',
        )
  if (own && later[0] && isKind(later[0].kind, kind)) return undecided(mayBeTwice(number))
  if (own) return ours(number, isOnlyOne)
  const isOthers = before.lastZ !== now.lastZ || now.lastReceipt === number || now.open !== null
  if (now.lastDocument === number) return isOthers ? NOT_CARRIED_OUT : ours(number, isOnlyOne)
  const duplicateText = moved === undefined ? ': it may have executed the command more than once. Check the paper' : ''
  return undecided(
    `documents ${number} to ${now.lastDocument} were printed since, and the device does not report what they are${duplicateText}.`,
  )
}

/**
 * Returns the verdict about a document of the expected kind. If the line was not held, another program may have printed
 * it.
 */
const ours = (number: number, isOnlyOne: boolean): Verdict =>
  isOnlyOne
    ? EXECUTED_ONCE
    : undecided(
        `document ${number} matches the request: this request has printed it, or another program has printed it meanwhile. Check its paper and its time.`,
      )

function movedOtherwise(moved: Money, { amount = 0 }: StepOfKind<'document'>): string {
  const isMultiple = amount !== 0 && moved / amount > 1 && moved % amount === 0
  return `${formatMoney(moved)} in cash was moved since then${isMultiple ? `: ${MORE_OR_OTHERS}` : ', not by this request alone. Check the paper and the cash in the drawer.'}`
}

const MORE_OR_OTHERS = 'the device executed the command more than once, or another program printed. Check the paper.'

/**
 * Returns the reason for a possible second execution. A device that lost power for a moment executes a retransmission
 * again.
 */
const mayBeTwice = (number: number): string =>
  `documents ${number} and ${number + 1} are of the same kind: the device may have executed the command more than once. Check the paper.`

const mayBeLater = (number: number, last: number): string =>
  `document ${number} does not match the request, but one of the documents up to ${last} may. Check their paper.`

/**
 * Returns the cash that was moved in this direction; `undefined` if it is unknown, or if a Z report was printed since.
 */
function cashMoved(kind: DocumentKind, before: Evidence, now: Evidence): Money | undefined {
  if (before.lastZ !== now.lastZ || (kind !== 'cashIn' && kind !== 'cashOut')) return undefined
  return difference(before.day[kind], now.day[kind])
}

const isOfOthersCash = (kind: DocumentKind, before: Evidence, now: Evidence): boolean =>
  (kind === 'x' || kind === 'copy') && Boolean(cashMoved('cashIn', before, now) || cashMoved('cashOut', before, now))

function zVerdict(before: Evidence, now: Evidence, number: number): Verdict {
  const isNext = now.lastDocument === number
  if (before.lastZ === null || now.lastZ === null)
    return isNext
      ? ours(number, isHeld(before, now))
      : undecided('the device does not report the number of its last Z report.')
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

const isKind = (documentKind: DocumentFacts['kind'], kind: DocumentKind): boolean => KINDS[kind].includes(documentKind)

// ---------------------------------------------------------------- one step of a receipt

function stepVerdict(step: Step, before: Evidence | null, now: Evidence, facts: Facts): Verdict {
  const { own, prices } = facts
  if (!before) return undecided('the state of the device before this step is unknown')
  const isOnlyOne = isHeld(before, now)
  switch (step.does) {
    case 'open':
    case 'openNonFiscal':
      return openingStepVerdict(step, before, now, facts)
    case 'cancel':
      if (!before.open || isSameReceipt(before, now)) return NOT_CARRIED_OUT
      return cancelVerdict(before, now, own)
    case 'sell':
    case 'pay':
    case 'subtotal':
    case 'print': {
      const [was, is] = [before.open, now.open]
      if (!was || !is || !isSameReceipt(before, now))
        return isSameNothing(before, now) ? NOT_CARRIED_OUT : UNPROVEN_VERDICT
      const inside = insideReceipt(step, was, is, prices)
      if (isOnlyOne) return inside
      // Another program may have sold, paid or subtracted the same amount, or have reversed the adjustment of the
      // subtotal.
      const isReversible = step.does === 'subtotal' && step.subtotal.adjustment !== undefined
      return inside.is === 'notCarriedOut' && !isReversible ? inside : UNPROVEN_VERDICT
    }
    case 'close':
    case 'closeNonFiscal':
    case 'cancelNonFiscal':
    case 'document':
      return UNPROVEN_VERDICT
  }
}

/**
 * Returns the verdict about a cancel. Without facts from the journal, an unchanged last receipt shows that no receipt
 * was closed since.
 */
function cancelVerdict(before: Evidence, now: Evidence, own: DocumentFacts | undefined): Verdict {
  if (own?.kind === 'fiscal') return undecided('the receipt was closed since by another program')
  const isLastAsBefore = before.lastReceipt !== null && before.lastReceipt === now.lastReceipt
  if (own?.kind === 'cancelled' || isHeld(before, now) || isLastAsBefore) return EXECUTED_ONCE
  return undecided('the device does not report whether the receipt was cancelled, or was closed by another program')
}

const UNPROVEN_VERDICT = undecided('the state of the device does not show whether this step was executed')

const MAY_BE_TWICE = undecided(
  'the device did not respond at first: the requested text may be printed once, twice or not at all',
)

function openingStepVerdict(step: Step, before: Evidence, now: Evidence, facts: Facts): Verdict {
  const { open, lastDocument } = now
  if (before.open) return isSameReceipt(before, now) ? NOT_CARRIED_OUT : UNPROVEN_VERDICT
  const [last, number] = [before.lastDocument, open?.number ?? lastDocument]
  if (open && (last === null || number === last + 1)) {
    return isEmpty(open) && fits(open, { steps: [step] }) && isHeld(before, now) ? EXECUTED_ONCE : UNPROVEN_VERDICT
  }
  if (last === null || lastDocument === null) return !open && last === lastDocument ? NOT_CARRIED_OUT : UNPROVEN_VERDICT
  // If the kinds of all documents since then are known, none of them is a receipt and no receipt is open, the opening
  // was not executed. A receipt that is open is the operation's if it is empty and no other program had the line.
  const since = [facts.own, ...(facts.later ?? [])].slice(0, lastDocument - last - (open ? 1 : 0))
  const isTold = since.length > 0 || lastDocument === last
  if (!isTold || !since.every((one) => one && NO_RECEIPT.has(one.kind))) return UNPROVEN_VERDICT
  if (!open) return NOT_CARRIED_OUT
  return isEmpty(open) && fits(open, { steps: [step] }) && isHeld(before, now) ? EXECUTED_ONCE : UNPROVEN_VERDICT
}

const NO_RECEIPT: ReadonlySet<DocumentFacts['kind']> = new Set(['x', 'z', 'copy', 'cash'])

type ReceiptFacts = Pick<Evidence, 'open' | 'lastDocument'>
const isSameReceipt = (before: ReceiptFacts, now: ReceiptFacts): boolean =>
  before.open !== null &&
  now.open !== null &&
  (before.open.number ?? before.lastDocument) === (now.open.number ?? now.lastDocument)

const isSameNothing = (before: Evidence, now: Evidence): boolean =>
  before.open === null && now.open === null && before.lastDocument === now.lastDocument

function insideReceipt(
  step: StepOfKind<'sell' | 'pay' | 'subtotal' | 'print'>,
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

/**
 * Returns the verdict by the number of rows, and also by the total if the amount of the row is known, because a row of
 * another program usually has another amount.
 */
function timesSold(sale: Sale, before: OpenReceipt, now: OpenReceipt, prices?: Prices): Verdict {
  if (before.items === null || now.items === null) return UNPROVEN_VERDICT
  const count = Math.abs(now.items - before.items)
  const sold = difference(before.total, now.total)
  const amount = amountOf(sale, prices)
  if (amount === undefined || sold === undefined) return byCount(count)
  return sold === count * amount ? byCount(count) : UNPROVEN_VERDICT
}

function timesSubtotal({ adjustment, print }: Subtotal, before: OpenReceipt, now: OpenReceipt): Verdict {
  if (!adjustment) return print ? MAY_BE_TWICE : NOT_CARRIED_OUT
  if (before.total === null || now.total === null)
    return before.kind === 'NonFiscal' ? NOT_CARRIED_OUT : UNPROVEN_VERDICT
  const off = 'percent' in adjustment ? roundingOf(before) : 0
  return timesAdjusted(adjustment, before.total, now.total, off)
}

const TAX_GROUPS = 8

/**
 * Returns the largest rounding difference of a percentage: half a hundredth per tax group, rounded down. A receipt has
 * at most as many tax groups as rows. If the number of rows is not reported, it may have all groups.
 */
const roundingOf = ({ items }: OpenReceipt): Money => roundingBy(items || TAX_GROUPS)
const roundingBy = (rows: number): Money => Math.floor(Math.min(rows, TAX_GROUPS) / 2)

const TIMES_MAX = 3

/**
 * Returns the verdict by the only number of adjustments that leads to the present total; unproven if several numbers
 * do. A percentage applies to the total after the earlier adjustment. `off`: largest rounding difference of one
 * adjustment.
 */
function timesAdjusted(adjustment: Adjustment, before: Money, now: Money, off: Money): Verdict {
  const next = (sum: Money): Money => sum + adjustmentOf(sum, adjustment)
  const fitting: number[] = []
  let [low, high] = [before, before]
  for (let count = 0; count <= TIMES_MAX; count++) {
    if (low <= now && now <= high) fitting.push(count)
    ;[low, high] = [next(low) - off, next(high) + off]
  }
  const [count, ...otherCounts] = fitting
  return count !== undefined && otherCounts.length === 0 ? byCount(count) : UNPROVEN_VERDICT
}

function timesPaid(amount: Money | undefined, before: OpenReceipt, now: OpenReceipt): Verdict {
  if (before.paid === null || now.paid === null || before.remaining === null) return UNPROVEN_VERDICT
  const taken = now.paid - before.paid
  const expectedAmount = amount ?? before.remaining
  // Checked first, because a receipt without a remaining amount needs nothing of the payment either. A fiscal receipt
  // with a total of zero may nevertheless be paid.
  if (taken === 0) return isOfNothing(before) && before.kind !== 'NonFiscal' ? UNPROVEN_VERDICT : NOT_CARRIED_OUT
  // Some devices report the tendered amount, others the amount without change.
  if (taken === expectedAmount || taken === Math.min(expectedAmount, before.remaining)) return EXECUTED_ONCE
  return taken === 2 * expectedAmount || now.remaining === 0 ? { is: 'twice' } : UNPROVEN_VERDICT
}

const byCount = (count: number): Verdict =>
  count === 0 ? NOT_CARRIED_OUT : count === 1 ? EXECUTED_ONCE : count === 2 ? { is: 'twice' } : UNPROVEN_VERDICT
