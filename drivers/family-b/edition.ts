import type { DriverSettings } from '../family.ts'
import type { CodePage } from '../wire/charset.ts'
import { cyrillic, georgian } from './protocol/charset.ts'

/** The editions of family B: `b5` is the five-group firmware of sheet 2. */
export type Edition = 'b8' | 'b5'

const COUNTRY_WITH_FIVE_GROUPS = 8

export const configuredEdition = (settings: DriverSettings): Edition =>
  settings.options?.['profile'] === 'b5' ? 'b5' : 'b8'

export const editionOf = (country: number): Edition => (country === COUNTRY_WITH_FIVE_GROUPS ? 'b5' : 'b8')

export const pageOf = (edition: Edition): CodePage => (edition === 'b5' ? georgian : cyrillic)
