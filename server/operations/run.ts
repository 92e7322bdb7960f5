/**
 * Executes operations. In the service, only this module sends commands and queries evidence. After a failure, the
 * service determines the outcome (verdict.ts): in the same request (`run`), before the next request, or after a restart
 * (`reconcile`). A receipt that is certainly the operation's own is cancelled, or completed if an amount is paid. Every
 * other receipt remains unchanged.
 */
import { DeviceError, type DeviceProblem } from '../../drivers/model/errors.ts'
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import {
  type DocumentFacts,
  type Evidence,
  type EvidenceOptions,
  type FiscalPrinter,
  type OpenReceipt,
  type PrintResult,
  UNREPORTED_DAY,
} from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import type { DocumentKind, Sale, Step, StepOfKind } from '../../drivers/model/steps.ts'
import { describeEvidence, describeStates, isHeld, isSameDevice, numberOpen } from './evidence.ts'
import {
  effectOfUnclosedReceipt,
  executedTwice,
  isCertain,
  isLacking,
  isPortLost,
  isRefusal,
  isSilence,
  isUnsendable,
  outcomeUnknownAfter,
  perhapsExecutedTwice,
  RETRANSMITTED_REASON,
  stateUnknownBefore,
  wasRepeated,
  withBlockingReceipt,
  withPossibleVoid,
} from './failures.ts'
import { isVoided, readElements, unconfirmedBy } from './journal-lines.ts'
import {
  type Answer,
  EMPTY,
  type Entry,
  endsInCancel,
  hasVoids,
  isClosing,
  isMilestone,
  isNonFiscal,
  isOpening,
  isPaying,
  isQuestion,
  isStepOfReceipt,
  isWholeReceipt,
  lastToUndo,
  type Operation,
  opensReceipt,
  type Prices,
  paymentsBegun,
  paymentsOf,
  salesOf,
  textsOf,
  type UnconfirmedElement,
} from './operation.ts'
import { leavesOf, outcomeOf, refusal, ServiceError, textReason, withEffect } from './outcome.ts'
import {
  CASH,
  isAllInCash,
  isPaid,
  isPaidByOther,
  paymentsTaken,
  placeBefore,
  placeOfPayment,
  shortfall,
} from './payments.ts'
import {
  alreadyDone,
  answerIn,
  CANCELLED,
  COMPLETED_EFFECTS,
  closed,
  executedOutcome,
  NOTHING,
  notOpen,
  outcomeOnEitherDevice,
  outcomeOnOtherDevice,
  type Reconciliation,
  undecidedOutcome,
} from './reconciliation.ts'
import type { Position, UnderWay } from './under-way.ts'
import { type Facts, isOtherMemory, isPerhapsPaid, numberOf, type Verdict, verdict } from './verdict.ts'

export interface RunContext {
  readonly printer: FiscalPrinter
  readonly progress: UnderWay
  /** Returns, once, the reconciled close of which no caller has been informed. */
  readonly takeUnreportedClose?: () => UnreportedClose | undefined
}

/** A close that was answered `Outcome unknown:` to a caller without a key. */
export interface UnreportedClose {
  readonly receiptNumber: string
  readonly serialNumber: string | undefined
}

export async function run(operation: Operation, on: RunContext): Promise<Answer> {
  if (isWholeReceipt(operation)) return runReceipt(operation, on)
  return runAlone(operation.steps[0] as Step, on).catch((error: unknown) => {
    throw withPossibleVoid(error, on.progress.entry)
  })
}

// ---------------------------------------------------------------- one command

interface Sent extends PrintResult {
  readonly text?: string
  readonly document?: number | null
  readonly receiptNumber?: string
  readonly raw?: string
}

const SEND: { readonly [Does in Step['does']]: (printer: FiscalPrinter, step: StepOfKind<Does>) => Promise<Sent> } = {
  open(printer, { opening }) {
    if (!opening) throw new Error('a receipt is opened once')
    return printer.openFiscal(opening)
  },
  openNonFiscal: (printer, { operator }) =>
    printer.openNonFiscal(printer.capabilities.nonFiscalNeedsOperator ? operator : undefined),
  sell: (printer, { sale }) => ('plu' in sale ? printer.sellArticle(sale) : printer.sell(sale)),
  subtotal: (printer, { subtotal }) => printer.subtotal(subtotal),
  print(printer, { element, on }) {
    switch (element.is) {
      case 'text':
        return on === 'fiscal' ? printer.printFiscalText(element.line) : printer.printNonFiscalText(element.line)
      case 'barcode':
        return printer.printBarcode(element.barcode)
      case 'separatingLine':
        return printer.printSeparatingLine(element.style)
    }
  },
  pay: (printer, { payment }) => printer.pay(payment),
  close: (printer, { customer }) => printer.closeFiscal(customer),
  closeNonFiscal: (printer) => printer.closeNonFiscal(),
  cancel: (printer) => printer.cancelFiscal(),
  cancelNonFiscal: (printer) => printer.cancelNonFiscal(),
  document(printer, { kind, amount = 0, operator }) {
    switch (kind) {
      case 'x':
        return printer.reportX()
      case 'z':
        return printer.reportZ()
      case 'copy':
        return printer.copyLastReceipt()
      case 'cashIn':
      case 'cashOut':
        if (!printer.moveCash || !operator) throw new Error('this device moves no cash')
        return printer.moveCash(kind === 'cashIn' ? amount : -amount, operator)
    }
  },
}

const lostSince = (printer: FiscalPrinter, evidence: Evidence | null): DeviceProblem | undefined =>
  evidence?.hold === undefined ? undefined : printer.brokenSince(evidence)

