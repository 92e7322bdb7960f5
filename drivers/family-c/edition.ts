import type { DriverSettings } from '../family.ts'
import { C4, C6, CR, EDITION, EDITIONS, type Edition } from './protocol/edition.ts'

/** `profile` of the settings fixes the edition; without it the device is asked. */
export function configuredEdition(settings: DriverSettings): Edition | undefined {
  const name = settings.options?.['profile']
  const known = EDITIONS.find((one) => one === name)
  return known && EDITION[known]
}

/** What is taken for the edition until the device has told. */
export const USUAL_EDITION = C4

/** The answer to 71h has four digits and a separator, six digits, or two numbers (sheet 4.14). */
export function editionOf(lastDocument: string): Edition {
  if (lastDocument.includes(';')) return CR
  return lastDocument.length === 6 ? C6 : C4
}
