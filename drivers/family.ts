import type { Link, LinkDialect } from './link/types.ts'
import type { Capabilities, FiscalPrinter } from './model/printer.ts'
import type { Customer, Family } from './model/receipt.ts'

/** A family of devices as the driver side knows it: what `drivers/family-x/index.ts` exports. */
export interface DriverFamily<Frame = unknown> {
  readonly family: Family
  readonly dialect: LinkDialect<Frame>
  readonly defaultBaud: number
  readonly defaultTcpPort: number
  capabilities(settings: DriverSettings): Capabilities
  createDriver(link: Link<Frame>, settings: DriverSettings): FiscalPrinter
}

export interface DriverSettings {
  /** PaymentMode -> the family's wire code, over the family's own table. */
  readonly payments?: Readonly<Record<number, string>>
  /** What an invoice is filled with when the caller gave no customer. */
  readonly customer?: Customer
  /** 0 to 1, for choosing the first sequence number. */
  readonly random: () => number
  /** The family's own switches, e.g. `codePage` of A's second profile, `openThirdField` of B. */
  readonly options?: Readonly<Record<string, string>>
}
