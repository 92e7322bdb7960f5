/**
 * Whose work is it? Pure functions over what a request has written down (progress.ts) and what the device says now. A
 * receipt is taken for the request's own only where its number, its kind and what stands on it prove it; where they do
 * not decide, the answer is `unproven`, and nothing is done to the device.
 */
import { adjustmentOf, rowAmount } from '../../drivers/model/amounts.ts'
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import {
  type DeviceNumbers,
  type DocumentFacts,
  type Evidence,
  isSame,
  type OpenReceipt,
} from '../../drivers/model/printer.ts'
import type { Adjustment } from '../../drivers/model/receipt.ts'
import type { DocumentKind, ProgressRecord, SaleStep, SoldRow, Step } from './progress.ts'

/** Where nobody has written down which device it was, it was this one. */
export const isSameDevice = (before: DeviceNumbers | null, now: DeviceNumbers): boolean =>
  before === null || isSame(before, now)

/** Nobody else could speak on the line in between: what has changed on the device, this request has changed. */
export const isHeld = (before: Evidence | null, now: Evidence): boolean =>
  before?.hold !== undefined && before.hold === now.hold

/** What became of the receipt of a request. */
export type Fate =
  | { readonly is: 'open'; readonly open: OpenReceipt }
  | { readonly is: 'closed'; readonly number: number; readonly total: Money | null }
  | { readonly is: 'cancelled' }
  /** It was never opened. */
  | { readonly is: 'none' }
  | { readonly is: 'unproven'; readonly why: string }

const NONE: Fate = { is: 'none' }
const CANCELLED: Fate = { is: 'cancelled' }
const unproven = (why: string): Fate => ({ is: 'unproven', why })

/** The number that the receipt of this request has, or would have if its opening was carried out. */
export function numberOf({ document, before }: ProgressRecord): number | undefined {
  if (document !== undefined) return document
  return before === null || before.open !== null || before.lastDocument === null ? undefined : before.lastDocument + 1
}

const isEmpty = ({ items, total, paid }: OpenReceipt): boolean => !items && !total && !paid

const fits = ({ kind }: OpenReceipt, { undertaking }: ProgressRecord): boolean =>
  (kind === 'NonFiscal') === (undertaking === 'nonFiscalReceipt' || undertaking === 'closeNonFiscal')

/** `told`: what the journal of the device says of the document with this number. */
export function fateOf(record: ProgressRecord, now: Evidence, told: DocumentFacts | undefined): Fate {
  const number = numberOf(record)
  if (number === undefined) return withoutNumber(record)
  // An opening that was not acknowledged may have been carried out; nothing behind it was ever sent.
  if (record.document === undefined) return fateUnheard(record, number, now)
  const { open, lastDocument } = now
  const isOnlyOne = isHeld(record.before, now)
  if (open && (open.number ?? lastDocument) === number) {
    const isOurs = fits(open, record) && (isOnlyOne || couldBeOfRequest(record, open, now))
    return isOurs ? { is: 'open', open } : unproven(`document ${number} is not what this request has opened.`)
  }
  if (lastDocument !== null && lastDocument < number)
    return unproven(`the device gave out document number ${number}, and says now that ${lastDocument} was its last.`)
  if (!isOnlyOne && isOlder(now, record.before))
    return unproven(
      `the device tells of fewer Z reports than before this request; look at the paper of document ${number}.`,
    )
  if (told) return fateTold(record, number, told, isOnlyOne)
  return record.undertaking === 'nonFiscalReceipt' || record.undertaking === 'closeNonFiscal'
    ? { is: 'closed', number, total: null }
    : fateBySums(record, number, now)
}

/**
 * Nothing behind its opening was ever sent, so that its receipt is empty, unless this computer has lost its power since: the
 * answer to the opening is written down, but not flushed to the disk. Documents may have been printed by hand between what
 * was written down and the opening, so that its number may be a later one than `next`.
 */
function fateUnheard(record: ProgressRecord, next: number, now: Evidence): Fate {
  const { open } = now
  const number = open?.number ?? now.lastDocument
  if (!open || !fits(open, record) || number === null || number < next) return NONE
  if (!isEmpty(open)) return record.before?.hold === undefined ? unproven(perhapsOthers(number, open)) : NONE
  // Another program gives its own receipt the same number, where the opening of this request was not carried out.
  return isHeld(record.before, now) ? { is: 'open', open } : unproven(perhapsOthers(number, open))
}

