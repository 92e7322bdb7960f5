import type { ProtocolAdapter, WireTypes } from './link/protocol-adapter.ts'
import type { Session } from './link/session.ts'
import type { Link, LinkRules } from './link/types.ts'
import type { Capabilities } from './model/capabilities.ts'
import type { FiscalPrinter } from './model/printer.ts'
import type { Customer } from './model/receipt.ts'
import type { FrameShape } from './wire/deframer.ts'

/** A family of devices as the driver side knows it: what `drivers/family-x/index.ts` exports. */
export interface DriverFamily<W extends WireTypes = WireTypes> {
  readonly linkRules: LinkRules<W['frame']>
  /** Frames as the device reads them. */
  readonly deviceHears: FrameShape<unknown>
  /** Usual speeds of a serial line, in the order of their use; without a word it is the first. */
  readonly bauds: readonly [number, ...number[]]
  readonly defaultTcpPort: number
  /** A whole question that changes nothing, whoever answers: is a device of this family there? */
  readonly probe: Uint8Array
  /** `session`: with the device, as far as it has been reached. */
  capabilities(settings: DriverSettings, session?: Pick<Session<W>, 'edition' | 'facts'>): Capabilities
  protocolAdapter(settings: DriverSettings, link: Link<W['frame']>): ProtocolAdapter<W>
  operations(session: Session<W>, settings: DriverSettings): Operations
}

/** What a printer does, apart from what all families do alike. */
export type Operations = Omit<
  FiscalPrinter,
  'family' | 'capabilities' | 'connect' | 'disconnect' | 'state' | 'onWaiting' | 'brokenSince'
>

/** How long a driver waits for its device; without, as the sheet of the family has it. */
export interface Waits {
  /** Time from the end of a frame to the first byte of anything. */
  readonly firstAnswerMs?: number
  /** Between the bytes of an answer, and between two words of a device that says that it works. */
  readonly gapMs?: number
  /** The whole of one command, what it prints included: also of those that the sheet gives more time, such as reports. */
  readonly documentMs?: number
}

export const WAIT_NAMES = ['firstAnswerMs', 'gapMs', 'documentMs'] as const satisfies readonly (keyof Waits)[]
/** Limits of each of them. */
export const WAIT_MIN_MS = 10
export const WAIT_MAX_MS = 600_000

export interface DriverSettings {
  /** PaymentMode -> the family's wire code, over the family's own table. */
  readonly payments?: Readonly<Record<number, string>>
  /** What an invoice is filled with when the caller gave no customer. */
  readonly customer?: Customer
  readonly waits?: Waits
  /** 0 to 1, for choosing the first sequence number. */
  readonly random: () => number
  /** The family's own switches, e.g. `codePage` of A's second profile, `openThirdField` of B. */
  readonly options?: Readonly<Record<string, string>>
}
