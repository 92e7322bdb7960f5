import type { ExchangeRules } from './types.ts'

/**
 * One question and its answer as a pure machine: no bytes, no port, no timer. `link.ts` tells it what happened and does
 * what the new state says (sheet A 2.4 to 2.7, sheet B 5, sheet C 2.2 to 2.6, as data in `ExchangeRules`).
 *
 *     sending ──sent──► waiting ──answer──► answered            waiting ──silence, damage, refusal──► sending (again)
 *                          │  └──answer, more to come──► collecting ──last──► answered
 *                          └──later──► pausing ──time──► sending            any ──► failed
 */

export interface Question {
  /** From the end of a write to the first byte of anything. */
  readonly firstByteMs: number
  /** Time that the bytes themselves take on the line. */
  readonly sendMs: number
  /** The same bytes may be written again after silence or damage: the device knows a repeat, or a repeat does no harm. */
  readonly repeatable: boolean
}

interface Progress {
  readonly question: Question
  /** Writes so far, the present one included. */
  readonly attempt: number
  /** When the whole exchange is given up, busy or not. */
  readonly totalAt: number
  /**
   * The device may have carried it out: an earlier write ended without a word from it, or it has said that it is busy,
   * which a device is only with a command that it took.
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
  /** The bytes are to be written now. */
  | (Progress & { readonly at: 'sending' })
  /** `spoiled`: something damaged was heard; a good answer may still follow it. */
  | (Progress & { readonly at: 'waiting'; readonly wakeAt: number; readonly spoiled: boolean })
  /**
   * Quiet before the same bytes again, or before they are given up. `soiled`: it was not quiet, so the "refusal" may have
   * been a damaged answer.
   */
  | (Progress & { readonly at: 'pausing'; readonly wakeAt: number; readonly soiled: boolean })
  /** The first frame of several has come. */
  | (Progress & { readonly at: 'collecting'; readonly wakeAt: number })
  | { readonly at: 'answered' }
  /** `reached`: the device may have carried the command out. */
  | { readonly at: 'failed'; readonly why: Failure; readonly reached: boolean }

export type ExchangeEvent = { readonly now: number } & (
  | { readonly kind: 'sent' }
  /** The write itself failed: the device has at most a part of the frame, which it will not carry out. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'later' }
  | { readonly kind: 'answer'; readonly last: boolean }
  /** An answer, but not to this question: late, of an earlier number. */
  | { readonly kind: 'stale' }
  /** An answer of this number to another question: the device takes this one for a repeat of that. */
  | { readonly kind: 'taken' }
  /** A frame has begun and is not complete. */
  | { readonly kind: 'partial' }
  | { readonly kind: 'damaged' }
  /** Bytes that belong to no frame. */
  | { readonly kind: 'noise' }
  /** Our own bytes have come back. */
  | { readonly kind: 'echo' }
  /** More bytes or frames than any answer has. */
  | { readonly kind: 'flood' }
  | { readonly kind: 'time' }
  | { readonly kind: 'closed' }
)

/** Quiet that is waited for before a command is written again that must not be done twice. */
const SETTLE_MS = 100

export function begin(question: Question, now: number, totalMs: number): ExchangeState {
  return { at: 'sending', question, attempt: 1, totalAt: now + question.sendMs + totalMs, uncertain: false }
}

/** When the machine wants to hear `time`, unless something else happens before. */
export function wakeAt(state: ExchangeState): number | undefined {
  return 'wakeAt' in state ? Math.min(state.wakeAt, state.totalAt) : undefined
}

export function step(state: ExchangeState, event: ExchangeEvent, rules: ExchangeRules): ExchangeState {
  if (state.at === 'answered' || state.at === 'failed') return state
  if (event.kind === 'echo') return failed('echo', state.uncertain)
  if (event.kind === 'flood') return failed('flood', true)
  if (event.kind === 'taken') return failed('number taken', state.uncertain)
  if (event.kind === 'unsent') return failed('port closed', state.uncertain)
  if (event.kind === 'closed') return failed('port closed', state.at !== 'sending' || state.uncertain)
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
/** What does not end every exchange alike. */
type Occurrence = Exclude<ExchangeEvent, { kind: 'echo' | 'flood' | 'taken' | 'unsent' | 'closed' }>

function whileWaiting(state: In<'waiting'>, event: Occurrence, rules: ExchangeRules): ExchangeState {
  switch (event.kind) {
    case 'answer':
      return heardAnswer(state, event)
    case 'busy':
      return { ...state, uncertain: true, wakeAt: event.now + rules.gapMs }
    case 'partial':
      return { ...state, wakeAt: event.now + rules.gapMs }
    case 'stale':
      // The device has only now finished what was asked before: this question's time begins here.
      return { ...state, wakeAt: Math.max(state.wakeAt, event.now + state.question.firstByteMs) }
    case 'later':
      if (mayBeAtWorkOn(state)) return failed('refused frame', true)
      return pausing(state, event.now + (rules.laterByte?.pauseMs ?? SETTLE_MS))
    case 'refused': {
      // A refusal is one byte, which noise can be too. Of several writes the last is the one that nothing else asks about.
      const attempt = state.attempt + 1
      if (state.question.repeatable && attempt <= rules.writes) return sending(state, attempt, state.uncertain)
      return pausing({ ...state, attempt }, event.now + SETTLE_MS)
    }
    case 'damaged':
      if (state.question.repeatable) return again(state, 'damaged answer', true, rules)
      return { ...state, spoiled: true, wakeAt: event.now + rules.gapMs }
    case 'time':
      if (event.now < Math.min(state.wakeAt, state.totalAt)) return state
      if (state.spoiled) return failed('damaged answer', true)
      if (event.now >= state.totalAt) return failed('too long', true)
      return state.question.repeatable ? again(state, 'no answer', true, rules) : failed('no answer', true)
    case 'noise':
    case 'sent':
      return state
  }
}

function whilePausing(state: In<'pausing'>, event: Occurrence, rules: ExchangeRules): ExchangeState {
  switch (event.kind) {
    case 'answer':
      return heardAnswer(state, event)
    case 'noise':
    case 'partial':
    case 'damaged':
      return { ...state, soiled: true, wakeAt: Math.max(state.wakeAt, event.now + SETTLE_MS) }
    case 'busy':
      return { ...state, uncertain: true, wakeAt: event.now + rules.gapMs }
    case 'later':
      if (mayBeAtWorkOn(state)) return failed('refused frame', true)
      return { ...state, wakeAt: event.now + (rules.laterByte?.pauseMs ?? SETTLE_MS) }
    case 'time':
      if (event.now < Math.min(state.wakeAt, state.totalAt)) return state
      // One flipped bit turns family C's ACK into its RETRY: with more bytes behind it, it was an answer.
      if (state.soiled && (isGivenUp(state, rules) || !state.question.repeatable)) return failed('damaged answer', true)
      if (isGivenUp(state, rules)) return failed('refused frame', state.uncertain)
      if (event.now >= state.totalAt) return failed('too long', state.uncertain)
      return sending(state, state.attempt, state.uncertain)
    case 'refused':
    case 'stale':
    case 'sent':
      return state
  }
}

function whileCollecting(state: In<'collecting'>, event: Occurrence, rules: ExchangeRules): ExchangeState {
  switch (event.kind) {
    case 'answer':
      return heardAnswer(state, event)
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
 * A device that has refused a frame and is busy now has perhaps found the command in it all the same, behind a doubled
 * first byte for instance. What must not be done twice is not written again then.
 */
const mayBeAtWorkOn = ({ question, attempt }: Progress): boolean => !question.repeatable && attempt > 1

/** All its writes are done, and the last of them was refused too. */
const isGivenUp = ({ attempt }: Progress, { writes }: ExchangeRules): boolean => attempt > writes

function again(state: Progress, why: Failure, uncertain: boolean, rules: ExchangeRules): ExchangeState {
  if (state.attempt >= rules.writes) return failed(why, uncertain)
  return sending(state, state.attempt + 1, uncertain)
}

const failed = (why: Failure, reached: boolean): ExchangeState => ({ at: 'failed', why, reached })

/** The next state of the same exchange. */
const moved = <Next extends object>({ question, attempt, totalAt, uncertain }: Progress, next: Next) => ({
  question,
  attempt,
  totalAt,
  uncertain,
  ...next,
})

const sending = (state: Progress, attempt: number, uncertain: boolean): ExchangeState =>
  moved(state, { at: 'sending', attempt, uncertain } as const)

const waiting = (state: Progress, wakeAt: number): ExchangeState =>
  moved(state, { at: 'waiting', wakeAt, spoiled: false } as const)

const pausing = (state: Progress, wakeAt: number): ExchangeState =>
  moved(state, { at: 'pausing', wakeAt, soiled: false } as const)

/** An answer has come: the last, or the first of several. */
const heardAnswer = (
  state: Progress,
  { now, last }: { readonly now: number; readonly last: boolean },
): ExchangeState =>
  last ? { at: 'answered' } : moved(state, { at: 'collecting', wakeAt: now + state.question.firstByteMs } as const)
