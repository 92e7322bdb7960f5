import type { ProtocolAdapter, WireTypes } from './link/protocol-adapter.ts'
import type { Session } from './link/session.ts'
import type { Link, LinkRules } from './link/types.ts'
import type { Capabilities } from './model/capabilities.ts'
import type { FiscalPrinter } from './model/printer.ts'
import type { Customer } from './model/receipt.ts'
import type { FrameShape } from './wire/deframer.ts'

export interface DriverFamily<W extends WireTypes = WireTypes> {
  readonly linkRules: LinkRules<W['frame']>
  readonly framesToDevice: FrameShape<unknown>
  /** Speeds of a serial line in the order in which they are tried. The first is the default. */
  readonly bauds: readonly [number, ...number[]]
  readonly defaultTcpPort: number
  /** A complete query that changes nothing on a device of any family. It detects devices of this family. */
  readonly probe: Uint8Array
  /** `session`: if present, the capabilities include details that the start-up has read from the device. */
  capabilities(settings: DriverSettings, session?: Pick<Session<W>, 'edition' | 'facts'>): Capabilities
  protocolAdapter(settings: DriverSettings, link: Link<W['frame']>): ProtocolAdapter<W>
  operations(session: Session<W>, settings: DriverSettings): Operations
}

export type Operations = Omit<
  FiscalPrinter,
  'family' | 'capabilities' | 'connect' | 'disconnect' | 'state' | 'onWaiting' | 'brokenSince'
>

/** Time limits of the driver. A missing limit has the default of the family's protocol specification. */
export interface Waits {
  /** Time from the end of a frame to the first byte of any kind. */
  readonly firstAnswerMs?: number
  /** Time between the bytes of an answer, and between two busy bytes of a device. */
  readonly gapMs?: number
  /**
   * Time of the whole command, including printing. It also replaces the longer limits of some commands, such as
   * reports.
   */
  readonly documentMs?: number
}

export const WAIT_NAMES = ['firstAnswerMs', 'gapMs', 'documentMs'] as const satisfies readonly (keyof Waits)[]
export const WAIT_MIN_MS = 10
export const WAIT_MAX_MS = 600_000

export interface DriverSettings {
  /** Wire codes by PaymentMode. They replace entries of the family's table. */
  readonly payments?: Readonly<Record<number, string>>
  readonly customer?: Customer
  readonly waits?: Waits
  /** Returns a number from 0 to 1, which selects the first sequence number. */
  readonly random: () => number
  /** Options that only this family has, for example `codePage` of family A or `openThirdField` of family B. */
  readonly options?: Readonly<Record<string, string>>
}