/** Throws DeviceError if the hold on the line since `evidence` was lost. */
function assertHeld(printer: FiscalPrinter, evidence: Evidence | null): void {
  const problem = lostSince(printer, evidence)
  if (problem) throw new DeviceError(problem)
}

/**
 * Sends a step. Rejects without sending if the hold on the line since `evidence` was lost, because another program may
 * have changed the receipt.
 */
async function send(printer: FiscalPrinter, step: Step, evidence: Evidence | null): Promise<Sent> {
  assertHeld(printer, evidence)
  return (SEND[step.does] as (printer: FiscalPrinter, step: Step) => Promise<Sent>)(printer, step)
}

const answerOf = ({ text = '', receiptNumber, raw }: Sent): Answer => ({
  text,
  ...(receiptNumber !== undefined && { receiptNumber }),
  ...(raw !== undefined && { raw }),
})

/**
 * Records retransmissions. A device answers a retransmitted command from its memory, but executes it again if it lost
 * power in between.
 */
class Repeats {
  any = false

  async observe(sent: Promise<Sent>, onRepeat?: () => void): Promise<Sent> {
    try {
      const answer = await sent
      this.any ||= answer.retransmitted
      if (answer.retransmitted) onRepeat?.()
      return answer
    } catch (error) {
      this.any ||= wasRepeated(error)
      throw error
    }
  }
}

// ---------------------------------------------------------------- evidence

async function orElse<T, Other>(
  query: () => Promise<T>,
  isExpected: (error: unknown) => boolean,
  otherwise: Other,
): Promise<T | Other> {
  try {
    return await query()
  } catch (error) {
    if (isExpected(error)) return otherwise
    throw error
  }
}

const isOfDevice = (error: unknown): boolean => error instanceof DeviceError

/** Resolves to null if the device does not support the query. */
const evidenceBefore = (printer: FiscalPrinter, options: EvidenceOptions = {}): Promise<Evidence | null> =>
  orElse(() => printer.evidence(options), isLacking, null)

/** Resolves to the evidence after the earlier operation, if it is still valid; otherwise queries the device. */
async function evidenceBeforeReceipt({
  printer,
  progress,
}: RunContext): Promise<Pick<Entry, 'before' | 'isRemembered'>> {
  const { last } = progress
  if (last && !needsSums(printer) && !printer.brokenSince(last)) return { before: last, isRemembered: true }
  return { before: await evidenceBefore(printer, { thorough: needsSums(printer) }) }
}

/**
 * Returns whether the evidence must contain the sums of the day, because the device has no query for the kind of a
 * document.
 */
const needsSums = (printer: FiscalPrinter): boolean => printer.documentOf === undefined

const evidenceNow = (printer: FiscalPrinter, entry: Entry, knownEvidence?: Evidence): Promise<Evidence> => {
  const thorough = entry.steps[0]?.does === 'document' || (needsSums(printer) && !isStepOfReceipt(entry))
  return printer.evidence({ thorough, ...(knownEvidence && { of: knownEvidence }) })
}

const LATER_MAX = 8

/** Rejects if the hold on the line was lost since `now`, because other facts may then be of another device. */
async function verdictNow(printer: FiscalPrinter, entry: Entry, now: Evidence): Promise<Verdict> {
  const found = await verdictByFacts(printer, entry, now)
  assertHeld(printer, now)
  return found
}

async function verdictByFacts(printer: FiscalPrinter, entry: Entry, now: Evidence): Promise<Verdict> {
  if (isOtherMemory(entry, now)) return verdict(entry, now, {})
  const [step] = entry.steps
  const { before } = entry
  if (step?.does === 'document') return verdict(entry, now, await factsSince(printer, before, now))
  if (step && isStepOfReceipt(entry)) {
    const first = verdict(entry, now, {})
    if (opensReceipt(step) && first.is === 'undecided' && !before?.open)
      return verdict(entry, now, await factsSince(printer, before, now))
    if (first.is === 'notCarriedOut') return first
    if (step.does === 'cancel')
      return verdict(entry, now, { own: await factsOf(printer, before?.open?.number ?? undefined, now) })
    const isSold = step.does === 'sell' && (first.is === 'once' || first.is === 'twice')
    return isSold ? verdict(entry, now, { prices: await pricesOf(printer, [step.sale]) }) : first
  }
  const own = await factsOf(printer, numberOf(entry), now)
  // Sums are compared only if another program may have used the line.
  const prices = isHeld(before, now) ? new Map() : await pricesOf(printer, salesOf(entry))
  return verdict(entry, now, { own, prices })
}

/** Resolves to the facts about the documents that were printed after the last document before the operation. */
async function factsSince(printer: FiscalPrinter, before: Evidence | null, now: Evidence): Promise<Facts> {
  const last = before?.lastDocument
  if (typeof last !== 'number') return {}
  const own = await factsOf(printer, last + 1, now)
  const later: (DocumentFacts | undefined)[] = []
  const skippedDocuments = own ? (now.lastDocument ?? last) - last - 1 : 0
  for (let count = 0; count < Math.min(skippedDocuments, LATER_MAX); count++)
    later.push(await factsOf(printer, last + 2 + count, now))
  if (skippedDocuments > LATER_MAX) later.push(undefined)
  return { own, later }
}

/**
 * Resolves to the facts about a document in the electronic journal; `undefined` if the document does not exist yet, is
 * open, or cannot be queried.
 */
async function factsOf(
  printer: FiscalPrinter,
  number: number | undefined,
  { lastDocument, open }: Evidence,
): Promise<DocumentFacts | undefined> {
  const isThere = number !== undefined && (lastDocument === null || lastDocument >= number)
  const isOpen = open !== null && (open.number ?? lastDocument) === number
  if (!isThere || isOpen) return undefined
  return readJournal(printer, () => printer.documentOf?.(number))
}