const perhapsOthers = (number: number, open: OpenReceipt): string =>
  `document ${number} stands open${isEmpty(open) ? ', and nothing is sold on it' : ''}: this request has opened it, or another program has opened it since the connection was lost. Look at the device and its paper before it is cancelled or used.`

function withoutNumber({ before }: ProgressRecord): Fate {
  if (before?.open) return NONE
  return unproven('the device did not tell the number of its last document before this request.')
}

/**
 * A memory that was exchanged in the device, or begun anew, may have a receipt of the same number. While one stands open no
 * Z report is printed and no other receipt is closed; and it has no more on it than was asked for, but for rows that were
 * written again, each of them up to three times.
 */
function couldBeOfRequest(record: ProgressRecord, open: OpenReceipt, now: Evidence): boolean {
  const { before, rows, isAdjusted } = record
  const isSameMemory = !before || (isEqual(before.lastZ, now.lastZ) && isEqual(before.lastReceipt, now.lastReceipt))
  if (!isSameMemory || !rows) return isSameMemory
  if (open.items !== null && open.items > rows.length * WRITES_MAX) return false
  const amounts = rows.map(amountOf)
  if (isAdjusted || open.total === null || !amounts.every((amount) => amount !== undefined)) return true
  let sums = new Set([0])
  for (const amount of amounts) {
    if (sums.has(open.total)) return true
    // So many that nobody can say which of them it is.
    if (sums.size > SUMS_MAX) return true
    sums = new Set([...sums].flatMap((sum) => [sum + amount, sum + 2 * amount, sum + WRITES_MAX * amount]))
  }
  return sums.has(open.total)
}

/** So often the link writes a command. */
const WRITES_MAX = 3
const SUMS_MAX = 1000

const isEqual = (one: number | null, other: number | null): boolean => one === null || other === null || one === other

const isOlder = (now: Evidence, before: Evidence | null): boolean =>
  before !== null && before.lastZ !== null && now.lastZ !== null && now.lastZ < before.lastZ

/** Undefined: only the device knows its price. */
function amountOf({ price, quantity, adjustment, void: takesBack }: SoldRow): Money | undefined {
  if (price === undefined) return undefined
  const base = rowAmount(price, quantity)
  const amount = base + adjustmentOf(base, adjustment)
  return takesBack ? -amount : amount
}

