import type { DriverSettings } from '../family.ts'

/** What family A is made in for a country: sheet 8 and 9. */
export type Edition = 'bg' | 'ro'

/** What the settings say; undefined: the device is asked. */
export function configuredEdition(settings: DriverSettings): Edition | undefined {
  const name = settings.options?.['profile']
  return name === 'bg' || name === 'ro' ? name : undefined
}

export const editionOf = (firmware: string): Edition => (/RO$/.test(firmware) ? 'ro' : 'bg')