/** The first failure may be a failure of the line. */
const JOURNAL_ATTEMPTS = 2

/**
 * Resolves to `undefined` if the device answers everything except this query. Neither this operation nor later requests
 * may wait for it.
 */
async function readJournal<T>(
  printer: FiscalPrinter,
  query: () => Promise<T | undefined> | undefined,
): Promise<T | undefined> {
  for (let attempts = 0; attempts < JOURNAL_ATTEMPTS; attempts++)
    try {
      return await query()
    } catch (error) {
      if (!(error instanceof DeviceError) || isRefusal(error) || isPortLost(error)) throw error
      await printer.lastDocument()
    }
  return undefined
}

async function pricesOf(printer: FiscalPrinter, sales: readonly Sale[]): Promise<Prices> {
  const prices = new Map<number, Money | undefined>()
  for (const sale of sales)
    if ('plu' in sale && sale.price === undefined && !prices.has(sale.plu))
      prices.set(sale.plu, await priceOf(printer, sale.plu))
  return prices
}

const priceOf = (printer: FiscalPrinter, plu: number): Promise<Money | undefined> =>
  orElse(async () => (await printer.article?.(plu))?.price, isOfDevice, undefined)

/** `since`: evidence of the device that has printed the receipt. */
async function elementsPrinted(
  printer: FiscalPrinter,
  { unconfirmed = [] }: Entry,
  number: number,
  since: Evidence | null,
): Promise<'asked' | 'twice' | 'unconfirmed'> {
  if (unconfirmed.length === 0) return 'asked'
  if (number < 1 || !printer.linesOf) return 'unconfirmed'
  const read = async () => {
    const lines = await printer.linesOf?.(number)
    assertHeld(printer, since)
    return readElements(lines, unconfirmed)
  }
  return orElse(read, isOfDevice, 'unconfirmed')
}

/** Resolves to `undefined` if the device does not report the lines of the receipt. */
async function isVoidedReceipt(
  { printer, position: { entry }, now }: Repair,
  number: number,
): Promise<boolean | undefined> {
  const { voidLine } = printer
  if (voidLine === undefined || number < 1) return false
  const lines = await orElse(() => readJournal(printer, () => printer.linesOf?.(number)), isRefusal, undefined)
  assertHeld(printer, now)
  return lines && isVoided(lines, voidLine, textsOf(entry))
}

const journalSilent = (number: number): Reconciliation =>
  undecidedOutcome(`the electronic journal does not show whether receipt ${number} was cancelled. Check its paper.`)

// ---------------------------------------------------------------- one step alone

async function runAlone(step: Step, on: RunContext): Promise<Answer> {
  const { printer, progress } = on
  const before = await evidenceBefore(printer, { thorough: isThorough(step, printer) })
  const startedEntry: Entry = { steps: [step], at: 0, before }
  const isOfReceipt = isStepOfReceipt(startedEntry)
  let entry = startedEntry
  if (step.does !== 'document' && !isOfReceipt) {
    // Checked before the close is sent. A receipt that was not open must not be taken for one that was just closed.
    if (step.does === 'close' && !before?.open) {
      const unreported = unreportedClose(before, on)
      if (unreported) return unreported
    }
    const document = before ? numberOpen(before, isNonFiscal(startedEntry)) : undefined
    if (document === undefined) return printed(step, await send(printer, step, before), on)
    entry = { ...startedEntry, document }
  }
  const isAfterReceipt = progress.isDone
  progress.begin(entry)
  let sent: Sent | undefined
  let failure: unknown
  try {
    sent = await send(printer, step, before)
  } catch (error) {
    failure = error
  }
  const isRepeated = sent?.retransmitted ?? wasRepeated(failure)
  const mayBeTwice = isRepeated && step.does === 'document'
  if (!sent) {
    // The receipt of this request is already closed. Only a duplicate document remains to be detected.
    if (isAfterReceipt && mayBeTwice) await checkDocuments(printer, before)
    if (isAfterReceipt || isKnown(failure, isOfReceipt)) throw failure
  }
  const sentValues = !isRepeated || !isOfReceipt || isQuestion(step) ? sent : undefined
  if (sentValues?.document != null) progress.noteOpened(sentValues.document)
  const answer = printed(step, sentValues ?? (await settledAlone(on, entry, sent, failure)), on)
  if (mayBeTwice) await checkDocuments(printer, before)
  return answer
}

const isThorough = (step: Step, printer: FiscalPrinter): boolean =>
  step.does === 'document' || (step.does === 'close' && needsSums(printer))

function isKnown(error: unknown, isOfReceipt: boolean): boolean {
  if (!isOfReceipt) return isCertain(error)
  return !(error instanceof DeviceError && (error.retransmitted || error.problem.kind === 'outcomeUnknown'))
}

function printed(step: Step, answer: Sent | Answer, { progress }: RunContext): Answer {
  if (step.does === 'document' || step.does === 'closeNonFiscal' || step.does === 'cancelNonFiscal') progress.printed()
  return 'retransmitted' in answer ? answerOf(answer) : answer
}

/** Returns the answer to a retried close, if the earlier close succeeded and nothing has been printed since. */
function unreportedClose(before: Evidence | null, { takeUnreportedClose }: RunContext): Answer | undefined {
  const unreportedReceipt = takeUnreportedClose?.()
  const isStillLast =
    unreportedReceipt !== undefined &&
    String(before?.lastDocument) === unreportedReceipt.receiptNumber &&
    before?.serialNumber === unreportedReceipt.serialNumber
  return isStillLast ? { text: '', receiptNumber: unreportedReceipt.receiptNumber } : undefined
}