/** What the request was to come to, as far as that is known. */
function dueOf({ settlement, rows, isAdjusted }: ProgressRecord): Money | null {
  if (settlement?.total != null) return settlement.total
  const amounts = rows?.map(amountOf)
  if (isAdjusted || !amounts?.every((amount) => amount !== undefined)) return null
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

function fateTold(record: ProgressRecord, number: number, { kind, total }: DocumentFacts, isOnlyOne: boolean): Fate {
  const { undertaking } = record
  const due = dueOf(record)
  if (kind === 'fiscal' && !isOnlyOne && total !== null && due !== null && total !== due)
    return unproven(
      `receipt ${number} comes to ${formatMoney(total)}, and this request to ${formatMoney(due)}: another program has changed it, or it is another one's. Look at its paper.`,
    )
  if (kind === 'cancelled') return CANCELLED
  if (kind === null)
    return unproven(`the journal of the device does not tell what document ${number} is; look at its paper.`)
  const isNonFiscal = undertaking === 'nonFiscalReceipt' || undertaking === 'closeNonFiscal'
  if (kind === (isNonFiscal ? 'nonFiscal' : 'fiscal')) return { is: 'closed', number, total }
  return unproven(`document ${number} is not what this request has opened.`)
}

/** Where the journal cannot be asked for a document: the last receipt, and the sums of the day. */
function fateBySums(record: ProgressRecord, number: number, now: Evidence): Fate {
  const { before } = record
  const isSameDay = before !== null && before.lastZ === now.lastZ
  const more = isSameDay ? difference(before.day.receipts, now.day.receipts) : undefined
  const grown = more ?? (isSameDay ? difference(before.day.turnover, now.day.turnover) : undefined)
  if (more === 0 || (grown === 0 && !mayBeZero(record))) return CANCELLED
  if (grown === 0)
    return unproven(`the device does not tell whether receipt ${number} of 0.00 was closed; look at its paper.`)
  if (now.lastReceipt === number) return { is: 'closed', number, total: null }
  if (now.lastReceipt !== null && now.lastReceipt < number) return CANCELLED
  const look = `look at the paper of document ${number}.`
  if (!isSameDay) return unproven(`a Z report was printed since; ${look}`)
  if (grown === undefined) return unproven(`the device does not tell what became of document ${number}; ${look}`)
  if (now.lastDocument === number) return { is: 'closed', number, total: null }
  return unproven(`other documents were printed after document ${number}; ${look}`)
}

/** Closed, it would let no turnover grow. */
function mayBeZero(record: ProgressRecord): boolean {
  const { undertaking, settlement, before } = record
  if (undertaking === 'closeFiscal') return !before?.open?.total
  return isPaymentBegun(record) && !settlement?.total
}

/** Some of its payments may have been taken by the device. */
const isPaymentBegun = ({ settlement }: ProgressRecord): boolean => (settlement?.begun ?? 0) > 0

/** A receipt that comes to nothing looks the same before its payment and behind it. */
const isOfNothing = ({ total, paid }: OpenReceipt): boolean => total === 0 && paid === 0

export const isPerhapsPaid = (record: ProgressRecord, open: OpenReceipt): boolean =>
  isOfNothing(open) && isPaymentBegun(record)

const difference = (before: number | null, now: number | null): number | undefined =>
  before === null || now === null ? undefined : now - before

// ---------------------------------------------------------------- documents of one command

export type Made =
  | { readonly is: 'made'; readonly number: number | null }
  | { readonly is: 'notMade' }
  | { readonly is: 'unproven'; readonly why: string }

const NOT_MADE: Made = { is: 'notMade' }

/**
 * Has the device made the report, copy or movement of cash of this request? It would be the document after the last.
 * A Z report by hand, or another program's document, may stand in between. `facts`, `later`: what the device's journal says of
 * that document and of those behind it; undefined: it does not tell.
 */
export function madeOf(
  record: ProgressRecord,
  now: Evidence,
  facts: DocumentFacts | undefined,
  later: readonly (DocumentFacts | undefined)[] = [],
): Made {
  const { before, kind } = record
  // A text that nobody here reads says as little as no text.
  const told = facts?.kind === null ? undefined : facts
  if (!before || before.lastDocument === null || now.lastDocument === null)
    return { is: 'unproven', why: 'the device does not tell the number of its last document.' }
  if (now.lastDocument === before.lastDocument) return NOT_MADE
  const number = before.lastDocument + 1
  if (told && !isKind(told.kind, kind) && !(kind === 'z' && told.kind === 'other'))
    return later.some((one) => one === undefined || isKind(one.kind, kind))
      ? { is: 'unproven', why: mayBeLater(number, now.lastDocument) }
      : NOT_MADE
  if (kind === 'z' && told?.kind !== 'z') return madeZ(before, now, number)
  const moved = cashMoved(record, before, now)
  if (moved === 0) return NOT_MADE
  if (moved !== undefined && moved !== record.amount && now.lastDocument === number) return NOT_MADE
  if (moved !== undefined && moved !== record.amount) return { is: 'unproven', why: movedOtherwise(moved, record) }
  if (told?.kind !== kind && isOfOthersCash(record, before, now))
    return now.lastDocument === number ? NOT_MADE : { is: 'unproven', why: 'another program has moved cash since.' }
  if (told && later[0] && isKind(later[0].kind, kind)) return { is: 'unproven', why: mayBeTwice(number) }
  if (told) return ours(number, isHeld(before, now))
  const others = before.lastZ !== now.lastZ || now.lastReceipt === number || now.open !== null
  if (now.lastDocument === number) return others ? NOT_MADE : ours(number, isHeld(before, now))
  return {
    is: 'unproven',
    why: `documents ${number} to ${now.lastDocument} were printed since, and the device does not tell what they are${
      moved === undefined ? ': it may have carried out the command more than once. Look at the paper' : ''
    }.`,
  }
}

/** A document of the very kind, which another program may have made while nobody of this one was on the line. */
const ours = (number: number, isOnlyOne: boolean): Made =>
  isOnlyOne
    ? { is: 'made', number }
    : {
        is: 'unproven',
        why: `document ${number} is what was asked for: this request has printed it, or another program has printed it since the connection was lost. Look at its paper, and at its time.`,
      }

function movedOtherwise(moved: Money, { amount = 0 }: ProgressRecord): string {
  const isMultiple = amount !== 0 && moved / amount > 1 && moved % amount === 0
  return `cash of ${formatMoney(moved)} was moved since${isMultiple ? `: ${MORE_OR_OTHERS}` : ', not of this request alone.'}`
}

const MORE_OR_OTHERS =
  'the device may have carried out the command more than once, or another program has printed. Look at the paper.'

/** A device that is cut off for a moment does once more what the link writes again (repeats.ts); nothing tells whether it did. */
const mayBeTwice = (number: number): string =>
  `documents ${number} and ${number + 1} are of the same kind: the device may have carried out the command more than once. Look at the paper.`

const mayBeLater = (number: number, last: number): string =>
  `document ${number} is not what was asked for, and one of the documents up to ${last} may be it. Look at their paper.`

/** On the same day, of the same kind; undefined: that cannot be told. */
function cashMoved({ kind }: ProgressRecord, before: Evidence, now: Evidence): Money | undefined {
  if (before.lastZ !== now.lastZ) return undefined
  if (kind === 'cashIn') return difference(before.day.cashIn, now.day.cashIn)
  return kind === 'cashOut' ? difference(before.day.cashOut, now.day.cashOut) : undefined
}

/** It may be what the document was that followed. */
const isOfOthersCash = ({ kind }: ProgressRecord, before: Evidence, now: Evidence): boolean =>
  (kind === 'x' || kind === 'copy') &&
  before.lastZ === now.lastZ &&
  (Boolean(difference(before.day.cashIn, now.day.cashIn)) || Boolean(difference(before.day.cashOut, now.day.cashOut)))

function madeZ(before: Evidence, now: Evidence, number: number): Made {
  if (before.lastZ === null || now.lastZ === null)
    return now.lastDocument === number
      ? ours(number, isHeld(before, now))
      : { is: 'unproven', why: 'the device does not tell the number of its last Z report.' }
  if (now.lastZ === before.lastZ) return NOT_MADE
  if (now.lastZ === before.lastZ + 1 && now.lastDocument === number) return ours(number, isHeld(before, now))
  return {
    is: 'unproven',
    why:
      now.lastZ > before.lastZ + 1
        ? `the last Z report is number ${now.lastZ} now, and it was ${before.lastZ} before: ${MORE_OR_OTHERS}`
        : `the last Z report is number ${now.lastZ} now; it was ${before.lastZ} before, and other documents were printed since.`,
  }
}

function isKind(told: DocumentFacts['kind'], kind: DocumentKind | undefined): boolean {
  switch (kind) {
    case 'x':
    case 'copy':
      return told === kind || told === 'other'
    case 'cashIn':
    case 'cashOut':
      return told === 'cash' || told === 'other' || told === 'nonFiscal'
    case 'z':
    case undefined:
      return told === 'z'
  }
}

// ---------------------------------------------------------------- steps

/** How often a step was carried out between two states of the device. */
export type Times = 'not' | 'once' | 'twice' | 'unproven'

export function timesOf(step: Step, before: Evidence, now: Evidence): Times {
  switch (step.does) {
    case 'open':
    case 'openNonFiscal':
      return timesOpened(step.does, before, now)
    case 'cancel':
      if (!before.open) return 'not'
      return isSameReceipt(before, now) ? 'not' : 'once'
    case 'ask':
      return 'not'
    case 'sale':
    case 'payment':
    case 'subtotal':
    case 'print':
      if (!before.open || !now.open || !isSameReceipt(before, now)) return sameNothing(before, now) ? 'not' : 'unproven'
      return heldTimes(timesInside(step, before.open, now.open), isHeld(before, now))
  }
}

/** Another program may have sold, paid or taken off the same. */
const heldTimes = (times: Times, isOnlyOne: boolean): Times => (times === 'not' || isOnlyOne ? times : 'unproven')

function timesOpened(does: 'open' | 'openNonFiscal', before: Evidence, now: Evidence): Times {
  const { open, lastDocument } = now
  if (before.open) return open && isSameReceipt(before, { open, lastDocument }) ? 'not' : 'unproven'
  if (!open) return lastDocument === before.lastDocument ? 'not' : 'unproven'
  const isNext = before.lastDocument === null || (open.number ?? lastDocument) === before.lastDocument + 1
  const isOurs = isNext && isEmpty(open) && (open.kind === 'NonFiscal') === (does === 'openNonFiscal')
  return isOurs && isHeld(before, now) ? 'once' : 'unproven'
}

type Standing = Pick<Evidence, 'open' | 'lastDocument'>
const isSameReceipt = (before: Standing, now: Standing): boolean =>
  before.open !== null &&
  now.open !== null &&
  (before.open.number ?? before.lastDocument) === (now.open.number ?? now.lastDocument)

const sameNothing = (before: Evidence, now: Evidence): boolean =>
  before.open === null && now.open === null && before.lastDocument === now.lastDocument

function timesInside(
  step: Extract<Step, { does: 'sale' | 'payment' | 'subtotal' | 'print' }>,
  before: OpenReceipt,
  now: OpenReceipt,
): Times {
  switch (step.does) {
    case 'print':
      return 'unproven'
    case 'sale':
      return timesSold(step, before, now)
    case 'payment':
      return timesPaid(step.payment.amount, before, now)
    case 'subtotal': {
      const { adjustment } = step.subtotal
      if (!adjustment) return 'not'
      // A non-fiscal receipt has no sum that an adjustment could change.
      if (before.total === null || now.total === null) return before.kind === 'NonFiscal' ? 'not' : 'unproven'
      const off = 'percent' in adjustment ? roundingOf(before) : 0
      return timesAdjusted(adjustment, before.total, now.total, off)
    }
  }
}

/** By the count of rows; and where it is known what the row comes to, by the sum too, which another program's has not. */
function timesSold({ row }: SaleStep, before: OpenReceipt, now: OpenReceipt): Times {
  if (before.items === null || now.items === null) return 'unproven'
  const count = Math.abs(now.items - before.items)
  const sold = difference(before.total, now.total)
  if (row?.price === undefined || sold === undefined) return byCount(count)
  return sold === count * (amountOf(row) ?? 0) ? byCount(count) : 'unproven'
}

const TAX_GROUPS = 8

/**
 * A percentage is taken of each tax group, and rounded there: by half a hundredth at most, so that one group comes to what
 * is taken of the sum. Each group has a row at least; a receipt whose rows are not told may have all groups.
 */
const roundingOf = ({ items }: OpenReceipt): Money => Math.floor(Math.min(items || TAX_GROUPS, TAX_GROUPS) / 2)

/** More often than that nobody looks. */
const TIMES_MAX = 3

/**
 * Another percentage is one of what the last has left. `off`: how far each may be from its share of the whole sum. What the
 * receipt comes to now proves a count that no other one comes to.
 */
function timesAdjusted(adjustment: Adjustment, before: Money, now: Money, off: Money): Times {
  const next = (sum: Money): Money => sum + adjustmentOf(sum, adjustment)
  const fitting: number[] = []
  let [low, high] = [before, before]
  for (let count = 0; count <= TIMES_MAX; count++) {
    if (low <= now && now <= high) fitting.push(count)
    ;[low, high] = [next(low) - off, next(high) + off]
  }
  const [count, ...others] = fitting
  return count !== undefined && others.length === 0 ? byCount(count) : 'unproven'
}

function timesPaid(amount: Money | undefined, before: OpenReceipt, now: OpenReceipt): Times {
  if (before.paid === null || now.paid === null || before.remaining === null) return 'unproven'
  const taken = now.paid - before.paid
  const once = amount ?? before.remaining
  // Before all else: where nothing was left to pay, nothing is also what the receipt would take of the payment. A fiscal one
  // that comes to nothing may be paid all the same.
  if (taken === 0) return isOfNothing(before) && before.kind !== 'NonFiscal' ? 'unproven' : 'not'
  // Some wires tell what was handed over, others what of it the receipt took.
  if (taken === once || taken === Math.min(once, before.remaining)) return 'once'
  return taken === 2 * once || now.remaining === 0 ? 'twice' : 'unproven'
}

const byCount = (count: number): Times =>
  count === 0 ? 'not' : count === 1 ? 'once' : count === 2 ? 'twice' : 'unproven'

// ---------------------------------------------------------------- words

/** A state of the device, for a person who compares it with the paper. */
export function inWords({ open, lastDocument }: Evidence): string {
  if (!open) return `nothing open, last document ${lastDocument ?? 'unknown'}`
  const { kind, number, items, total, paid } = open
  const parts = [
    `${kind === 'NonFiscal' ? 'non-fiscal receipt' : 'receipt'} ${number ?? lastDocument ?? ''}`.trim(),
    items === null || kind === 'NonFiscal' ? undefined : `${items} ${items === 1 ? 'row' : 'rows'}`,
    total === null || kind === 'NonFiscal' ? undefined : `total ${formatMoney(total)}`,
    paid === null || kind === 'NonFiscal' ? undefined : `paid ${formatMoney(paid)}`,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}
