/**
 * What follows a failure in the same request: the device is asked what stands of it, and a receipt is cancelled or
 * completed. Where the device cannot be asked either, the request stays open, and the next one settles it first.
 */
import type { Data, OnDevice } from '../endpoint.ts'
import { type Effect, leavesOf, type Outcome, outcomeOf, type ServiceError, said, withEffect } from '../outcome.ts'
import { isCertain, isRefusal, isSilence } from './failed-call.ts'
import { isWholeReceipt, type ProgressRecord } from './progress.ts'
import { numberOf } from './proof.ts'
import { nobodyKnows } from './repeats.ts'
import { capital } from './sentences.ts'
import { COMPLETED, type Settled, settle, standing } from './settle.ts'

const settleNow = ({ printer, progress }: OnDevice): Promise<Settled> =>
  settle(printer, progress.record, (stage, more) => progress.reach(stage, more))

/** Something of it may be on paper for good: before its paying began, a receipt can only be cancelled. */
export function mayBePrinted(record: ProgressRecord): boolean {
  const { stage, perhapsPaid = false } = record
  const isTakenBack = stage === 'cancelling' && !perhapsPaid
  return !(isWholeReceipt(record) && (stage === 'opening' || stage === 'filling' || isTakenBack))
}

/**
 * After a complete receipt has failed: its number when it is as it was asked for all the same, '' where it has none.
 * `repeated`: any of its commands may have been carried out twice.
 */
export async function rescueReceipt(error: unknown, on: OnDevice, repeated: boolean): Promise<string> {
  const { record } = on.progress
  // A failed opening whose failure is certain leaves no receipt of ours: what is open belongs to somebody else.
  if (!repeated && record.stage === 'opening' && leavesOf(outcomeOf(error)) === 'nothing') throw inTheWay(error, record)
  let settled: Settled
  try {
    settled = await settleNow(on)
  } catch (second) {
    throw await unsettled(error, second, on)
  }
  switch (settled.became) {
    case 'closed': {
      const { receiptNumber, as } = settled
      if (as === 'asked') return receiptNumber
      throw withEffect(error, COMPLETED[as], { receiptNumber })
    }
    case 'done':
      return ''
    case 'cancelled':
      throw withEffect(error, 'cancelled')
    case 'nothing':
      throw withEffect(error, 'noReceipt')
    case 'unproven':
      throw undecided(error, settled.why)
    case 'elsewhere':
      throw elsewhere(error, settled.why, mayBePrinted(on.progress.record))
  }
}

/** The receipt that was open before, by its number. */
function inTheWay(error: unknown, { before }: ProgressRecord): unknown {
  const open = before?.open
  if (!open || !isRefusal(error)) return error
  const receiptNumber = String(open.number ?? before.lastDocument ?? '')
  return withEffect(error, open.kind === 'NonFiscal' ? 'otherNonFiscalIsOpen' : 'otherIsOpen', { receiptNumber })
}

const because = (error: unknown, why: string): Pick<Outcome, 'status' | 'reasons'> => ({
  status: 424,
  reasons: [...outcomeOf(error).reasons, said(capital(why))],
})

const undecided = (error: unknown, why: string): ServiceError => withEffect(error, 'undecided', because(error, why))

const elsewhere = (error: unknown, why: string, mayExist: boolean): ServiceError =>
  withEffect(error, mayExist ? 'elsewhere' : 'begunElsewhere', because(error, why))

/**
 * Neither the request nor its rescue came through: the next request does it first (recovery.ts). A device that answers,
 * and only cannot print, is asked what stands.
 */
async function unsettled(first: unknown, second: unknown, { printer, progress }: OnDevice): Promise<ServiceError> {
  const { record } = progress
  const { stage, before, perhapsPaid = false } = record
  const reasons = [...outcomeOf(first).reasons, ...outcomeOf(second).reasons]
  if (!before?.open && numberOf(record) === undefined) return undecided(first, UNTOLD)
  const now = isSilence(second) ? undefined : await standing(printer, record)
  if (now?.stands === 'paid') {
    progress.owes(now)
    return withEffect(first, ...owedBy(now, reasons))
  }
  const mayExist = stage === 'paying' || stage === 'closing' || perhapsPaid
  return mayExist && now === undefined
    ? withEffect(first, 'unknownReceipt', { status: 424, reasons })
    : withEffect(first, stage === 'opening' ? 'toBeFoundOut' : 'toBeCancelled', { reasons })
}

const UNTOLD =
  'the device did not tell its state before this request: look at its paper, and whether a receipt is open.'

/** What is said of a receipt that nothing can undo any more, and that the device cannot end now. */
const owedBy = (
  { receiptNumber, paid }: Pick<ProgressRecord, 'receiptNumber' | 'paid'>,
  reasons: Outcome['reasons'],
): [Effect, Partial<Outcome>] => [
  paid ? 'owedInPart' : 'owed',
  { reasons, ...(receiptNumber !== undefined && { receiptNumber }), ...(paid && { paid }) },
]

/** What is told again of a request that is still open: its receipt can only be ended, or nobody knows. */
export function openAs(record: ProgressRecord, reasons: Outcome['reasons']): Outcome {
  if (record.receiptNumber === undefined) return { status: 424, effect: 'unknown', reasons }
  const [effect, more] = owedBy(record, reasons)
  return { status: 424, effect, reasons, ...more }
}

/** After a receipt's close has failed: the number when it is closed all the same; '' of a non-fiscal one. */
export async function rescueClose(error: unknown, on: OnDevice): Promise<string> {
  const settled = await settleCommand(error, on)
  switch (settled.became) {
    case 'closed':
      return settled.receiptNumber
    case 'done':
      return ''
    case 'cancelled':
      throw withEffect(error, 'cancelled')
    case 'nothing':
      throw known(error, 'stillOpen')
  }
}

/** After a command has failed that ends in a document of its own: what the device can still tell of its answer. */
export async function rescueDocument(error: unknown, on: OnDevice): Promise<Data> {
  const settled = await settleCommand(error, on)
  if (settled.became === 'done') return settled.data
  throw known(error, 'notCarriedOut')
}

/** What became of a single command that failed. While the device cannot be asked, silence means: nobody knows. */
async function settleCommand(
  error: unknown,
  on: OnDevice,
): Promise<Exclude<Settled, { became: 'unproven' | 'elsewhere' }>> {
  let settled: Settled
  try {
    settled = await settleNow(on)
  } catch {
    throw isCertain(error) ? error : nobodyKnows(error)
  }
  if (settled.became === 'unproven') throw undecided(error, settled.why)
  if (settled.became === 'elsewhere') throw elsewhere(error, settled.why, true)
  return settled
}

/** An error whose outcome was open says now what it is. */
const known = (error: unknown, effect: Effect): unknown =>
  leavesOf(outcomeOf(error)) === 'open' ? withEffect(error, effect) : error