async function settledAlone(
  { printer, progress }: RunContext,
  entry: Entry,
  sent: Sent | undefined,
  failure: unknown,
): Promise<Answer> {
  let settled: Reconciliation
  let now: Evidence
  try {
    now = await evidenceNow(printer, entry)
    settled = await settledBy({ printer, position: { entry, ...NO_POSITION }, now })
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    if (sent) throw outcomeUnknownAfter(error, true)
    throw isCertain(failure) ? failure : outcomeUnknownAfter(failure)
  }
  const openNumber = now.open?.number ?? now.lastDocument
  if (settled.became === 'done' && entry.steps.some(opensReceipt) && openNumber !== null)
    progress.noteOpened(openNumber)
  if (sent && (settled.became === 'done' || settled.became === 'nothing')) return answerOf(sent)
  if (settled.became === 'maybeOnOtherDevice' && isStepOfReceipt(entry))
    settled = undecidedOutcome(`a different device is connected now; ${describeStates(entry.before, now)}`)
  return answerIn(settled, failure, entry)
}

const NO_POSITION: Omit<Position, 'entry'> = { reach() {}, takeBack() {}, note() {} }

/** Throws ServiceError if a retransmitted command may have printed more than one document. */
async function checkDocuments(printer: FiscalPrinter, before: Evidence | null): Promise<void> {
  const last = await printer.lastDocument().catch((error: unknown) => {
    throw outcomeUnknownAfter(error, true)
  })
  const earlier = before?.lastDocument ?? null
  if (earlier === null)
    throw new ServiceError({ status: 424, effect: 'unknownCommand', reasons: [RETRANSMITTED_REASON] })
  if (last > earlier + 1)
    throw executedTwice(`documents ${earlier + 1} to ${last} were printed instead of one.`, 'printed')
}

// ---------------------------------------------------------------- a complete receipt

async function runReceipt(operation: Operation, on: RunContext): Promise<Answer> {
  const { printer, progress } = on
  const isCancelled = endsInCancel(operation)
  const isFiscal = !isNonFiscal(operation)
  const repeats = new Repeats()
  const forward: Forward = { ...on, operation, repeats }
  progress.begin({ ...(await evidenceBeforeReceipt(on)), steps: operation.steps })
  let answer: Answer
  try {
    answer = answerOf(await goForward(forward))
  } catch (error) {
    await askAgain(error, on)
    const rescued = await rescue(error, on, repeats.any)
    progress.closed(rescued.receiptNumber)
    return rescued
  }
  const { entry } = progress
  if (isCancelled) {
    progress.closed()
    return isFiscal ? EMPTY : answer
  }
  if (isFiscal) checkNumber(answer.receiptNumber ?? '', entry)
  const number = isFiscal ? Number(answer.receiptNumber) : (entry.document ?? 0)
  const as = await elementsPrinted(printer, entry, number, entry.before)
  progress.closed(answer.receiptNumber, isFiscal ? as : 'asked')
  if (as === 'asked') return answer
  throw new ServiceError({ status: 424, effect: COMPLETED_EFFECTS[as], receiptNumber: String(number), reasons: [] })
}

function checkNumber(closed: string, { document }: Entry): void {
  if (document === undefined || closed === String(document)) return
  const what =
    `this request opened document ${document}, but the device closed ${closed}: ` +
    `another program closed ${document} and opened ${closed} in between. Compare both papers.`
  throw new ServiceError({ status: 424, effect: 'undecided', reasons: [textReason(what)] })
}

interface Forward extends RunContext {
  readonly operation: Operation
  readonly repeats: Repeats
}

async function goForward(on: Forward): Promise<Sent> {
  const { operation, progress, repeats } = on
  let sent: Sent = { retransmitted: false }
  for (const [place, step] of operation.steps.entries()) {
    if (place === lastToUndo(operation) && !isNonFiscal(operation)) await checkTotal(place, on)
    else if (place > 1 && isMilestone(operation, place)) progress.reach(place)
    sent = await inPart(step, carryOut(step, on))
    if (place === 0) await opened(sent.document ?? null, on)
    // Otherwise, a payment that was executed twice would reduce the next payment.
    if (step.does === 'pay' && repeats.any) await checkPaid(place, on)
  }
  return sent
}

/** Adds the path in the body of the request to a device's error about one step. */
const inPart = <T>({ path }: Step, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw path !== undefined && error instanceof DeviceError && PARTIAL_PROBLEM_KINDS.has(error.problem.kind)
      ? new DeviceError(error.problem, error.retransmitted, path)
      : error
  })

const PARTIAL_PROBLEM_KINDS: ReadonlySet<string> = new Set(['refused', 'badValue', 'unsupported'])

/**
 * Executes a step of a whole receipt in a way that reveals a second execution: now, later by the count of all rows
 * (`checkTotal`), or later in the electronic journal.
 */
function carryOut(step: Step, on: Forward): Promise<Sent> {
  const { printer, progress, operation, repeats } = on
  const act = () => send(printer, step, progress.entry.before)
  const isAdjusting = step.does === 'subtotal' && step.subtotal.adjustment !== undefined
  // The count of all rows proves nothing here, because some devices subtract voided rows from it and others add them.
  if (isAdjusting || (step.does === 'sell' && hasVoids(operation))) return carryOutOnce(step, act, on)
  const unconfirmed = unconfirmedBy(step, operation)
  return repeats.observe(act(), unconfirmed && (() => progress.noteRetransmission(unconfirmed)))
}

/**
 * Executes a step that the count of all rows does not prove. Rejects if the device may have executed it twice. Nothing
 * is paid yet, so the receipt can be cancelled.
 */
