import type { DriverSettings } from '../family.ts'
import { EDITION, EDITIONS, type Edition } from './protocol/edition.ts'

/** Returns the edition that `profile` of the settings fixes; without it the driver queries the device. */
export function configuredEdition(settings: DriverSettings): Edition | undefined {
  const name = settings.options?.['profile']
  const edition = EDITIONS.find((one) => one === name)
  return edition && EDITION[edition]
}

/** The edition that is assumed until the device has reported its own. */
export const USUAL_EDITION = EDITION.bg

/** Returns the edition that the firmware name contains (sheet 9.3); undefined: none. */
export function editionOf(firmware: string): Edition | undefined {
  const edition = EDITIONS.find((name) => firmware.toLowerCase().endsWith(name))
  return edition && EDITION[edition]
}
