import type { DriverSettings } from '../family.ts'
import { C4, C6, CR, EDITION, EDITIONS, type Edition } from './protocol/edition.ts'

/** Returns the edition that the setting `profile` names; `undefined` if the setting is absent or names no edition. */
export function configuredEdition(settings: DriverSettings): Edition | undefined {
  const name = settings.options?.['profile']
  const edition = EDITIONS.find((one) => one === name)
  return edition && EDITION[edition]
}

export const USUAL_EDITION = C4

/**
 * Returns the edition by the form of the answer to command 71h: two numbers (cr), six digits (c6), otherwise c4 (sheet
 * 4.14).
 */
export function editionOf(lastDocument: string): Edition {
  if (lastDocument.includes(';')) return CR
  return lastDocument.length === 6 ? C6 : C4
}
