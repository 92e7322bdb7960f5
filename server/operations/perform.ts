import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { PreparedRequest, ServiceFacts } from '../endpoint.ts'
import { type Reply, success } from '../envelope.ts'
import type { Intent } from './log/answers.ts'
import { leavesOf, outcomeOf, type RepeatedBy } from './outcome.ts'
import { sentenceOf } from './sentences.ts'
import type { UnsettledRequests } from './unsettled-requests.ts'

export interface Job {
  readonly prepared: Extract<PreparedRequest, { ok: true }>
  readonly intent: Intent
  readonly repeatedBy: RepeatedBy | undefined
  readonly request: string | undefined
}

interface PerformContext {
  readonly printer: FiscalPrinter
  readonly facts: ServiceFacts
  readonly unsettled: UnsettledRequests
  readonly failureOf: (error: unknown) => Reply
}

/** Executes a request in its turn, after earlier ones are reconciled, and records its end. Never rejects. */
export async function perform(
  { prepared, intent }: Job,
  { printer, facts, unsettled, failureOf }: PerformContext,
): Promise<Reply> {
  const progress = unsettled.track(intent)
  try {
    const takeUnreportedClose = () => unsettled.takeUnreportedClose()
    const data = await prepared.run({ printer, facts, progress, takeUnreportedClose })
    const reply = success(data, progress.entry.receiptNumber)
    unsettled.carriedOut(progress.entry)
    progress.ended(reply)
    return reply
  } catch (failure) {
    const error = unsettled.named(failure, progress.entry)
    const reply = failureOf(error)
    const outcome = outcomeOf(error)
    const leaves = leavesOf(outcome)
    if (outcome.effect === 'undecided') unsettled.undecided(progress.entry)
    if (outcome.effect === 'startedOnOtherDevice') unsettled.leaveElsewhere(progress, sentenceOf(outcome))
    else if (leaves === 'open') unsettled.leave(progress, outcome.effect)
    else if (leaves === 'printed' || progress.hasPrinted) progress.ended(reply)
    else {
      unsettled.notCarriedOut(progress.entry)
      progress.noteNothingRemains()
    }
    return reply
  } finally {
    unsettled.noteDeviceState(progress.last)
  }
}
