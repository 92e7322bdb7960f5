/** The parts of a run as plain data that can be shrunk and saved in a file: requests, faults, manual actions, time. */
import type { Family } from '../../drivers/model/families.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { describeCalls } from '../model/calls.ts'
import type { LogFailure } from './log-failure.ts'
import type { ManualAction } from './manual-actions.ts'
import { ACTION_NAMES, type OtherProgramAction } from './other-program.ts'

export type PaymentKind = 'nothing said' | 'card' | 'card and cash' | 'two cards and cash'

/** An adjustment of a subtotal, negative for a discount: whole percents, or hundredths. */
export type SubtotalAdjustment = { readonly percent: number } | { readonly amount: number }
/** Amounts from which whole receipts choose. */
export const AMOUNTS = [-100, -50, -1, 1, 250] as const

/** Text that follows the number of the request in a line; undefined: none. */
export type Wording = (typeof WORDINGS)[number]
export const WORDINGS = ['Romanian', 'Czech', 'decomposed letters', 'an emoji', 'number signs'] as const

/** The four styles of separating lines; `separating line` alone means the first. */
export type LineStyle = 1 | 2 | 3 | 4

/**
 * One step of a receipt, or of a non-fiscal receipt (slip). `discount` is one on the subtotal; `by` is its percentage,
 * or the kind of an amount that identifies the request.
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
  /** Number of an `Idempotency-Key`, which orders may share; undefined: no key. */
  readonly key?: number
  /** The order is explicitly requested again, whether it was printed before or not. */
  readonly again?: true
}

/** Service calls of the legacy formats. */
export type LegacyCall = 'cash' | 'x' | 'z' | 'copy' | 'cancel'

/** Another memory under the numbers of the device. */
export type OtherMemory = (typeof OTHER_MEMORIES)[number]
export const OTHER_MEMORIES = ['new', 'as many documents'] as const

/** Steps that are sent as they are; the others refer to an earlier one. */
export type SentStep = Exclude<RequestStep, { do: 'again' } | { do: 'reuse' }>

/**
 * Optional parts of a whole receipt: a discount on its subtotal, further rows, elements without a sum, its own opening.
 */
export type Extra = (typeof EXTRAS)[number]
export const EXTRAS = ['discount', 'subtotal', 'separating line', 'same text again', 'barcode', 'free sale', 'row with surcharge', 'row taken back', 'invoice'] as const // biome-ignore format: a list

export type RequestStep =
  /** A whole receipt; with a key it can be retried. */
  | {
      readonly do: 'receipt'
      readonly rows: number
      readonly paying: PaymentKind
      readonly with?: readonly Extra[]
      /** Adjustment of its subtotal, in place of the extra `discount`. */
      readonly by?: SubtotalAdjustment
      /** Its total is 0.00, and nothing is paid. */
      readonly free?: 'all taken off' | 'all taken back'
      readonly wording?: Wording
      /** Style of its separating line. */
      readonly style?: LineStyle
      readonly key: boolean
    }
  /** Retries the last request with a key. */
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
   * A whole receipt in legacy lines; `cancelled`: they void it at the end, and it is printed as void; `inTwo`: a line
   * of text is between two payments.
   */
  | { readonly do: 'legacy receipt'; readonly key: boolean; readonly cancelled?: true; readonly inTwo?: true }
  /** A slip in legacy lines that void it at the end. */
  | { readonly do: 'cancelled slip'; readonly key: boolean }
  /** Legacy lines of several calls. */
  | { readonly do: 'lines'; readonly calls: readonly LegacyCall[]; readonly key: boolean }
  /** A receipt with the key of the last request that had one. */
  | { readonly do: 'reuse' }
  | { readonly do: 'z' | 'x' | 'copy' | 'status'; readonly key?: boolean }

/** A request that was sent and not answered yet, by its number. */
export interface UnderWay {
  readonly request: number
  readonly step: RequestStep
}

