/** What a run consists of, as plain data, so that it shrinks and can be kept in a file: requests, faults, hands, time. */
import type { Family } from '../../drivers/model/families.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { describeCalls } from '../model/calls.ts'
import type { Hand } from './hands.ts'
import type { LogFailure } from './log-failure.ts'
import { DEED_NAMES, type OtherProgramAction } from './other-program.ts'

export type Paying = 'nothing said' | 'card' | 'card and cash' | 'two cards and cash'

/** On a subtotal, below zero a discount: whole percents, or hundredths. */
export type Adjusted = { readonly percent: number } | { readonly amount: number }
/** Those amounts that whole receipts draw. */
export const AMOUNTS = [-100, -50, -1, 1, 250] as const

/** What a line of text says behind the number of its request; absent: nothing more. */
export type Wording = (typeof WORDINGS)[number]
export const WORDINGS = ['Romanian', 'Czech', 'decomposed letters', 'an emoji', 'number signs'] as const

/** Separating lines are of four styles; the first is what `separating line` has without more. */
export type LineStyle = 1 | 2 | 3 | 4

/**
 * One step of a receipt, or of a slip, which is not fiscal; `discount` is one on the subtotal, `by` so much (an amount is
 * that of the request).
 */
export interface SingleStep {
  readonly do: (typeof SINGLE_STEPS)[number]
  readonly by?: { readonly percent: number } | { readonly amount: 'discount' | 'surcharge' }
  readonly wording?: Wording
  readonly key?: boolean
}
const SINGLE_STEPS = ['open', 'sale', 'text', 'discount', 'payCard', 'payRest', 'close', 'cancel', 'openSlip', 'slipText', 'closeSlip', 'cancelSlip'] as const // biome-ignore format: a list

/** Prints an order of the platform; the same order and token is the same request. */
export interface OrderStep {
  readonly do: 'order'
  readonly order: number
  readonly token: number
  /** Number of an `Idempotency-Key`, which orders may have in common; without, none. */
  readonly key?: number
  /** It is asked for once more, whether it was printed before or not. */
  readonly again?: true
}

/** Service calls of the legacy formats. */
export type LegacyCall = 'cash' | 'x' | 'z' | 'copy' | 'cancel'

/** Another memory under the numbers of the device. */
export type OtherMemory = (typeof OTHER_MEMORIES)[number]
export const OTHER_MEMORIES = ['new', 'as many documents'] as const

/** What a client sends as it stands; the others stand for an earlier one. */
export type SentStep = Exclude<RequestStep, { do: 'again' } | { do: 'reuse' }>

/** What a whole receipt has besides: a discount on its subtotal, further rows, what leaves no sum, an opening of its own. */
export type Extra = (typeof EXTRAS)[number]
export const EXTRAS = ['discount', 'subtotal', 'separating line', 'same text again', 'barcode', 'free sale', 'row with surcharge', 'row taken back', 'invoice'] as const // biome-ignore format: a list

export type RequestStep =
  /** A whole receipt; with a key it can be sent again. */
  | {
      readonly do: 'receipt'
      readonly rows: number
      readonly paying: Paying
      readonly with?: readonly Extra[]
      /** Of its subtotal, in place of the extra `discount`. */
      readonly by?: Adjusted
      /** It comes to 0.00, and nothing is paid. */
      readonly free?: 'all taken off' | 'all taken back'
      readonly wording?: Wording
      /** Of its separating line. */
      readonly style?: LineStyle
      readonly key: boolean
    }
  /** The last request with a key once more. */
  | { readonly do: 'again' }
  | {
      readonly do: 'slip'
      readonly with?: readonly Extra[]
      readonly wording?: Wording
      readonly style?: LineStyle
      readonly key: boolean
    }
  | SingleStep
  | OrderStep
  /**
   * A whole receipt in legacy lines; `cancelled`: they take it back at the end, and it is printed as such; `inTwo`: a line
   * of text stands between two payments.
   */
  | { readonly do: 'legacy receipt'; readonly key: boolean; readonly cancelled?: true; readonly inTwo?: true }
  /** A slip in legacy lines, which take it back at the end. */
  | { readonly do: 'cancelled slip'; readonly key: boolean }
  /** Legacy lines of several calls. */
  | { readonly do: 'lines'; readonly calls: readonly LegacyCall[]; readonly key: boolean }
  /** A receipt with the key of the last request that had one: the key is used again. */
  | { readonly do: 'reuse' }
  | { readonly do: 'z' | 'x' | 'copy' | 'status'; readonly key?: boolean }

