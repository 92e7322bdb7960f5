/**
 * What follows a failure in the same request: the device is asked what stands of it, and a receipt is cancelled or
 * completed. Where the device cannot be asked either, the request stays open, and the next one settles it first.
 */
import type { Data, Work } from '../endpoint.ts'
import { type Effect, leavesOf, outcomeOf, type ServiceError, withEffect } from '../outcome.ts'
import { isRefusal, isSilence, type Settled, settle, standing } from './settle.ts'

type OnDevice = Pick<Work<unknown, unknown>, 'printer' | 'progress'>

const settleNow = ({ printer, progress }: OnDevice): Promise<Settled> =>
  settle(printer, progress.record, (stage) => progress.reach(stage))

/**
 * After a complete receipt has failed: its number when it is as it was asked for all the same, '' where it has none.
 * `repeated`: any of its commands may have been carried out twice.
 */
export async function rescueReceipt(error: unknown, on: OnDevice, repeated: boolean): Promise<string> {
  const { record } = on.progress
  // A failed opening whose failure is certain leaves no receipt of ours: what is open belongs to somebody else.
  if (!repeated && record.stage === 'opening' && leavesOf(outcomeOf(error)) === 'nothing') throw error
  let settled: Settled
  try {
    settled = await settleNow(on)
  } catch (second) {
    throw await unsettled(error, second, on, record.stage === 'paying' || record.stage === 'closing')
  }
  switch (settled.became) {
    case 'closed': {
      const { receiptNumber, paidRest } = settled
      if (record.allInCash || (record.stage === 'closing' && !paidRest)) return receiptNumber
      throw withEffect(error, paidRest ? 'completedInCash' : 'completed', { receiptNumber })
    }
    case 'done':
      return ''
    case 'cancelled':
      throw withEffect(error, 'cancelled')
    case 'nothing':
      throw withEffect(error, 'noReceipt')
  }
}

/**
 * Neither the request nor its rescue came through: the next request does it first (recovery.ts). A device that answers,
 * and only cannot print, is asked what stands.
 */
async function unsettled(
  first: unknown,
  second: unknown,
  { printer, progress }: OnDevice,
  mayExist: boolean,
): Promise<ServiceError> {
  const reasons = [...outcomeOf(first).reasons, ...outcomeOf(second).reasons]
  const now = isSilence(second) ? undefined : await standing(printer, progress.record)
  if (now?.stands === 'paid') {
    progress.owes(now.receiptNumber)
    return withEffect(first, 'owed', { receiptNumber: now.receiptNumber, reasons })
  }
  return mayExist && now === undefined
    ? withEffect(first, 'unknownReceipt', { status: 424, reasons })
    : withEffect(first, 'toBeCancelled', { reasons })
}

/** After close-fiscal-receipt has failed: the number when it is closed all the same. */
export async function rescueClose(error: unknown, on: OnDevice): Promise<string> {
  const settled = await settleCommand(error, on)
  if (settled.became === 'closed') return settled.receiptNumber
  throw known(error, 'stillOpen')
}

/** After a command has failed that ends in a document of its own: what the device can still tell of its answer. */
export async function rescueDocument(error: unknown, on: OnDevice): Promise<Data> {
  const settled = await settleCommand(error, on)
  if (settled.became === 'done') return settled.data
  throw known(error, 'notCarriedOut')
}

/** What became of a single command that failed. While the device cannot be asked, silence means: nobody knows. */
async function settleCommand(error: unknown, on: OnDevice): Promise<Settled> {
  try {
    return await settleNow(on)
  } catch {
    throw isRefusal(error) ? error : withEffect(error, 'unknownCommand', { status: 424 })
  }
}

/** An error whose outcome was open says now what it is. */
const known = (error: unknown, effect: Effect): unknown =>
  leavesOf(outcomeOf(error)) === 'open' ? withEffect(error, effect) : error
