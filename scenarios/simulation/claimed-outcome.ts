import type { Reply } from './client.ts'
import { DIED } from './world.ts'

export type ClaimedOutcome =
  | { readonly is: 'printed'; readonly number?: string; readonly asRequested: boolean }
  /** Paid, but not closed by the device yet. The receipt must be printed at the end of the run, with this number. */
  | { readonly is: 'paidNotClosed'; readonly number: string }
  | { readonly is: 'nothing' }
  /** The answer says that the outcome is unknown, or the service died before it could answer. */
  | { readonly is: 'unknown' }

const COMPLETED_TEXT = /^Completed as receipt (\d+):/
const NOT_CLOSED_TEXT = /the device has not closed it yet/

export function claimedOutcome(reply: Reply): ClaimedOutcome {
  if (reply.message === DIED || reply.message.startsWith('Outcome unknown:')) return { is: 'unknown' }
  const number = COMPLETED_TEXT.exec(reply.message)?.[1]
  if (number !== undefined && NOT_CLOSED_TEXT.test(reply.message)) return { is: 'paidNotClosed', number }
  if (number !== undefined) return { is: 'printed', number, asRequested: false }
  if (reply.status !== 200) return { is: 'nothing' }
  return { is: 'printed', asRequested: true, ...(typeof reply.data === 'string' && { number: reply.data }) }
}
