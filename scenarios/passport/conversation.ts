import type { Clock } from '../../drivers/model/clock.ts'
import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { Probe } from '../../drivers/wire/probe.ts'
import type { OpenReceiptStatus, PrintBlocker, Questionnaire, RepeatedQuery } from '../../drivers/wire/questionnaire.ts'
import type { Consent } from './consent-filter.ts'
import type { Line, LineResponse } from './line.ts'

/**
 * What was said between us and a device, in its order, so that it can be said to another device again; and what a
 * conversation needs.
 */

export interface Exchange {
  /** Absent: it only led to a state, or back. */
  readonly probe?: Probe
  /** Of the same probe, from 0. */
  readonly attempt: number
  readonly state: ReceiptPhase
  /** Since the conversation began. */
  readonly atMs: number
  readonly requests: readonly Uint8Array[]
  readonly responses: readonly LineResponse[]
  readonly reads?: RepeatedQuery
}

export interface Conversation {
  readonly exchanges: readonly Exchange[]
  /** As it was met. */
  readonly standing: OpenReceiptStatus
  /** Probes of the plan that could not be asked: their state was not reached. */
  readonly leftOut: readonly string[]
  readonly isComplete: boolean
  /** Not a word was understood. */
  readonly isUnanswered: boolean
  /** What ended it before its end. */
  readonly ended?: 'interrupted' | 'silent' | 'lost' | 'flooded' | 'hindered'
  /** Why it was lost, where it was. */
  readonly whyLost?: string
  /** What kept its mechanism from printing when it was met. */
  readonly printBlockers: readonly PrintBlocker[]
  /** Widest text that was taken, by the state in which it was. */
  readonly widest: Readonly<Partial<Record<'nonFiscal' | 'selling', number>>>
}

export interface Talk {
  readonly line: Line
  readonly q: Questionnaire
  /** The same family in its other editions. */
  readonly others: readonly Questionnaire[]
  readonly clock: Clock
  readonly consent: Consent
  readonly signal?: AbortSignal
  /** Chooses the number of the first message. */
  readonly seed?: number
  /** Asked with the first answer: false ends the conversation at once. */
  readonly mayGoOn?: (standing: OpenReceiptStatus) => boolean
  readonly progress?: (done: number, of: number) => void
}
