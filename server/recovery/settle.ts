/**
 * What became of a request whose answer was lost, found by asking the device (decisions 3, "Outcome unknown"), and what
 * is done about it: a receipt that is proven to be the request's own (proof.ts) is cancelled, or paid as asked and closed
 * once a payment makes cancelling impossible; it is never forgotten. What is not proven is left as it stands.
 */
import { DeviceError } from '../../drivers/model/errors.ts'
import type { Money } from '../../drivers/model/money.ts'
import type {
  DocumentFacts,
  Evidence,
  EvidenceOptions,
  FiscalPrinter,
  OpenReceipt,
} from '../../drivers/model/printer.ts'
import type { OnDevice } from '../endpoint.ts'
import { elementsStand, isVoid } from './doubtful.ts'
import { isLacking, isRefusal } from './failed-call.ts'
import { heldSince } from './held.ts'
import { type Found, isPaidByOther, payRest } from './paying.ts'
import type { Announce, ProgressRecord, Settlement, SoldRow, Step } from './progress.ts'
import {
  type Fate,
  fateOf,
  inWords,
  isHeld,
  isPerhapsPaid,
  isSameDevice,
  madeOf,
  numberOf,
  type Times,
  timesOf,
} from './proof.ts'
import type { Effect } from './sentences.ts'

export type Settled =
  /** The fiscal receipt exists. */
  | { readonly became: 'closed'; readonly receiptNumber: string; readonly as: ClosedAs }
  /** A receipt had been begun and is now cancelled. */
  | { readonly became: 'cancelled' }
  /** The device carried it out; of its answer this is what the device can still tell. */
  | { readonly became: 'done'; readonly data: SettledData }
  /** The device carried out nothing of it. */
  | { readonly became: 'nothing' }
  /** What the device says does not decide it, and will not later. `why`: what is known, and where a person can look. */
  | { readonly became: 'unproven'; readonly why: string }
  /** Another device stands at the line than the one on which it began. */
  | { readonly became: 'elsewhere'; readonly why: string }

/**
 * `inCash`: the rest was. `byOther`: another program ended it, or paid on it. `twice`: a line of text stands so; `inDoubt`:
 * it, or a barcode, may.
 */
export type ClosedAs = 'asked' | 'inCash' | 'byOther' | 'twice' | 'inDoubt'

/** How a receipt is told that is not as it was asked for. */
export const COMPLETED: Readonly<Record<Exclude<ClosedAs, 'asked'>, Effect>> = {
  inCash: 'completedInCash',
  byOther: 'completedByOther',
  twice: 'completedTwice',
  inDoubt: 'completedInDoubt',
}
export type SettledData = string | { readonly ReceiptNumber: string; readonly Raw: string }

const NOTHING: Settled = { became: 'nothing' }
const CANCELLED: Settled = { became: 'cancelled' }

/** What is written down before the first command; null of a device that cannot tell it. One that refuses to is told nothing. */
export async function evidenceBefore(printer: FiscalPrinter, options: EvidenceOptions = {}): Promise<Evidence | null> {
  try {
    return await printer.evidence(options)
  } catch (error) {
    if (isLacking(error)) return null
    throw error
  }
}

/** The same before a whole receipt. `isRemembered`: the device was not asked, as the operation before has left it so. */
export async function evidenceBeforeReceipt({
  printer,
  progress,
}: OnDevice): Promise<Pick<ProgressRecord, 'before' | 'isRemembered'>> {
  const { last } = progress
  if (last && !needsSums(printer) && !printer.brokenSince(last)) return { before: last, isRemembered: true }
  return { before: await evidenceBefore(printer, { thorough: needsSums(printer) }) }
}

/** Where the journal tells what a document is, the sums of the day need not be asked before each receipt. */
export const needsSums = (printer: FiscalPrinter): boolean => printer.documentOf === undefined

/** Rejects with DeviceError while the device cannot be asked. */
export async function settle(printer: FiscalPrinter, record: ProgressRecord, announce: Announce): Promise<Settled> {
  const { stage, undertaking, before } = record
  if (stage === 'before') return NOTHING
  if (stage === 'done') return alreadyDone(record)
  const now = await printer.evidence({ thorough: undertaking === 'document' || needsSums(printer) })
  const held = heldSince(printer, () => now)
  if (!isSameDevice(before, now) && !record.isRemembered) return elsewhere(record, now)
  if (!isSameDevice(before, now)) {
    // What stands open on the one that is there now may be what this request has opened.
    const last = now.open?.number ?? now.lastDocument
    if (now.open && last !== null) announce(stage, { before: { ...now, open: null, lastDocument: last - 1 } })
    return unproven(onEither(record, now))
  }
  switch (undertaking) {
    case 'fiscalReceipt':
      return settleFiscal(held, record, now, announce)
    case 'nonFiscalReceipt':
      return settleNonFiscal(held, record, now, announce)
    case 'closeFiscal':
    case 'closeNonFiscal':
      return settleClose(printer, record, now)
    case 'document':
      return settleDocument(printer, record, now)
    case 'step':
      return settleStep(printer, record, now)
  }
}

