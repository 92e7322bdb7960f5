import { createDriver } from './driver.ts'
import { type DriverFamilies, driverFamilies } from './families.ts'
import type { DriverSettings, Waits } from './family.ts'
import { openerOf, parseDevice } from './link/device-reach.ts'
import { createLink } from './link/link.ts'
import type { Binding } from './link/port.ts'
import type { LinkRules, TraceListener } from './link/types.ts'
import type { Capabilities } from './model/capabilities.ts'
import { type Clock, systemClock } from './model/clock.ts'
import { type Family, familyIn } from './model/families.ts'
import { omitUndefined } from './model/omit-undefined.ts'
import type { FiscalPrinter } from './model/printer.ts'
import type { Customer } from './model/receipt.ts'

/** The only door to a device for the service: a configuration in, a `FiscalPrinter` out. */

export interface PrinterConfig {
  readonly family: Family
  /** A path (`/dev/ttyUSB0`, `COM3`), `tcp://HOST:PORT` or `tcp://HOST:PORT?rfc2217`; the port may be left out for the family's own. */
  readonly device: string
  /** Of a serial line; the family's default without. */
  readonly baud?: number
  /** PaymentMode -> the family's wire code, over the family's own table. */
  readonly payments?: Readonly<Record<number, string>>
  /** What an invoice is filled with when the caller gives no customer. */
  readonly customer?: Customer
  readonly waits?: Waits
  /** The family's own switches (`DriverSettings.options`). */
  readonly options?: Readonly<Record<string, string>>
}

export interface PrinterSeams {
  /** In place of those that this package has. */
  readonly families?: DriverFamilies
  /** In place of the operating system's serial ports: an emulator's binding, the stock mock. Not used for TCP. */
  readonly binding?: Binding
  readonly clock?: Clock
  /** 0 to 1. */
  readonly random?: () => number
  readonly trace?: TraceListener
  /** One line per opening, loss and repeat. */
  readonly log?: (line: string) => void
}

/**
 * Opens nothing yet: the first operation reaches for the port, and so does every operation after the port was lost.
 * Throws RangeError for a family or device that cannot be.
 */
export function openPrinter(config: PrinterConfig, seams: PrinterSeams = {}): FiscalPrinter {
  const family = familyIn(seams.families ?? driverFamilies, config.family, 'driver for')
  const clock = seams.clock ?? systemClock
  const device = parseDevice(config.device, family.defaultTcpPort)
  const port = openerOf(device, config.baud ?? family.bauds[0], clock, seams.binding)
  const link = createLink(withWaits(family.linkRules, config.waits), port, {
    path: config.device,
    clock,
    trace: seams.trace,
    log: seams.log,
  })
  return createDriver(config.family, family, link, settingsOf(config, seams))
}

function withWaits<Frame>(rules: LinkRules<Frame>, { firstAnswerMs, gapMs, documentMs }: Waits = {}): LinkRules<Frame> {
  return { ...rules, ...omitUndefined({ firstByteMs: firstAnswerMs, gapMs, totalMs: documentMs }) }
}

/** What a family can do under these settings, before any device is reached. Throws RangeError for an unknown family. */
export const capabilitiesOf = (config: PrinterConfig, families: DriverFamilies = driverFamilies): Capabilities =>
  familyIn(families, config.family, 'driver for').capabilities(settingsOf(config, {}))

const settingsOf = (config: PrinterConfig, seams: PrinterSeams): DriverSettings => ({
  random: seams.random ?? Math.random,
  ...(config.waits ? { waits: config.waits } : {}),
  ...(config.payments ? { payments: config.payments } : {}),
  ...(config.customer ? { customer: config.customer } : {}),
  ...(config.options ? { options: config.options } : {}),
})

export { type DriverFamilies, driverFamilies, FAMILIES } from './families.ts'
export type { Waits } from './family.ts'
export type { Binding } from './link/port.ts'
export type { TraceListener } from './link/types.ts'
export type { Capabilities } from './model/capabilities.ts'
export type { FiscalPrinter } from './model/printer.ts'
