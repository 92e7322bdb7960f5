import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { whyNotOwn } from '../drivers/host/folder-owner.ts'
import { type Family, familyIn } from '../drivers/model/families.ts'
import type { Percent } from '../drivers/model/money.ts'
import { TAX_CODES, taxLetter } from '../drivers/model/receipt.ts'
import { type EmulatedFamilies, emulatedFamilies } from './families.ts'
import type { DeviceProfile, FactorySettings } from './fiscal/types/profile.ts'
import type { EmulatedFamily } from './wire.ts'

export interface DeviceChoice {
  readonly family: Family
  readonly families?: EmulatedFamilies
  /** Absent: the first profile of the family. */
  readonly profile?: string
  /** Properties of this device that replace those of its profile. */
  readonly identity?: Partial<Pick<DeviceProfile, 'serialNumber' | 'fiscalMemoryNumber' | 'lineWidth'>>
  /** Path of the folder in which the device is stored, or `memory` (the default). */
  readonly data?: string
  readonly deviceName?: string
}

/** Returns the profiles of a family, the default first. Throws RangeError for an unknown family. */
export const profilesOf = (family: Family): readonly string[] => familyOf({ family }).profiles

export const familyOf = ({ family, families = emulatedFamilies }: DeviceChoice): EmulatedFamily =>
  familyIn(families, family, 'emulated device of')

export function profileOf(choice: DeviceChoice): DeviceProfile {
  const { profiles, profile: byName } = familyOf(choice)
  return { ...byName(choice.profile ?? (profiles[0] as string)), ...choice.identity }
}

/**
 * Returns the path of a device's file. The data folder, which is created if missing, has one file for each family,
 * profile and device name (decisions 7). Throws RangeError if another user owns the folder.
 */
export function storePath(options: DeviceChoice): string {
  const { data = 'memory', deviceName } = options
  if (data === 'memory') return ':memory:'
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const why = whyNotOwn(data)
  if (why !== undefined) throw new RangeError(why)
  const profile = profileOf(options)
  const words = ['device', profile.family.toLowerCase(), profile.profile, ...(deviceName ? [deviceName] : [])]
  return join(data, `${words.map((word) => encodeURIComponent(word).replaceAll('.', '%2E')).join('-')}.sqlite`)
}

/**
 * Converts a configuration (decisions 7): tax rates by the letter of their group, null for a disabled group; operators
 * by code.
 */
export function factorySettings(config: {
  readonly taxRates?: Readonly<Record<string, Percent | null>> | undefined
  readonly operators?: FactorySettings['operators'] | undefined
  readonly fiscalised?: boolean | undefined
}): FactorySettings {
  const { taxRates = {}, operators = {}, fiscalised } = config
  const rates = TAX_CODES.flatMap((code) => {
    const rate = taxRates[taxLetter(code)]
    return rate === undefined ? [] : [[code, rate] as const]
  })
  return {
    ...(rates.length > 0 && { taxRates: Object.fromEntries(rates) }),
    ...(Object.keys(operators).length > 0 && { operators }),
    ...(fiscalised === false && { fiscalised }),
  }
}