const done = (data: SettledData = ''): Settled => ({ became: 'done', data })
const unproven = (why: string): Settled => ({ became: 'unproven', why })
const closed = (number: number | string, as: ClosedAs): Settled => ({
  became: 'closed',
  receiptNumber: String(number),
  as,
})

/** The device has not to be asked for it. */
export const alreadyDone = ({ receiptNumber, as }: ProgressRecord): Settled =>
  receiptNumber === undefined ? done() : closed(receiptNumber, as ?? 'asked')

function elsewhere({ before }: ProgressRecord, now: Evidence): Settled {
  const was = before?.serialNumber ?? ''
  const why =
    `it began on the device with the serial number ${was}, and ${now.serialNumber} is connected now. ` +
    `Look at the paper of ${was}, or connect it again.`
  return { became: 'elsewhere', why }
}

/** The one may have been exchanged for the other before the request, and behind a port that stayed open. */
const onEither = ({ before }: ProgressRecord, now: Evidence): string =>
  `the device with the serial number ${before?.serialNumber} answered before this request, and ${now.serialNumber} is connected now: the request reached one of them. Look at the papers of both.`

/** What the device's journal says, where it can be asked and the document can be there. */
function factsOf(
  printer: FiscalPrinter,
  number: number | undefined,
  { lastDocument, open }: Evidence,
): Promise<DocumentFacts | undefined> {
  const isThere = number !== undefined && (lastDocument === null || lastDocument >= number)
  const isOpen = open !== null && (open.number ?? lastDocument) === number
  if (!isThere || isOpen || !printer.documentOf) return Promise.resolve(undefined)
  return printer.documentOf(number)
}

async function fateNow(printer: FiscalPrinter, record: ProgressRecord, now: Evidence): Promise<Fate> {
  const facts = await factsOf(printer, numberOf(record), now)
  return fateOf(await priced(printer, record, now), now, facts)
}

/** With the prices that the device has for its articles: only where somebody else may have had the line, sums are compared. */
async function priced(printer: FiscalPrinter, record: ProgressRecord, now: Evidence): Promise<ProgressRecord> {
  const { rows } = record
  if (!rows || isHeld(record.before, now)) return record
  const prices = new Map<number, Money | undefined>()
  for (const { plu, price } of rows)
    if (plu !== undefined && price === undefined && !prices.has(plu)) prices.set(plu, await priceOf(printer, plu))
  const withPrice = (row: SoldRow): SoldRow => {
    const price = row.price ?? (row.plu === undefined ? undefined : prices.get(row.plu))
    return price === undefined ? row : { ...row, price }
  }
  return { ...record, rows: rows.map(withPrice) }
}

/** Undefined: the device does not tell it. */
const priceOf = (printer: FiscalPrinter, plu: number): Promise<Money | undefined> =>
  printer.article?.(plu).then(
    (article) => article?.price,
    (error: unknown) => {
      if (error instanceof DeviceError) return undefined
      throw error
    },
  ) ?? Promise.resolve(undefined)

// ---------------------------------------------------------------- fiscal receipts

/** What it comes to by its number and its sums, and then by what leaves no sum. */
async function settleFiscal(
  printer: FiscalPrinter,
  record: ProgressRecord,
  now: Evidence,
  announce: Announce,
): Promise<Settled> {
  if (record.cancels && record.stage === 'closing') return settleCancel(printer, record, now)
  let present = record
  const settled = await settleSums(printer, record, now, (stage, more = {}) => {
    present = { ...present, ...more, stage }
    announce(stage, more)
  })
  if (settled.became !== 'closed' || settled.as !== 'asked') return settled
  return closed(settled.receiptNumber, await elementsStand(printer, present, Number(settled.receiptNumber)))
}

/** It is filled, and its own end is the cancel, which was sent. */
async function settleCancel(printer: FiscalPrinter, record: ProgressRecord, now: Evidence): Promise<Settled> {
  const fate = await fateNow(printer, record, now)
  if (fate.is === 'closed') return closed(fate.number, 'byOther')
  if (fate.is === 'open') await printer.cancelFiscal()
  return fate.is === 'open' || fate.is === 'cancelled' ? done() : ended(record, fate)
}

