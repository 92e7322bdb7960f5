import type { Family } from '../../drivers/model/families.ts'
import type { Rule } from '../faults/rule.ts'
import type { FactorySettings } from '../fiscal/types/profile.ts'
import type { Identity } from '../identity.ts'
import type { RealisticTimes } from '../line/durations.ts'
import type { Passport } from '../passport/form.ts'

/** One printer of the floor, as plain data: it goes to the thread that runs the printer. */
export interface PrinterPlan {
  /** It is told by, and found by in the control interface. */
  readonly name: string
  readonly family: Family
  /** The family's first without. */
  readonly profile?: string
  readonly settings: FactorySettings
  /** A folder; in memory without. */
  readonly data?: string
  /** Keeps several devices of one kind in one folder. */
  readonly deviceName?: string
  readonly identity?: Identity
  readonly switches?: Readonly<Record<string, string>>
  /** Somebody's device, which this one is to be. */
  readonly passport?: Passport
  /** Fault rules from the start. */
  readonly rules?: readonly Rule[]
  /** Of everything random. */
  readonly seed: number

  /** 0: any free port. */
  readonly tcp?: number
  /** Address that the TCP port is bound to; loopback without. */
  readonly host?: string
  /** Path of a pseudo terminal's link. */
  readonly link?: string
  /** True speed of the lines. */
  readonly baud?: number
  /** Time that printing takes; instant without. */
  readonly times?: RealisticTimes
  readonly frameHistorySize?: number
}
