import type { DriverSettings } from '../family.ts'
import { EDITION, EDITIONS, type Edition } from './protocol/edition.ts'

/** `profile` of the settings fixes the edition; without it the device is asked. */
export function configuredEdition(settings: DriverSettings): Edition | undefined {
  const name = settings.options?.['profile']
  const known = EDITIONS.find((one) => one === name)
  return known && EDITION[known]
}

/** What is taken for the edition until the device has told. */
export const USUAL_EDITION = EDITION.bg

/** What the firmware says of it (sheet 9.3); undefined: nothing. */
export function editionOf(firmware: string): Edition | undefined {
  const known = EDITIONS.find((name) => firmware.toLowerCase().endsWith(name))
  return known && EDITION[known]
}
