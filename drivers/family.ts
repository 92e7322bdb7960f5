import type { ProtocolAdapter, WireTypes } from './link/protocol-adapter.ts'
import type { Session } from './link/session.ts'
import type { Link, LinkRules } from './link/types.ts'
import type { Capabilities } from './model/capabilities.ts'
import type { FiscalPrinter } from './model/printer.ts'
import type { Customer } from './model/receipt.ts'
import type { FrameShape } from './wire/deframer.ts'

/** The driver side of a family of devices, exported by `drivers/family-x/index.ts`. */
export interface DriverFamily<W extends WireTypes = WireTypes> {
  readonly linkRules: LinkRules<W['frame']>
  /** Frames as the device reads them. */
  readonly framesToDevice: FrameShape<unknown>
  /** Usual speeds of a serial line, in the order in which they are tried; the first is the default. */
  readonly bauds: readonly [number, ...number[]]
  readonly defaultTcpPort: number
  /** A complete query that changes nothing on any device, to detect a device of this family. */
  readonly probe: Uint8Array
  /** Returns the capabilities. `session`: if present, for details that the start-up has read from the device. */
  capabilities(settings: DriverSettings, session?: Pick<Session<W>, 'edition' | 'facts'>): Capabilities
  protocolAdapter(settings: DriverSettings, link: Link<W['frame']>): ProtocolAdapter<W>
  operations(session: Session<W>, settings: DriverSettings): Operations
}

/** The operations of a printer, without those that all families share. */
export type Operations = Omit<
  FiscalPrinter,
  'family' | 'capabilities' | 'connect' | 'disconnect' | 'state' | 'onWaiting' | 'brokenSince'
>

/** Time limits of a driver; the defaults are those of the family's sheet. */
export interface Waits {
  /** Time from the end of a frame to the first byte of any kind. */
  readonly firstAnswerMs?: number
  /** Time between the bytes of an answer, and between two busy bytes of a device. */
  readonly gapMs?: number
  /**
   * Time of the whole command, including printing; also replaces the longer limits that the sheet has for some
   * commands, such as reports.
   */
  readonly documentMs?: number
}

export const WAIT_NAMES = ['firstAnswerMs', 'gapMs', 'documentMs'] as const satisfies readonly (keyof Waits)[]
export const WAIT_MIN_MS = 10
export const WAIT_MAX_MS = 600_000

export interface DriverSettings {
  /** Wire codes by PaymentMode; they replace entries of the family's own table. */
  readonly payments?: Readonly<Record<number, string>>
  readonly customer?: Customer
  readonly waits?: Waits
  /** Returns a number from 0 to 1, from which the first sequence number is chosen. */
  readonly random: () => number
  /** The family's own switches, for example `codePage` of A's second profile, `openThirdField` of B. */
  readonly options?: Readonly<Record<string, string>>
}
