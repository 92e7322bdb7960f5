/** The steps of a run as plain data, which can be shrunk and saved. */
import { countText } from '../../drivers/model/count-text.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { describeCalls } from '../model/calls.ts'
import type { LogFailure } from './log-failure.ts'
import type { ManualAction } from './manual-actions.ts'
import { ACTION_NAMES, type OtherProgramAction } from './other-program.ts'

export type PaymentKind = 'nothing said' | 'card' | 'card and cash' | 'two cards and cash'

/** An adjustment of a subtotal, negative for a discount: a whole percentage, or an amount in hundredths. */
export type SubtotalAdjustment = { readonly percent: number } | { readonly amount: number }
export const AMOUNTS = [-100, -50, -1, 1, 250] as const

export type Wording = (typeof WORDINGS)[number]
export const WORDINGS = ['Romanian', 'Czech', 'decomposed letters', 'an emoji', 'number signs'] as const

export type LineStyle = 1 | 2 | 3 | 4

/**
 * A step of a receipt or of a non-fiscal receipt (slip). `by` is the percentage of a discount on the subtotal, or the
 * kind of an amount that identifies the request.
 */
export interface SingleStep {
  readonly do: (typeof SINGLE_STEPS)[number]
  readonly by?: { readonly percent: number } | { readonly amount: 'discount' | 'surcharge' }
  readonly wording?: Wording
  readonly key?: boolean
}
const SINGLE_STEPS = ['open', 'sale', 'text', 'discount', 'payCard', 'payRest', 'close', 'cancel', 'openSlip', 'slipText', 'closeSlip', 'cancelSlip'] as const // biome-ignore format: a list

/** Prints an order of the platform. The same order with the same token is the same request. */
export interface OrderStep {
  readonly do: 'order'
  readonly order: number
  readonly token: number
  readonly key?: number
  /** Set if the order is explicitly requested again, even if it was printed before. */
  readonly again?: true
}

export type LegacyCall = 'cash' | 'x' | 'z' | 'copy' | 'cancel'

/** Memory of a device that replaces another one and has the same serial number. */
export type OtherMemory = (typeof OTHER_MEMORIES)[number]
export const OTHER_MEMORIES = ['new', 'as many documents'] as const

/** Steps that define a request. The others refer to an earlier request. */
export type SentStep = Exclude<RequestStep, { do: 'again' } | { do: 'reuse' }>

export type Extra = (typeof EXTRAS)[number]
export const EXTRAS = ['discount', 'subtotal', 'separating line', 'same text again', 'barcode', 'free sale', 'row with surcharge', 'row taken back', 'invoice'] as const // biome-ignore format: a list

export type RequestStep =
  | {
      readonly do: 'receipt'
      readonly rows: number
      readonly paying: PaymentKind
      readonly with?: readonly Extra[]
      readonly by?: SubtotalAdjustment
      readonly free?: 'all taken off' | 'all taken back'
      readonly wording?: Wording
      readonly style?: LineStyle
      readonly key: boolean
    }
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
   * A whole receipt in legacy lines. `cancelled`: the last line voids the receipt. `inTwo`: there are two payments,
   * with a line of text between them.
   */
  | { readonly do: 'legacy receipt'; readonly key: boolean; readonly cancelled?: true; readonly inTwo?: true }
  /** A slip in legacy lines whose last line voids the slip. */
  | { readonly do: 'cancelled slip'; readonly key: boolean }
  | { readonly do: 'lines'; readonly calls: readonly LegacyCall[]; readonly key: boolean }
  | { readonly do: 'reuse' }
  | { readonly do: 'z' | 'x' | 'copy' | 'status'; readonly key?: boolean }

export interface UnderWay {
  readonly request: number
  readonly step: RequestStep
}

export type Step =
  | RequestStep
  | { readonly do: 'fault'; readonly rule: Rule }
  /** A manual action. It happens with the frame `write` of the service, counted from now on. */
  | { readonly do: 'hand'; readonly what: ManualAction; readonly write?: number; readonly also?: true }
  | { readonly do: 'wait'; readonly ms: number }
  /** An act of another program on the same device, with the frame `write` as for `hand`. */
  | { readonly do: 'otherProgram'; readonly deed: OtherProgramAction; readonly write?: number; readonly also?: true }
  /**
   * Cuts the line of the service, and of no other program, until the trouble ends: before frame `write` of the service
   * (`frame`), or before its answer (`answer`).
   */
  | { readonly do: 'cut'; readonly write: number; readonly loses: 'frame' | 'answer' }
  /**
   * Replaces the device at the port with another one, or, with `back`, with the previous one, with the frame `write` as
   * for `hand`. `behindAdapter`: the cable is moved at the far end of an adapter, whose port remains open.
   */
  | {
      readonly do: 'replaceDevice'
      readonly back?: true
      readonly write?: number
      readonly behindAdapter?: true
      /**
       * The device has the serial number of the previous one. Its memory is new, or contains as many documents, of
       * another program.
       */
      readonly memory?: OtherMemory
      readonly also?: true
    }
  /** A request of another client, sent with frame `write` of the service. */
  | { readonly do: 'meanwhile'; readonly request: RequestStep; readonly write: number }
  /** The operation log cannot be written: after `skip` writes, `times` writes fail. */
  | { readonly do: 'journal'; readonly trouble: LogFailure; readonly skip: number; readonly times: number }
  /** The wall clock of the computer jumps, with frame `write` of the service or at once (0). */
  | { readonly do: 'wall clock'; readonly byMs: number; readonly write: number }
  /**
   * The service dies at frame `write` of this request and is started again. `unsent`: that frame does not reach the
   * line.
   */
  | { readonly do: 'crash'; readonly during: RequestStep; readonly write: number; readonly unsent?: true }
  /**
   * The service is restarted and reconciles pending requests. `write`: it dies again at this frame of the
   * reconciliation. `losesPower`: its computer loses everything that was not flushed to the disk.
   */
  | { readonly do: 'restart'; readonly write?: number; readonly losesPower?: true }
  /** Arbitrary calls without faults, judged by the model (scenarios/model). A case with this step has no other. */
  | { readonly do: 'calls'; readonly draws: readonly number[] }

export interface Case {
  readonly family: Family
  readonly seed: number
  readonly profile?: string
  readonly slow: boolean
  /** Time until the power returns, in ms. The default is the time that a person needs. */
  readonly powerBackMs?: number
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

export function describeStep(step: Step): string {
  switch (step.do) {
    case 'receipt':
      return `print a receipt of ${countText(step.rows, 'row')}${withExtras(step)}, ${step.free ?? `paid: ${step.paying}`}${withKey(step)}`
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
      return `the operation log is ${step.trouble} for ${countText(step.times, 'write')}${step.skip > 0 ? `, after ${step.skip}` : ''}`
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
  return `the memory of the device is ${memory === 'new' ? 'a new one' : 'replaced by another one with the same number of documents'}`
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
