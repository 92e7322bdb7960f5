/**
 * A query and its answer as a pure state machine, without bytes, port or timer. `link.ts` reports events to it and acts
 * on the new state (sheet A 2.4 to 2.7, sheet B 5, sheet C 2.2 to 2.6, as data in `ExchangeRules`).
 *
 *     sending ──sent──► waiting ──answer──► answered            waiting ──silence, damage, refusal──► sending (again)
 *                          │  └──answer, more to come──► collecting ──last──► answered
 *                          └──later──► pausing ──time──► sending            any ──► failed
 *
 * A single loose byte proves nothing: a byte that looks like a refusal, or like "later", may be a damaged
 * acknowledgement. This machine therefore never retransmits a command that must not be executed twice. The pause after
 * such a byte ends in `failed`, and the driver queries the device.
 */
import type { ExchangeRules } from './types.ts'

export interface Question {
  readonly firstByteMs: number
  readonly sendMs: number
  /**
   * True if the link may retransmit the request after silence or damage. The device recognizes a retransmission, or a
   * second execution does no harm.
   */
  readonly repeatable: boolean
}

interface Progress {
  readonly question: Question
  readonly attempt: number
  /** Number of writes that the device answered only with "later". They do not count as attempts. */
  readonly postponements: number
  readonly totalAt: number
  /**
   * True if the device may have executed the command: an earlier write got no answer, or the device reported that it is
   * busy, which it does only for a command that it has accepted.
   */
  readonly uncertain: boolean
}

export type Failure =
  | 'no answer'
  | 'too long'
  | 'refused frame'
  | 'damaged answer'
  | 'broken stream'
  | 'echo'
  | 'flood'
  | 'number taken'
  | 'port closed'

export type ExchangeState =
  | (Progress & { readonly at: 'sending' })
  /** `spoiled`: a damaged frame was received. A valid answer may still follow. */
  | (Progress & { readonly at: 'waiting'; readonly wakeAt: number; readonly spoiled: boolean })
  /**
   * A pause before the link retransmits the request or fails. `soiled`: other bytes arrived as well, so the loose byte
   * may be a part of a damaged answer.
   */
  | (Progress & { readonly at: 'pausing'; readonly wakeAt: number; readonly soiled: boolean })
  | (Progress & { readonly at: 'collecting'; readonly wakeAt: number })
  | { readonly at: 'answered' }
  /** `reached`: the device may have executed the command. */
  | { readonly at: 'failed'; readonly why: Failure; readonly reached: boolean }

export type ExchangeEvent = { readonly now: number } & (
  | { readonly kind: 'sent' }
  /** The write failed. The device received at most a part of the frame and will not execute it. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'later' }
  | { readonly kind: 'answer'; readonly last: boolean }
  | { readonly kind: 'stale' }
  /**
   * An answer with the number of this request to another command. The device took this request for a retransmission of
   * that command.
   */
  | { readonly kind: 'taken' }
  | { readonly kind: 'partial' }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'noise' }
  | { readonly kind: 'echo' }
  | { readonly kind: 'flood' }
  | { readonly kind: 'time' }
  | { readonly kind: 'closed' }
)

/** Pause after a loose byte, in ms. An answer that arrives during the pause shows that the byte was noise. */
const SETTLE_MS = 100

export function begin(question: Question, now: number, totalMs: number): ExchangeState {
  return {
    at: 'sending',
    question,
    attempt: 1,
    postponements: 0,
    totalAt: now + question.sendMs + totalMs,
    uncertain: false,
  }
}

/**
 * Returns the time at which `step` needs the event `time`, unless another event happens earlier; `undefined` if no time
 * is set.
 */
export function nextEventAt(state: ExchangeState): number | undefined {
  return 'wakeAt' in state ? Math.min(state.wakeAt, state.totalAt) : undefined
}

export function step(state: ExchangeState, event: ExchangeEvent, rules: ExchangeRules): ExchangeState {
  if (state.at === 'answered' || state.at === 'failed') return state
  if (event.kind === 'echo') return failed('echo', isReached(state))
  if (event.kind === 'flood') return failed('flood', true)
  if (event.kind === 'taken') return failed('number taken', isReached(state))
  if (event.kind === 'unsent') return failed('port closed', isReached(state))
  if (event.kind === 'closed') return failed('port closed', state.at !== 'sending' || isReached(state))
  switch (state.at) {
    case 'sending':
      return event.kind === 'sent'
        ? waiting(state, event.now + state.question.sendMs + state.question.firstByteMs)
        : state
    case 'waiting':
      return whileWaiting(state, event, rules)
    case 'pausing':
      return whilePausing(state, event, rules)
    case 'collecting':
      return whileCollecting(state, event, rules)
  }
}

type In<At extends ExchangeState['at']> = Extract<ExchangeState, { at: At }>
type Occurrence = Exclude<ExchangeEvent, { kind: 'echo' | 'flood' | 'taken' | 'unsent' | 'closed' }>