async function carryOutOnce(
  step: Step,
  act: () => Promise<Sent>,
  { printer, progress, repeats }: Forward,
): Promise<Sent> {
  const before = await evidenceBefore(printer, { of: progress.entry.before })
  let sent: Sent | undefined
  let refused: DeviceError | undefined
  try {
    sent = await repeats.observe(act())
    if (!sent.retransmitted) return sent
  } catch (error) {
    // The retransmission was refused, but the first transmission may have been executed.
    if (!isRefusal(error) || !error.retransmitted) throw error
    refused = error
  }
  const now = await printer.evidence({ of: progress.entry.before })
  const found = before === null ? undefined : verdict({ steps: [step], at: 0, before }, now, {})
  if (found?.is === 'once') return sent ?? { retransmitted: true }
  if (refused) throw refused
  const failureOf = found?.is === 'twice' ? executedTwice : perhapsExecutedTwice
  throw failureOf(
    `state before: ${before ? describeEvidence(before) : 'unknown'}; state after: ${describeEvidence(now)}.`,
  )
}

/**
 * Records the number of the opened document, as reported by the device or implied by the evidence. Rejects if that
 * number is not the next one and the hold on the line was lost, because another device may have reported it.
 */
async function opened(givenNumber: number | null, { printer, progress }: RunContext): Promise<void> {
  const { before, isRemembered } = progress.entry
  const lastDocument = before?.lastDocument ?? null
  const isNext = lastDocument === null || givenNumber === lastDocument + 1
  const broken = givenNumber === null || isNext ? undefined : lostSince(printer, before)
  const knownNumber = broken ? null : givenNumber
  // If the device reports no number, remembered evidence implies none, because devices may have been exchanged since.
  // Evidence that was queried for this request is from the device that acknowledged the opening.
  const isOutdated = knownNumber === null ? isRemembered === true : !isNext
  const document = knownNumber ?? (isOutdated ? undefined : numberOf(progress.entry))
  progress.reach(1, {
    ...(document !== undefined && { document }),
    // If the query below fails, the record must not contain an outdated counter.
    ...(before &&
      isOutdated && {
        before: { ...before, ...UNKNOWN_COUNTERS, lastDocument: knownNumber === null ? lastDocument : knownNumber - 1 },
      }),
  })
  // The evidence is outdated: another document was printed since, or another device is connected.
  if (before === null || lastDocument === null || before.open || !isOutdated) return
  if (broken) throw new DeviceError(broken)
  const { open, lastDocument: last, ...now } = await printer.evidence()
  assertHeld(printer, before)
  const number = knownNumber ?? open?.number ?? last
  if (number === null) return
  progress.note({ ...withEvidence({ ...now, open: null, lastDocument: number - 1 }), document: number })
}

const UNKNOWN_COUNTERS = { lastReceipt: null, lastZ: null, day: UNREPORTED_DAY } as const

/**
 * Queries the evidence again after a refused opening. Another receipt may be open, which remembered evidence does not
 * show.
 */
async function askAgain(error: unknown, { printer, progress }: RunContext): Promise<void> {
  if (!progress.entry.isRemembered || !isOpening(progress.entry) || !isCertain(error)) return
  progress.note(withEvidence(await evidenceBefore(printer)))
}

const withEvidence = (before: Evidence | null) => ({ before, isRemembered: undefined })

/**
 * Compares the device's count of rows and its total with the request, as long as the receipt can be cancelled. Throws
 * ServiceError if they differ.
 */
async function checkTotal(place: number, { printer, progress, operation, repeats }: Forward): Promise<void> {
  const { expectedTotal } = operation
  const payments = paymentsOf(operation)
  const isAsked = !endsInCancel(operation) && (!isAllInCash(payments) || expectedTotal !== undefined)
  const { open } = isAsked || repeats.any ? await printer.evidence({ of: progress.entry.before }) : { open: null }
  const items = open?.items ?? null
  const sold = salesOf(operation).length
  if (repeats.any && !hasVoids(operation) && items !== null && items > sold)
    throw executedTwice(`the receipt has ${items} items instead of ${sold}.`)
  const total = open?.total ?? null
  if (total !== null && isAsked) checkAmounts(total, payments, expectedTotal)
  progress.reach(place, total === null ? {} : { total })
}

function checkAmounts(device: Money, payments: readonly Payment[], expectedTotal: Operation['expectedTotal']): void {
  if (expectedTotal !== undefined && Math.abs(device - expectedTotal.amount) > expectedTotal.tolerance) {
    const reason = { kind: 'totalDiffers', device, expected: expectedTotal.amount } as const
    throw new ServiceError({ status: 400, effect: 'nothing', reasons: [reason] })
  }
  const problem = isAllInCash(payments) ? undefined : shortfall(payments, device)
  if (problem) throw refusal(400, problem.text, problem.path)
}

/**
 * Throws ServiceError if the paid amount exceeds the payments so far. A payment without an amount pays everything that
 * remains, so after one the amount cannot be too high.
 */
async function checkPaid(place: number, { printer, progress, operation }: Forward): Promise<void> {
  const payments = paymentsOf({ steps: operation.steps.slice(0, place + 1) })
  if (payments.some(({ amount }) => amount === undefined)) return
  const sum = payments.reduce((total, { amount = 0 }) => total + amount, 0)
  const { open } = await printer.evidence({ of: progress.entry.before })
  const paid = open?.paid ?? null
  if (paid !== null && paid > sum) throw executedTwice(`${formatMoney(paid)} was paid instead of ${formatMoney(sum)}.`)
}

// ---------------------------------------------------------------- outcome