async function settleSums(
  printer: FiscalPrinter,
  record: ProgressRecord,
  now: Evidence,
  announce: Announce,
): Promise<Settled> {
  const fate = await fateNow(printer, record, now)
  if (fate.is !== 'open') return ended(record, fate)
  const { paid } = fate.open
  // Its caller was told that nothing was sold, and may have sold it anew since.
  if (paid !== null && paid > 0 && record.isGivenUp) return unproven(`another program has paid on ${fate.open.number}`)
  if (paid !== null && paid > 0) return complete({ printer, of: now }, record, fate.open, announce)
  announce('cancelling', isPerhapsPaid(record, fate.open) ? { perhapsPaid: true } : {})
  try {
    await printer.cancelFiscal()
    return CANCELLED
  } catch (error) {
    if (!isRefusal(error)) throw error
    // A device that was without power for a moment refuses the repeat of what it has done.
    const after = await printer.evidence({ thorough: needsSums(printer), of: now })
    const since = await fateNow(printer, record, after)
    if (since.is !== 'open') return ended({ ...record, stage: 'cancelling' }, since)
    // What the wire does not tell, its refusal does: something is paid.
    if (since.open.paid === 0 && !isPerhapsPaid(record, since.open)) throw error
    return complete({ printer, of: now }, record, since.open, announce)
  }
}

function ended(record: ProgressRecord, fate: Exclude<Fate, { is: 'open' }>): Settled {
  switch (fate.is) {
    case 'none':
      return NOTHING
    case 'cancelled':
      return CANCELLED
    case 'unproven':
      return unproven(fate.why)
    case 'closed':
      return closed(fate.number, howClosed(record, fate.total))
  }
}

/** The close itself was sent only once everything was sold and paid. */
function howClosed({ stage, settlement }: ProgressRecord, total: Money | null): ClosedAs {
  const isOurs = total === null || settlement?.total == null || settlement.total === total
  if (!isOurs || stage !== 'closing' || settlement?.byOther) return 'byOther'
  return settlement?.inCash ? 'inCash' : 'asked'
}

/** Pays what is left as it was asked for, in cash where that cannot be, and closes. */
async function complete(at: Found, record: ProgressRecord, open: OpenReceipt, announce: Announce): Promise<Settled> {
  const isBegun = record.stage === 'paying' || record.stage === 'closing'
  const settlement = record.settlement ?? { total: null, payments: [], begun: isBegun ? 1 : 0 }
  // Written down before anything is paid: afterwards the device tells one sum of both.
  const undertaken: Settlement = isPaidByOther(settlement, open) ? { ...settlement, byOther: true } : settlement
  const doubtful = [...(record.doubtful ?? [])]
  const paid = await payRest(at, undertaken, open, announce, (text) => {
    doubtful.push(text)
    announce('paying', { doubtful: [...doubtful] })
  })
  announce('closing', { settlement: paid })
  const { receiptNumber } = await at.printer.closeFiscal()
  if (paid.byOther) return closed(receiptNumber, 'byOther')
  return closed(receiptNumber, paid.inCash ? 'inCash' : 'asked')
}

// ---------------------------------------------------------------- other documents

async function settleNonFiscal(
  printer: FiscalPrinter,
  record: ProgressRecord,
  now: Evidence,
  announce: Announce,
): Promise<Settled> {
  const fate = await fateNow(printer, record, now)
  switch (fate.is) {
    case 'open': {
      const isItsEnd = record.cancels && record.stage === 'closing'
      if (!isItsEnd) announce('cancelling')
      await printer.cancelNonFiscal()
      return isItsEnd ? done() : CANCELLED
    }
    case 'closed':
      if (record.stage === 'cancelling') return CANCELLED
      if (record.stage === 'closing' && record.cancels) return done()
      if (record.stage === 'closing' && !(await isVoid(printer, fate.number, record.settlement?.texts))) {
        const as = await elementsStand(printer, record, fate.number)
        return as === 'asked' ? done() : closed(fate.number, as)
      }
      return unproven(`another program has ended non-fiscal receipt ${fate.number}; look at its paper.`)
    case 'none':
    case 'cancelled':
    case 'unproven':
      return ended(record, fate)
  }
}

/** The receipt that stood open when its close was sent. */
async function settleClose(printer: FiscalPrinter, record: ProgressRecord, now: Evidence): Promise<Settled> {
  const fate = await fateNow(printer, record, now)
  if (fate.is === 'open') return NOTHING
  return fate.is === 'closed' && record.undertaking === 'closeNonFiscal'
    ? done()
    : ended({ ...record, stage: 'closing' }, fate)
}

