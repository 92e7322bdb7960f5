import type { DriverSettings } from '../family.ts'
import { C4, C6, CR, DIALECTS, type Dialect, type DialectName } from './protocol/dialect.ts'

/** `profile` of the settings fixes the edition; without it the device is asked. */
export function configuredEdition(settings: DriverSettings): Dialect | undefined {
  const name = settings.options?.['profile']
  return name === 'c4' || name === 'c6' || name === 'cr' ? DIALECTS[name as DialectName] : undefined
}

/** What is taken for the edition until the device has told. */
export const USUAL_EDITION = C4

/** The answer to 71h has four digits and a separator, six digits, or two numbers (sheet 4.14). */
export function editionOf(lastDocument: string): Dialect {
  if (lastDocument.includes(';')) return CR
  return lastDocument.length === 6 ? C6 : C4
}
