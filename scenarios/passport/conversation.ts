/**
 * A recorded conversation with a device, in order, so that it can be replayed on another device; and the parts that a
 * conversation requires.
 */
import type { Clock } from '../../drivers/model/clock.ts'
import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { Probe } from '../../drivers/wire/probe.ts'
import type { OpenReceiptStatus, PrintBlocker, Questionnaire, RepeatedQuery } from '../../drivers/wire/questionnaire.ts'
import type { Consent } from './consent-filter.ts'
import type { Line, LineResponse } from './line.ts'

export interface Exchange {
  /** Undefined for exchanges that only enter or leave a state. */
  readonly probe?: Probe
  /** Index among the attempts of the same probe, from 0. */
  readonly attempt: number
  readonly state: ReceiptPhase
  /** Time since the conversation began. */
  readonly atMs: number
  readonly requests: readonly Uint8Array[]
  readonly responses: readonly LineResponse[]
  readonly reads?: RepeatedQuery
}

export interface Conversation {
  readonly exchanges: readonly Exchange[]
  /** The receipt status at the beginning. */
  readonly initialReceipt: OpenReceiptStatus
  /** Probes of the plan that were not sent, because their state was not reached. */
  readonly leftOut: readonly string[]
  readonly isComplete: boolean
  /** True if no answer was understood. */
  readonly isUnanswered: boolean
  /** Reason for an early end. */
  readonly ended?: 'interrupted' | 'silent' | 'lost' | 'flooded' | 'hindered'
  /** Cause of the loss of the line, if it was lost. */
  readonly whyLost?: string
  /** Conditions that blocked printing at the beginning. */
  readonly printBlockers: readonly PrintBlocker[]
  /** Widest text that the device accepted, by state. */
  readonly widest: Readonly<Partial<Record<'nonFiscal' | 'selling', number>>>
}

export interface ConversationSetup {
  readonly line: Line
  readonly q: Questionnaire
  /** The other editions of the same family. */
  readonly others: readonly Questionnaire[]
  readonly clock: Clock
  readonly consent: Consent
  readonly signal?: AbortSignal
  /** Determines the number of the first message. */
  readonly seed?: number
  /** Called with the first answer; false ends the conversation at once. */
  readonly mayGoOn?: (status: OpenReceiptStatus) => boolean
  readonly progress?: (done: number, of: number) => void
}
