import type { Family } from '../../drivers/model/families.ts'
import type { Rule } from '../faults/rule.ts'
import type { FactorySettings } from '../fiscal/types/profile.ts'
import type { Identity } from '../identity.ts'
import type { RealisticTimes } from '../line/durations.ts'
import type { Passport } from '../passport/passport.ts'

export interface PrinterPlan {
  readonly name: string
  readonly family: Family
  /** Absent: the first profile of the family. */
  readonly profile?: string
  readonly settings: FactorySettings
  /** Path of the folder of the books. Absent: in memory. */
  readonly data?: string
  readonly deviceName?: string
  readonly identity?: Identity
  readonly switches?: Readonly<Record<string, string>>
  readonly passport?: Passport
  readonly rules?: readonly Rule[]
  readonly seed: number

  /** 0: any free port. */
  readonly tcp?: number
  /** Address to which the TCP port is bound. Absent: loopback. */
  readonly host?: string
  readonly link?: string
  readonly baud?: number
  /** Durations of commands. Absent: commands take no time. */
  readonly times?: RealisticTimes
  readonly frameHistorySize?: number
}
