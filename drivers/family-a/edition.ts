import type { DriverSettings } from '../family.ts'
import { EDITION, EDITIONS, type Edition } from './protocol/edition.ts'

/** Returns the edition that the setting `profile` names; `undefined` if the setting is absent or names no edition. */
export function configuredEdition(settings: DriverSettings): Edition | undefined {
  const name = settings.options?.['profile']
  const edition = EDITIONS.find((one) => one === name)
  return edition && EDITION[edition]
}

export const USUAL_EDITION = EDITION.bg

export function editionOf(firmware: string): Edition | undefined {
  const edition = EDITIONS.find((name) => firmware.toLowerCase().endsWith(name))
  return edition && EDITION[edition]
}
