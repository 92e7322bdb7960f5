/** Creates a `FiscalPrinter` from a configuration. The service accesses devices only through this module. */
import { createDriver } from './driver.ts'
import { type DriverFamilies, driverFamilies } from './families.ts'
import type { DriverSettings, Waits } from './family.ts'
import { openerOf, parseDevice } from './link/device-address.ts'
import { createLink } from './link/link.ts'
import type { Binding } from './link/port.ts'
import type { LinkRules, TraceListener } from './link/types.ts'
import type { Capabilities } from './model/capabilities.ts'
import { type Clock, systemClock } from './model/clock.ts'
import { type Family, familyIn } from './model/families.ts'
import { omitUndefined } from './model/omit-undefined.ts'
import type { FiscalPrinter } from './model/printer.ts'

export interface PrinterConfig extends Omit<DriverSettings, 'random'> {
  readonly family: Family
  /**
   * A path (`/dev/ttyUSB0`, `COM3`), `tcp://HOST:PORT` or `tcp://HOST:PORT?rfc2217`. The default port depends on the
   * family.
   */
  readonly device: string
  readonly baud?: number
}

export interface PrinterSeams {
  readonly families?: DriverFamilies
  readonly binding?: Binding
  readonly clock?: Clock
  readonly random?: () => number
  readonly trace?: TraceListener
  /** Receives a text for each opening, loss and retransmission. */
  readonly log?: (line: string) => void
}

/**
 * Creates a printer without opening the port; each operation opens it if necessary. Throws RangeError if the family or
 * the device address is invalid.
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

/**
 * Returns the capabilities of a family with these settings, without contact to a device. Throws RangeError for an
 * unknown family.
 */
export const capabilitiesOf = (config: PrinterConfig, families: DriverFamilies = driverFamilies): Capabilities =>
  familyIn(families, config.family, 'driver for').capabilities(settingsOf(config, {}))

const settingsOf = ({ waits, payments, customer, options }: PrinterConfig, seams: PrinterSeams): DriverSettings => ({
  random: seams.random ?? Math.random,
  ...omitUndefined({ waits, payments, customer, options }),
})

export { type DriverFamilies, describeFirstSpeeds, driverFamilies, FAMILIES } from './families.ts'
export type { Waits } from './family.ts'
export type { Binding } from './link/port.ts'
export type { TraceListener } from './link/types.ts'
export type { Capabilities } from './model/capabilities.ts'
export type { FiscalPrinter } from './model/printer.ts'