/**
 * Determines the outcome of an operation, and completes or cancels its receipt. Rejects with DeviceError if the device
 * does not answer or refuses.
 */
export async function reconcile(printer: FiscalPrinter, position: Position): Promise<Reconciliation> {
  const { entry } = position
  if (entry.is === 'done') return alreadyDone(entry)
  return settledBy({ printer, position, now: await evidenceNow(printer, entry) })
}

interface Repair {
  readonly printer: FiscalPrinter
  readonly position: Position
  readonly now: Evidence
}

async function settledBy(repair: Repair): Promise<Reconciliation> {
  const { printer, position, now } = repair
  const { entry } = position
  const { before } = entry
  if (!isSameDevice(before, now)) {
    const last = now.open?.number ?? now.lastDocument
    const { document } = entry
    // The connected device has no document with a number as high as that of this receipt.
    const isElsewhere = document !== undefined && last !== null && last < document
    // The devices were exchanged between the evidence and the opening. Either the number is not the next one of the
    // first device, or the connected device has a receipt with that number open, with items.
    const isSwapped =
      document !== undefined &&
      ((document === now.open?.number && now.open.items !== 0) ||
        document - 1 !== (before?.lastDocument ?? document - 1))
    if (isElsewhere || !(entry.isRemembered || isSwapped)) return outcomeOnOtherDevice(entry, now)
    noteOpen(repair)
    return outcomeOnEitherDevice(entry, now)
  }
  const found = await verdictNow(printer, entry, now)
  if (!isWholeReceipt(entry)) return settledStep(repair, found)
  if (found.is === 'undecided' && entry.document === undefined) noteOpen(repair)
  return isNonFiscal(entry) ? settledNonFiscal(repair, found) : settledFiscal(repair, found)
}

/** Records the open receipt, regardless of its number, as one that this request may have opened. */
function noteOpen({ position, now }: Repair): void {
  const last = now.open?.number ?? now.lastDocument
  if (now.open && last !== null) position.note(withEvidence({ ...now, open: null, lastDocument: last - 1 }))
}

async function settledStep(repair: Repair, found: Verdict): Promise<Reconciliation> {
  const { entry } = repair.position
  const step = entry.steps[0] as Step
  switch (found.is) {
    case 'notCarriedOut':
    case 'open':
      return NOTHING
    case 'cancelled':
      return CANCELLED
    case 'closed':
      return isNonFiscal(entry) ? closedNonFiscal(repair, found.number) : closedFiscal(repair, found.number)
    case 'once':
      return executedOutcome(step.does === 'document' ? await readBack(repair, step.kind) : EMPTY)
    case 'twice':
      return settledTwice(repair, step)
    case 'undecided':
      return undecidedOutcome(
        isStepOfReceipt(entry) ? `${found.why}; ${describeStates(entry.before, repair.now)}` : found.why,
      )
  }
}

/** A paid receipt counts as closed by the operation even if another program closed it (decisions 3). */
function closedFiscal({ position, now }: Repair, number: number): Reconciliation {
  const { before } = position.entry
  return closed(number, isHeld(before, now) || !before?.open?.remaining ? 'asked' : 'byOther')
}

/** A closed non-fiscal receipt differs from a cancelled one only by the void line in the electronic journal. */
async function closedNonFiscal(repair: Repair, number: number): Promise<Reconciliation> {
  const { printer, now } = repair
  const { entry } = repair.position
  if (isHeld(entry.before, now) || printer.voidLine === undefined) return executedOutcome()
  const isCancel = endsInCancel(entry)
  const isVoid = await isVoidedReceipt(repair, number)
  if (isVoid === undefined) return journalSilent(number)
  if (isVoid === isCancel) return executedOutcome()
  return undecidedOutcome(
    isCancel
      ? `another program closed non-fiscal receipt ${number}. Check its paper.`
      : `another program cancelled non-fiscal receipt ${number}. Check its paper.`,
  )
}

const EXECUTED_TWICE = 'the device was interrupted and executed this step twice'

async function settledTwice({ printer, position, now }: Repair, step: Step): Promise<Reconciliation> {
  const { before } = position.entry
  // Some devices cannot void an adjusted sale, so the service only reports it.
  if (step.does !== 'sell' || step.sale.adjustment)
    return undecidedOutcome(`${EXECUTED_TWICE}; ${describeStates(before, now)}`)
  const back: Step = { does: 'sell', sale: { ...step.sale, void: !step.sale.void } }
  try {
    await send(printer, back, now)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
  }
  const after = await printer.evidence({ of: now })
  const [none, two, one] = [before, now, after].map((at) => at?.open?.total ?? null)
  const isOne = none != null && two != null && one != null && 2 * (one - none) === two - none
  return isOne
    ? executedOutcome()
    : undecidedOutcome(`${EXECUTED_TWICE}; one of them could not be voided; ${describeStates(before, after)}`)
}

/**
 * Resolves to the answer that the device still has. The answer is empty if the device does not report it, or reports
 * that of a later document, or if another device may have reported it.
 */
async function readBack(repair: Repair, kind: DocumentKind): Promise<Answer> {
  const answer = await lastAnswer(repair, kind)
  return lostSince(repair.printer, repair.now) ? EMPTY : answer
}

async function lastAnswer({ printer, position, now }: Repair, kind: DocumentKind): Promise<Answer> {
  const { before } = position.entry
  if (kind === 'z') {
    const isLast = before?.lastZ == null || now.lastZ === before.lastZ + 1
    return { text: (isLast && (await printer.lastReportZ?.())) || '' }
  }
  if (kind === 'copy') {
    const isSame = before?.lastReceipt == null || now.lastReceipt === before.lastReceipt
    return { text: '', receiptNumber: (isSame && (await printer.lastReceipt?.())) || '', raw: '' }
  }
  return EMPTY
}