/** So many documents behind the one that is looked for are asked for. */
const LATER_MAX = 8

async function settleDocument(printer: FiscalPrinter, record: ProgressRecord, now: Evidence): Promise<Settled> {
  const last = record.before?.lastDocument
  const factsAfter = (count: number) => factsOf(printer, typeof last === 'number' ? last + count : undefined, now)
  const facts = await factsAfter(1)
  const later: (DocumentFacts | undefined)[] = []
  const more = facts && typeof last === 'number' ? (now.lastDocument ?? last) - last - 1 : 0
  for (let count = 0; count < Math.min(more, LATER_MAX); count++) later.push(await factsAfter(count + 2))
  if (more > LATER_MAX) later.push(undefined)
  const made = madeOf(record, now, facts, later)
  switch (made.is) {
    case 'made':
      return done(await readBack(printer, record, now))
    case 'notMade':
      return NOTHING
    case 'unproven':
      return unproven(made.why)
  }
}

/** Where the wire tells no number, or tells another one's by now, the answer is empty: nothing is invented. */
async function readBack(printer: FiscalPrinter, { kind, before }: ProgressRecord, now: Evidence): Promise<SettledData> {
  if (kind === 'z') {
    const isLast = before?.lastZ == null || now.lastZ === before.lastZ + 1
    return (isLast && (await printer.lastReportZ?.())) || ''
  }
  if (kind === 'copy') {
    const isSame = before?.lastReceipt == null || now.lastReceipt === before.lastReceipt
    return { ReceiptNumber: (isSame && (await printer.lastReceipt?.())) || '', Raw: '' }
  }
  return ''
}

/** The same as `timesOf`; for a row of an article, with the device's own price. */
export async function timesCarriedOut(
  printer: FiscalPrinter,
  step: Step,
  before: Evidence,
  now: Evidence,
): Promise<Times> {
  const times = timesOf(step, before, now)
  const isCounted = times === 'once' || times === 'twice'
  if (step.does !== 'sale' || !isCounted || step.row?.plu === undefined || step.row.price !== undefined) return times
  const price = await priceOf(printer, step.row.plu)
  return price === undefined ? times : timesOf({ ...step, row: { ...step.row, price } }, before, now)
}

async function settleStep(printer: FiscalPrinter, { step, before }: ProgressRecord, now: Evidence): Promise<Settled> {
  if (!step || !before) return unproven('the device did not tell its state before this step.')
  switch (await timesCarriedOut(printer, step, before, now)) {
    case 'not':
      return NOTHING
    case 'once': {
      const facts = step.does === 'cancel' ? await factsOf(printer, before.open?.number ?? undefined, now) : undefined
      return facts?.kind === 'fiscal' ? unproven('the receipt was closed since by another program.') : done()
    }
    case 'twice':
    case 'unproven':
      return unproven(`${statesOf(before, now)}`)
  }
}

/** Both states of a step, for a person who compares them with the paper. */
export const statesOf = (before: Evidence | null, now: Evidence): string =>
  `before it: ${before ? inWords(before) : 'not told'}; now: ${inWords(now)}. Compare the paper before you go on.`

/** What a receipt stands at that could not be brought to its end. */
export type Standing =
  /** Something is paid: it will be ended, and nothing else. `paid`: where it is not all. */
  | ({ readonly stands: 'paid'; readonly receiptNumber: string } & Pick<ProgressRecord, 'paid'>)
  /** Nothing is paid: it will be cancelled. */
  | { readonly stands: 'unpaid' }

/** Asked after `settle` has failed on a device that answers; undefined: that cannot be told. */
export async function standing(printer: FiscalPrinter, record: ProgressRecord): Promise<Standing | undefined> {
  try {
    const now = await printer.evidence({ thorough: needsSums(printer) })
    if (!isSameDevice(record.before, now)) return undefined
    const fate = await fateNow(printer, record, now)
    if (fate.is !== 'open') return undefined
    const { number, paid, total, remaining } = fate.open
    if (isPerhapsPaid(record, fate.open)) return undefined
    if (record.undertaking === 'nonFiscalReceipt' || paid === 0) return { stands: 'unpaid' }
    if (paid === null || number === null) return undefined
    const isAll = remaining === 0 || total === null
    return { stands: 'paid', receiptNumber: String(number), ...(isAll ? {} : { paid: { paid, total } }) }
  } catch (error) {
    if (error instanceof DeviceError) return undefined
    throw error
  }
}