/** A request that is sent and not answered yet, by its number. */
export interface UnderWay {
  readonly request: number
  readonly step: RequestStep
}

export type Step =
  | RequestStep
  | { readonly do: 'fault'; readonly rule: Rule }
  /** `write`: with the n-th frame that the service writes from now on. */
  | { readonly do: 'hand'; readonly what: Hand; readonly write?: number; readonly also?: true }
  | { readonly do: 'wait'; readonly ms: number }
  /** Another program on the same device; `write`: with the n-th frame that the service writes from now on. */
  | { readonly do: 'otherProgram'; readonly deed: OtherProgramAction; readonly write?: number; readonly also?: true }
  /**
   * The line of the service, and of no other program, is cut until the trouble ends: before the n-th frame that the
   * service writes from now on (`frame`), or before the answer to it.
   */
  | { readonly do: 'cut'; readonly write: number; readonly loses: 'frame' | 'answer' }
  /**
   * Another device of the same kind stands at the port from now on; `back`: the one before it, if there was one. `write`:
   * from the n-th frame that the service writes; without it, `behindAdapter`: the cable is moved at the other end of an
   * adapter, whose port stays open.
   */
  | {
      readonly do: 'exchange'
      readonly back?: true
      readonly write?: number
      readonly behindAdapter?: true
      /** The device carries the numbers of the one before it; its memory is new, or holds as many documents of another program. */
      readonly memory?: OtherMemory
      readonly also?: true
    }
  /** Another client sends a request of its own, with the n-th frame that the service writes from now on. */
  | { readonly do: 'meanwhile'; readonly request: RequestStep; readonly write: number }
  /** The service's own journal cannot be written: after `skip` writes, `times` writes fail. */
  | { readonly do: 'journal'; readonly trouble: LogFailure; readonly skip: number; readonly times: number }
  /** The wall clock of the computer jumps: now (`write` 0), or with the n-th frame that the service writes. */
  | { readonly do: 'wall clock'; readonly byMs: number; readonly write: number }
  /**
   * The service dies at the n-th frame that it writes during this request, and is started again; `unsent`: that frame does
   * not reach the line.
   */
  | { readonly do: 'crash'; readonly during: RequestStep; readonly write: number; readonly unsent?: true }
  /**
   * The service is started again and reconciles what it finds; `write`: it dies once more at the n-th frame that it writes
   * for that; `losesPower`: its computer has forgotten what was not flushed to the disk.
   */
  | { readonly do: 'restart'; readonly write?: number; readonly losesPower?: true }
  /** Arbitrary calls without any trouble, judged by the model of a fiscal printer (scenarios/model): alone in its case. */
  | { readonly do: 'calls'; readonly draws: readonly number[] }

export interface Case {
  readonly family: Family
  readonly seed: number
  /** Of the device; absent: the family's first. */
  readonly profile?: string
  /** The device takes its real time. */
  readonly slow: boolean
  /** After a power cut; absent: as long as a person takes. */
  readonly powerBackMs?: number
  /** Characters that the line gives when the power comes back. */
  readonly powerOnNoise?: string
  readonly steps: readonly Step[]
}

export const isRequest = (step: Step): step is RequestStep => !NO_REQUESTS.has(step.do)
const NO_REQUESTS: ReadonlySet<Step['do']> = new Set<Step['do']>([
  'fault',
  'hand',
  'wait',
  'otherProgram',
  'cut',
  'exchange',
  'meanwhile',
  'journal',
  'wall clock',
  'crash',
  'restart',
  'calls',
])