async function settledFiscal(repair: Repair, found: Verdict): Promise<Reconciliation> {
  const { printer, position, now } = repair
  const { entry } = position
  if (endsInCancel(entry) && isClosing(entry)) {
    // The last step of the request is the cancel, and it was sent.
    if (found.is === 'closed') return closed(found.number, 'byOther')
    if (found.is === 'open') await send(printer, { does: 'cancel' }, now)
    return found.is === 'open' || found.is === 'cancelled' ? executedOutcome() : notOpen(entry, found)
  }
  const settled = found.is === 'open' ? await endOpen(repair, found.open) : notOpen(entry, found)
  if (settled.became !== 'closed' || settled.as !== 'asked') return settled
  const number = Number(settled.receiptNumber)
  return closed(settled.receiptNumber, await elementsPrinted(printer, position.entry, number, now))
}

/**
 * Pays and closes the receipt if the device reports a payment, or refuses the cancel because of one. Otherwise cancels
 * it.
 */
async function endOpen(repair: Repair, open: OpenReceipt): Promise<Reconciliation> {
  const { printer, position, now } = repair
  const { entry } = position
  const { paid } = open
  // The caller was informed that nothing was sold, and may have sold the items again since.
  if (paid !== null && paid > 0 && entry.isGivenUp)
    return undecidedOutcome(
      `another program has paid on ${open.number === null ? 'the open receipt' : `receipt ${open.number}`}. Check its paper.`,
    )
  if (paid !== null && paid > 0) return complete(repair, open)
  position.takeBack({ ...(isPerhapsPaid(entry, open) && { perhapsPaid: true }), ...provenNumber(entry, open, now) })
  try {
    await send(printer, { does: 'cancel' }, now)
    return CANCELLED
  } catch (error) {
    if (!isRefusal(error)) throw error
    // A device that lost power for a moment may have executed the cancel and then refused its retransmission.
    const since = await verdictNow(printer, entry, await evidenceNow(printer, entry, now))
    if (since.is !== 'open') return notOpen(position.entry, since)
    // The device refuses because an amount is paid, although it does not report that amount.
    if (since.open.paid === 0 && !isPerhapsPaid(entry, since.open)) throw error
    return complete(repair, since.open, entry)
  }
}

/**
 * Returns the number to record before the cancel. If the hold on the line is lost later, only the number proves that
 * the receipt is the operation's own.
 */
function provenNumber(entry: Entry, open: OpenReceipt, now: Evidence): Pick<Entry, 'document'> {
  const document = entry.document ?? open.number ?? now.lastDocument
  return document === null ? {} : { document }
}

async function complete(repair: Repair, open: OpenReceipt, entry = repair.position.entry): Promise<Reconciliation> {
  const { printer, position, now } = repair
  // Recorded before any payment. Afterwards the device reports only the sum of both programs' payments.
  if (isPaidByOther(entry, open)) position.note({ byOther: true })
  await payRest(repair, entry, open)
  position.reach(entry.steps.length - 1)
  const { receiptNumber = '' } = await send(printer, closeOf(entry), now)
  const { byOther, inCash } = position.entry
  return closed(receiptNumber, byOther ? 'byOther' : inCash ? 'inCash' : 'asked')
}

const closeOf = ({ steps }: Entry): Step => steps.find(({ does }) => does === 'close') ?? { does: 'close' }

async function payRest(repair: Repair, entry: Entry, open: OpenReceipt): Promise<void> {
  const { printer, position, now } = repair
  const payments = paymentsOf(entry)
  const paymentCount = paymentsBegun(entry)
  const taken = entry.inCash ? undefined : paymentsTaken(entry, open)
  let rest = open.remaining
  for (let next = taken ?? payments.length; next < payments.length; next++) {
    const place = placeOfPayment(entry, next)
    const isNew = next >= paymentCount
    position.reach(isNew ? placeBefore(entry, next) : Math.max(entry.at, placeBefore(entry, next)))
    try {
      const texts = entry.steps.slice(position.entry.at, place)
      for (const text of texts) await printBefore(repair, text, isNew, next === taken && paymentCount > 0)
      position.reach(place)
      const { retransmitted } = await send(printer, entry.steps[place] as Step, now)
      const amount = payments[next]?.amount
      rest = rest === null ? null : Math.max(0, rest - (amount ?? rest))
      if (retransmitted && !(await isPaidSoFar(repair, payments, next + 1))) return payInCash(repair)
    } catch (error) {
      if (!isRefusal(error) && !isUnsendable(error)) throw error
      return payInCash(repair)
    }
  }
  if (taken === undefined || rest !== 0) await payInCash(repair)
}

/**
 * Prints a line of text that belongs to a payment. If it may already be printed, it is recorded as unconfirmed instead.
 * `mayBeBegun`: it may have been sent without a record on the disk.
 */
async function printBefore(
  { printer, position, now }: Repair,
  step: Step,
  isNew: boolean,
  mayBeBegun: boolean,
): Promise<void> {
  const unconfirmed = unconfirmedBy(step, position.entry)
  if (!unconfirmed) return
  const doubt = (one: UnconfirmedElement) =>
    position.note({ unconfirmed: [...(position.entry.unconfirmed ?? []), one] })
  if (!isNew) doubt({ ...unconfirmed, mayBeMissing: true })
  else if ((await send(printer, step, now)).retransmitted || mayBeBegun) doubt(unconfirmed)
}

async function isPaidSoFar({ printer, now }: Repair, payments: readonly Payment[], count: number): Promise<boolean> {
  const { open } = await printer.evidence({ of: now })
  return open === null || open.paid === null || isAllInCash(payments) || isPaid(payments, count, open)
}