function whileWaiting(state: In<'waiting'>, event: Occurrence, rules: ExchangeRules): ExchangeState {
  switch (event.kind) {
    case 'answer':
      return answerOf(state, event)
    case 'busy':
      return { ...state, uncertain: true, wakeAt: event.now + rules.gapMs }
    case 'partial':
      return { ...state, wakeAt: event.now + rules.gapMs }
    case 'stale':
      // The device has only now finished an earlier command, so the time of this request begins here.
      return { ...state, wakeAt: Math.max(state.wakeAt, event.now + state.question.firstByteMs) }
    case 'later': {
      const { attempt, postponements, question, spoiled } = state
      const pauseMs = question.repeatable ? laterMs(rules) : quietMs(state, rules)
      return pausing({ ...state, attempt: attempt + 1, postponements: postponements + 1 }, event.now + pauseMs, spoiled)
    }
    case 'refused': {
      // A one-byte NAK may be noise, so an answer may still arrive after the last NAK.
      const next = { ...state, attempt: state.attempt + 1 }
      if (state.question.repeatable && !isGivenUp(next, rules)) return sending(state, next.attempt, state.uncertain)
      return pausing(next, event.now + quietMs(state, rules), state.spoiled)
    }
    case 'damaged':
      if (state.question.repeatable) return stateToRetransmit(state, 'damaged answer', true, rules)
      return { ...state, spoiled: true, wakeAt: event.now + rules.gapMs }
    case 'time':
      if (event.now < Math.min(state.wakeAt, state.totalAt)) return state
      if (state.spoiled) return failed('damaged answer', true)
      if (event.now >= state.totalAt) return failed('too long', true)
      return state.question.repeatable ? stateToRetransmit(state, 'no answer', true, rules) : failed('no answer', true)
    case 'noise':
    case 'sent':
      return state
  }
}

function whilePausing(state: In<'pausing'>, event: Occurrence, rules: ExchangeRules): ExchangeState {
  switch (event.kind) {
    case 'answer':
      return answerOf(state, event)
    case 'stale':
    case 'noise':
    case 'partial':
    case 'damaged':
      return { ...state, soiled: true, wakeAt: Math.max(state.wakeAt, event.now + quietMs(state, rules)) }
    case 'busy':
      return { ...state, uncertain: true, wakeAt: event.now + rules.gapMs }
    case 'later':
      return { ...state, wakeAt: Math.max(state.wakeAt, event.now + laterMs(rules)) }
    case 'time': {
      if (event.now < Math.min(state.wakeAt, state.totalAt)) return state
      // A single flipped bit turns family C's ACK into RETRY. If more bytes followed the loose byte, it was a part of
      // an answer.
      const isLast = !state.question.repeatable || isGivenUp(state, rules)
      if (isLast) return failed(state.soiled ? 'damaged answer' : 'refused frame', true)
      if (event.now >= state.totalAt) return failed('too long', isReached(state))
      return sending(state, state.attempt, state.uncertain)
    }
    case 'refused':
    case 'sent':
      return state
  }
}

function whileCollecting(state: In<'collecting'>, event: Occurrence, rules: ExchangeRules): ExchangeState {
  switch (event.kind) {
    case 'answer':
      return answerOf(state, event)
    case 'busy':
    case 'partial':
      return { ...state, wakeAt: Math.max(state.wakeAt, event.now + rules.gapMs) }
    case 'damaged':
      return failed('broken stream', true)
    case 'time':
      return event.now < Math.min(state.wakeAt, state.totalAt) ? state : failed('broken stream', true)
    case 'refused':
    case 'later':
    case 'stale':
    case 'noise':
    case 'sent':
      return state
  }
}

/**
 * Returns whether the device may have executed an earlier write. A write that the device seems to have refused counts
 * too, because the refusal may have been noise.
 */
const isReached = ({ uncertain, attempt }: Progress): boolean => uncertain || attempt > 1

/**
 * Returns the pause before a loose byte is trusted. If the request must not be retransmitted, the pause is long enough
 * for the rest of an answer that begins with this byte.
 */
const quietMs = ({ question }: Progress, { gapMs }: ExchangeRules): number =>
  question.repeatable ? SETTLE_MS : Math.max(SETTLE_MS, gapMs)

const laterMs = ({ laterByte }: ExchangeRules): number => laterByte?.pauseMs ?? SETTLE_MS

const isGivenUp = ({ attempt, postponements }: Progress, { writes }: ExchangeRules): boolean =>
  attempt - postponements > writes

function stateToRetransmit(state: Progress, why: Failure, uncertain: boolean, rules: ExchangeRules): ExchangeState {
  const next = { ...state, attempt: state.attempt + 1 }
  return isGivenUp(next, rules) ? failed(why, uncertain) : sending(state, next.attempt, uncertain)
}

const failed = (why: Failure, reached: boolean): ExchangeState => ({ at: 'failed', why, reached })

const moved = <Next extends object>(
  { question, attempt, postponements, totalAt, uncertain }: Progress,
  next: Next,
) => ({
  question,
  attempt,
  postponements,
  totalAt,
  uncertain,
  ...next,
})

const sending = (state: Progress, attempt: number, uncertain: boolean): ExchangeState =>
  moved(state, { at: 'sending', attempt, uncertain } as const)

const waiting = (state: Progress, wakeAt: number): ExchangeState =>
  moved(state, { at: 'waiting', wakeAt, spoiled: false } as const)

const pausing = (state: Progress, wakeAt: number, soiled: boolean): ExchangeState =>
  moved(state, { at: 'pausing', wakeAt, soiled } as const)

const answerOf = (state: Progress, { now, last }: { readonly now: number; readonly last: boolean }): ExchangeState =>
  last ? { at: 'answered' } : moved(state, { at: 'collecting', wakeAt: now + state.question.firstByteMs } as const)