export type Step =
  | RequestStep
  | { readonly do: 'fault'; readonly rule: Rule }
  /** `write`: with the n-th frame that the service writes from now on. */
  | { readonly do: 'hand'; readonly what: ManualAction; readonly write?: number; readonly also?: true }
  | { readonly do: 'wait'; readonly ms: number }
  /** Another program on the same device; `write`: with the n-th frame that the service writes from now on. */
  | { readonly do: 'otherProgram'; readonly deed: OtherProgramAction; readonly write?: number; readonly also?: true }
  /**
   * The line of the service, and of no other program, is cut until the trouble ends: before the n-th frame that the
   * service writes from now on (`frame`), or before the answer to it.
   */
  | { readonly do: 'cut'; readonly write: number; readonly loses: 'frame' | 'answer' }
  /**
   * Connects another device of the same kind to the port; `back`: the previous one, if there was one. `write`: from the
   * n-th frame that the service writes; without it, `behindAdapter`: the cable is moved at the far end of an adapter,
   * whose port stays open.
   */
  | {
      readonly do: 'replaceDevice'
      readonly back?: true
      readonly write?: number
      readonly behindAdapter?: true
      /**
       * The device has the numbers of the previous one; its memory is new, or contains as many documents of another
       * program.
       */
      readonly memory?: OtherMemory
      readonly also?: true
    }
  /** Another client sends its own request, with the n-th frame that the service writes from now on. */
  | { readonly do: 'meanwhile'; readonly request: RequestStep; readonly write: number }
  /** The operation log cannot be written: after `skip` writes, `times` writes fail. */
  | { readonly do: 'journal'; readonly trouble: LogFailure; readonly skip: number; readonly times: number }
  /** The wall clock of the computer jumps: now (`write` 0), or with the n-th frame that the service writes. */
  | { readonly do: 'wall clock'; readonly byMs: number; readonly write: number }
  /**
   * The service dies at the n-th frame that it writes during this request, and is started again; `unsent`: that frame
   * does not reach the line.
   */
  | { readonly do: 'crash'; readonly during: RequestStep; readonly write: number; readonly unsent?: true }
  /**
   * The service is started again and reconciles what it finds; `write`: it dies once more at the n-th frame that it
   * writes for that; `losesPower`: its computer has lost what was not flushed to the disk.
   */
  | { readonly do: 'restart'; readonly write?: number; readonly losesPower?: true }
  /**
   * Arbitrary calls without faults, judged by the model of a fiscal printer (scenarios/model): the only step of its
   * case.
   */
  | { readonly do: 'calls'; readonly draws: readonly number[] }

export interface Case {
  readonly family: Family
  readonly seed: number
  /** Profile of the device; by default the first of the family. */
  readonly profile?: string
  /** The device takes its real time. */
  readonly slow: boolean
  /** Time until the power returns after a cut, in ms; by default the time that a person needs. */
  readonly powerBackMs?: number
  /** Characters that the line delivers when the power returns. */
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
  'replaceDevice',
  'meanwhile',
  'journal',
  'wall clock',
  'crash',
  'restart',
  'calls',
])

/** Describes a step for reports. */
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
      return `pay the remaining amount in cash${withKey(step)}`
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
      return `another program ${ACTION_NAMES[step.deed]}${withFrame(step)}`
    case 'cut':
      return `the line of the service is cut before ${step.loses === 'frame' ? '' : 'the answer to '}frame ${step.write}`
    case 'replaceDevice':
      return (
        describeExchange(step) +
        (step.behindAdapter ? ', after its adapter' : '') +
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

function describeExchange({ back, memory }: Extract<Step, { do: 'replaceDevice' }>): string {
  if (back) return 'the device before this one is connected again'
  if (memory === undefined) return 'the device is replaced by another one'
  return `the memory of the device is ${memory === 'new' ? 'a new one' : 'another one, with as many documents'}`
}

const withFrame = ({ write }: { readonly write?: number }): string =>
  write === undefined ? '' : `, with frame ${write}`
const withKey = ({ key }: { readonly key?: boolean }): string => (key ? ', with a key' : '')
interface StepVariant {
  readonly with?: readonly Extra[]
  readonly by?: SubtotalAdjustment | SingleStep['by']
  readonly wording?: Wording
  readonly style?: LineStyle
}

function withExtras({ with: extras = [], by, wording, style }: StepVariant): string {
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