async function payInCash({ printer, position, now }: Repair): Promise<void> {
  const { entry } = position
  const isAsked = isAllInCash(paymentsOf(entry))
  position.reach(Math.max(entry.at, placeOfPayment(entry, 0)), isAsked ? {} : { inCash: true })
  const { open } = await printer.evidence({ of: now })
  if (open?.remaining === 0) return
  try {
    await send(printer, { does: 'pay', payment: { mode: CASH } }, now)
  } catch (error) {
    // A device that does not report the remaining amount refuses a payment if nothing remains.
    if (open?.remaining !== null || !isRefusal(error)) throw error
  }
}

async function settledNonFiscal(repair: Repair, found: Verdict): Promise<Reconciliation> {
  const { printer, position, now } = repair
  const { entry } = position
  const isAtEnd = isClosing(entry)
  const isItsEnd = isAtEnd && endsInCancel(entry)
  if (found.is === 'open') {
    if (!isItsEnd) position.takeBack(provenNumber(entry, found.open, now))
    await send(printer, { does: 'cancelNonFiscal' }, now)
    return isItsEnd ? executedOutcome() : CANCELLED
  }
  if (found.is !== 'closed') return notOpen(entry, found)
  if (entry.is === 'cancelling') return CANCELLED
  if (isItsEnd) return executedOutcome()
  const isVoid = isAtEnd && (await isVoidedReceipt(repair, found.number))
  if (isVoid === undefined) return journalSilent(found.number)
  if (isAtEnd && !isVoid) {
    const as = await elementsPrinted(printer, entry, found.number, now)
    return as === 'asked' ? executedOutcome() : closed(found.number, as)
  }
  return undecidedOutcome(`another program closed non-fiscal receipt ${found.number}. Check its paper.`)
}

// ---------------------------------------------------------------- a failure in the same request

/**
 * Resolves to the normal answer if the receipt is as requested despite the error. If the device cannot be queried, the
 * reconciliation before the next request determines the outcome. `retransmitted`: a command may have been executed
 * twice.
 */
async function rescue(error: unknown, { printer, progress }: RunContext, retransmitted: boolean): Promise<Answer> {
  const { entry } = progress
  // The opening was not executed, so an open receipt belongs to another operation.
  if (!retransmitted && isOpening(entry) && leavesOf(outcomeOf(error)) === 'nothing')
    throw withBlockingReceipt(error, entry)
  let settled: Reconciliation
  try {
    settled = await reconcile(printer, progress)
  } catch (second) {
    throw await unsettled(error, second, { printer, progress })
  }
  return answerIn(settled, error, progress.entry)
}

/**
 * Resolves to the error for a request whose reconciliation failed, too. Queries the state of the receipt if the device
 * still answers.
 */
async function unsettled(first: unknown, second: unknown, { printer, progress }: RunContext): Promise<ServiceError> {
  const { entry } = progress
  const reasons = [...outcomeOf(first).reasons, ...outcomeOf(second).reasons]
  if (!entry.before?.open && numberOf(entry) === undefined) return stateUnknownBefore(first)
  const now = isSilence(second) ? undefined : await statusOfOpenReceipt(printer, entry)
  if (now?.stands === 'paid') {
    progress.note(now.receipt)
    return withEffect(first, ...effectOfUnclosedReceipt(now.receipt, reasons))
  }
  const mayExist = isPaying(entry) || isClosing(entry) || entry.perhapsPaid === true
  if (mayExist && now === undefined) return withEffect(first, 'unknownReceipt', { status: 424, reasons })
  // Without remembered counters (see `opened`), devices may have been exchanged. The open receipt may then belong to
  // another program (`outcomeOnEitherDevice`) and is not cancelled.
  const isUnconfirmed = isOpening(entry) || (entry.isRemembered && entry.before?.lastReceipt === null)
  return withEffect(first, isUnconfirmed ? 'toBeFoundOut' : 'toBeCancelled', { reasons })
}

export type LeftReceipt =
  /** The service will close the receipt. `receipt`: new values of the entry. */
  { readonly stands: 'paid'; readonly receipt: Pick<Entry, 'receiptNumber' | 'paid'> } | { readonly stands: 'unpaid' }

/**
 * Resolves to the state of the receipt; `undefined` if the device does not answer, or if the state cannot be
 * determined.
 */
export const statusOfOpenReceipt = (printer: FiscalPrinter, entry: Entry): Promise<LeftReceipt | undefined> =>
  orElse(() => queryOpenReceipt(printer, entry), isOfDevice, undefined)

async function queryOpenReceipt(printer: FiscalPrinter, entry: Entry): Promise<LeftReceipt | undefined> {
  const now = await evidenceNow(printer, entry)
  if (!isSameDevice(entry.before, now)) return undefined
  const found = await verdictNow(printer, entry, now)
  if (found.is !== 'open') return undefined
  const { number, paid, total, remaining } = found.open
  if (isPerhapsPaid(entry, found.open)) return undefined
  if ((isWholeReceipt(entry) && isNonFiscal(entry)) || paid === 0) return { stands: 'unpaid' }
  if (paid === null || number === null) return undefined
  const isAll = remaining === 0 || total === null
  return { stands: 'paid', receipt: { receiptNumber: String(number), paid: isAll ? undefined : { paid, total } } }
}

/**
 * Resolves to whether the device of the operation is connected again; false if the device does not report its numbers.
 */
export const isBack = (printer: FiscalPrinter, { before }: Entry): Promise<boolean> =>
  orElse(async () => isSameDevice(before, await printer.numbers()), isRefusal, false)
