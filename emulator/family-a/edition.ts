import { EDITIONS, type EditionName } from '../../drivers/family-a/protocol/index.ts'
import type { DeviceProfile } from '../fiscal/types/profile.ts'

/** What the editions of family A say differently beside their commands, sheet 8 and 9. */
export interface Edition {
  readonly name: EditionName
  readonly country: string
}

const COUNTRIES: Readonly<Record<EditionName, string>> = { bg: 'BULGARIA', ro: 'ROMANIA' }

export function editionOf({ profile }: DeviceProfile): Edition {
  const name = EDITIONS.find((edition) => edition === profile) ?? 'bg'
  return { name, country: COUNTRIES[name] }
}
