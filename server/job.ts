/** One request on the device, when its turn has come and nothing older is open. */
import type { FiscalPrinter } from '../drivers/model/printer.ts'
import type { Prepared, ServiceFacts } from './endpoint.ts'
import { type Reply, success } from './envelope.ts'
import { leavesOf, outcomeOf, type RepeatedBy, sentenceOf } from './outcome.ts'
import type { Intent } from './recovery/answers.ts'
import type { Recovery } from './recovery/recovery.ts'

export interface Job {
  readonly prepared: Extract<Prepared, { ok: true }>
  readonly intent: Intent
  readonly repeatedBy: RepeatedBy | undefined
  /** `X-Request-Id`, for the log. */
  readonly request: string | undefined
}

interface On {
  readonly printer: FiscalPrinter
  readonly facts: ServiceFacts
  readonly recovery: Recovery
  /** The answer to a failure, which is reported where nobody foresaw it. */
  readonly failureOf: (error: unknown) => Reply
}

/** Leaves what it knows of its end with recovery. Never rejects. */
export async function perform({ prepared, intent }: Job, on: On): Promise<Reply> {
  const { printer, facts, recovery } = on
  const tracked = recovery.track(intent)
  const { progress } = tracked
  try {
    const takeUnheardClose = () => recovery.takeUnheardClose()
    const data = await prepared.run({ printer, facts, progress, takeUnheardClose })
    const reply = success(data, progress.record.receiptNumber)
    recovery.carriedOut(progress.record)
    tracked.ended(reply)
    return reply
  } catch (failure) {
    const error = recovery.named(failure, progress.record)
    const reply = on.failureOf(error)
    const outcome = outcomeOf(error)
    const leaves = leavesOf(outcome)
    if (outcome.effect === 'undecided') recovery.undecided(progress.record)
    if (outcome.effect === 'begunElsewhere') recovery.leaveElsewhere(tracked, sentenceOf(outcome))
    else if (leaves === 'open') recovery.leave(tracked)
    else if (leaves === 'printed' || progress.hasPrinted) tracked.ended(reply)
    else {
      recovery.notCarriedOut(progress.record)
      tracked.leftNothing()
    }
    return reply
  } finally {
    recovery.leftAs(progress.last)
  }
}
