import type { DriverSettings } from '../family.ts'
import { C4, C6, CR, EDITION, EDITIONS, type Edition } from './protocol/edition.ts'

/** Returns the edition of the setting `profile`; without the setting, the driver queries the device. */
export function configuredEdition(settings: DriverSettings): Edition | undefined {
  const name = settings.options?.['profile']
  const edition = EDITIONS.find((one) => one === name)
  return edition && EDITION[edition]
}

export const USUAL_EDITION = C4

/** Returns the edition by the answer to 71h: four digits and a separator, six digits, or two numbers (sheet 4.14). */
export function editionOf(lastDocument: string): Edition {
  if (lastDocument.includes(';')) return CR
  return lastDocument.length === 6 ? C6 : C4
}
