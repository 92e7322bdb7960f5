/** The record of a conversation with a device, which can be replayed on an emulated device. */
import type { Clock } from '../../drivers/model/clock.ts'
import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { Probe } from '../../drivers/wire/passport-probes.ts'
import type { OpenReceiptStatus, PrintBlocker, Questionnaire, RepeatedQuery } from '../../drivers/wire/questionnaire.ts'
import type { Consent } from './consent-filter.ts'
import type { Line, LineResponse } from './line.ts'

export interface Exchange {
  /** Missing if the exchange only enters or leaves a state. */
  readonly probe?: Probe
  readonly attempt: number
  readonly state: ReceiptPhase
  readonly atMs: number
  readonly requests: readonly Uint8Array[]
  readonly responses: readonly LineResponse[]
  readonly reads?: RepeatedQuery
}

export interface Conversation {
  readonly exchanges: readonly Exchange[]
  readonly initialReceipt: OpenReceiptStatus
  /** Ids of planned probes that were not sent because their state was not reached. */
  readonly unsentProbes: readonly string[]
  readonly isComplete: boolean
  readonly isUnanswered: boolean
  readonly ended?: 'interrupted' | 'silent' | 'lost' | 'flooded' | 'hindered'
  readonly whyLost?: string
  readonly printBlockers: readonly PrintBlocker[]
  readonly widest: Readonly<Partial<Record<'nonFiscal' | 'selling', number>>>
}

export interface ConversationSetup {
  readonly line: Line
  readonly q: Questionnaire
  readonly others: readonly Questionnaire[]
  readonly clock: Clock
  readonly consent: Consent
  readonly signal?: AbortSignal
  /** Determines the number of the first message. */
  readonly seed?: number
  /** The conversation ends if the result is false. */
  readonly mayGoOn?: (status: OpenReceiptStatus) => boolean
  readonly progress?: (done: number, of: number) => void
}