/** A step in words. */
export function describeStep(step: Step): string {
  switch (step.do) {
    case 'receipt':
      return `print a receipt of ${step.rows} ${step.rows === 1 ? 'row' : 'rows'}${withExtras(step)}, ${step.free ?? `paid: ${step.paying}`}${withKey(step)}`
    case 'again':
      return 'send the last request with a key again'
    case 'order': {
      const key = step.key === undefined ? '' : `, with key ${step.key}`
      return `print order ${step.order} by token ${step.token}${step.again ? ', again' : ''}${key}`
    }
    case 'lines':
      return `legacy lines: ${step.calls.join(', ')}${withKey(step)}`
    case 'reuse':
      return 'print another receipt with the last key'
    case 'legacy receipt':
      return `legacy lines of a receipt${step.cancelled ? ' that is cancelled' : ''}${step.inTwo ? ', paid in two ways, a text between them' : ''}${withKey(step)}`
    case 'cancelled slip':
      return `legacy lines of a non-fiscal receipt that is cancelled${withKey(step)}`
    case 'slip':
      return `print a non-fiscal receipt${withExtras(step)}${withKey(step)}`
    case 'openSlip':
      return `open a non-fiscal receipt${withKey(step)}`
    case 'slipText':
      return `print a line on the non-fiscal receipt${withExtras(step)}${withKey(step)}`
    case 'closeSlip':
      return `close the non-fiscal receipt${withKey(step)}`
    case 'cancelSlip':
      return `cancel the non-fiscal receipt${withKey(step)}`
    case 'text':
      return `print a line on the fiscal receipt${withExtras(step)}${withKey(step)}`
    case 'open':
    case 'close':
    case 'cancel':
      return `${step.do} a fiscal receipt${withKey(step)}`
    case 'sale':
      return `sell an article${withKey(step)}`
    case 'discount':
      return `${step.by === undefined ? 'take a discount off the subtotal' : `adjust the subtotal${withExtras(step)}`}${withKey(step)}`
    case 'payCard':
      return `pay a part by card${withKey(step)}`
    case 'payRest':
      return `pay the rest in cash${withKey(step)}`
    case 'z':
    case 'x':
      return `report ${step.do.toUpperCase()}${withKey(step)}`
    case 'copy':
      return `copy the last receipt${withKey(step)}`
    case 'status':
      return 'ask for the transaction'
    case 'fault':
      return `fault: ${JSON.stringify(step.rule)}`
    case 'hand':
      return `by hand: ${step.what}${withFrame(step)}`
    case 'wait':
      return `${step.ms} ms pass`
    case 'calls':
      return `calls: ${describeCalls(step.draws)}`
    case 'otherProgram':
      return `another program ${DEED_NAMES[step.deed]}${withFrame(step)}`
    case 'cut':
      return `the line of the service is cut before ${step.loses === 'frame' ? '' : 'the answer to '}frame ${step.write}`
    case 'exchange':
      return (
        describeExchange(step) +
        (step.behindAdapter ? ', behind its adapter' : '') +
        (step.write === undefined ? '' : `, with frame ${step.write}`)
      )
    case 'meanwhile':
      return `another client, with frame ${step.write}: ${describeStep(step.request)}`
    case 'journal':
      return `the operation log is ${step.trouble} for ${step.times} writes${step.skip > 0 ? `, after ${step.skip}` : ''}`
    case 'wall clock':
      return `the wall clock jumps by ${step.byMs / 3_600_000} h${step.write > 0 ? `, with frame ${step.write}` : ''}`
    case 'crash':
      return `the service dies at frame ${step.write}${step.unsent ? ', which is not sent,' : ''} of: ${describeStep(step.during)}`
    case 'restart':
      return [
        `the service is started again${step.losesPower ? ' after a power failure of its computer' : ''}`,
        ...(step.write === undefined ? [] : [`and dies at frame ${step.write} of what it reconciles`]),
      ].join(', ')
  }
}

function describeExchange({ back, memory }: Extract<Step, { do: 'exchange' }>): string {
  if (back) return 'the device before this one is connected again'
  if (memory === undefined) return 'the device is exchanged for another one'
  return `the memory of the device is ${memory === 'new' ? 'a new one' : 'another one, with as many documents'}`
}

const withFrame = ({ write }: { readonly write?: number }): string =>
  write === undefined ? '' : `, with frame ${write}`
const withKey = ({ key }: { readonly key?: boolean }): string => (key ? ', with a key' : '')
interface Varied {
  readonly with?: readonly Extra[]
  readonly by?: Adjusted | SingleStep['by']
  readonly wording?: Wording
  readonly style?: LineStyle
}

function withExtras({ with: extras = [], by, wording, style }: Varied): string {
  const all = [
    ...extras,
    ...(by === undefined
      ? []
      : ['percent' in by ? `${by.percent} % on the subtotal` : `an amount on the subtotal (${by.amount})`]),
    ...(wording === undefined ? [] : [`a text of ${wording}`]),
    ...(style === undefined ? [] : [`a separating line of style ${style}`]),
  ]
  return all.length > 0 ? ` with ${all.join(', ')}` : ''
}
