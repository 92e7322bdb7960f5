/** What differs between the families and every scenario may name: `$operator`, `$password`, `$opening`, `$family`. */
import { capabilitiesOf } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator, profilesOf } from '../../emulator/emulator.ts'

export const FAMILY_NAMES = ['family', 'password', 'operator', 'opening', 'lineWidth'] as const

/** `password`: the factory's, of operator 1, of the profile. */
export function familyFacts(
  family: Family,
  profile?: string,
): Readonly<Record<(typeof FAMILY_NAMES)[number], unknown>> {
  const capabilities = capabilitiesOf({ family, device: '' })
  const password =
    profile === undefined ? capabilities.defaultPassword(1) : profileOf(family, profile).factoryPassword(1)
  const operator = { OperatorCode: 1, OperatorPassword: password }
  return {
    family,
    password,
    operator,
    opening: { ...operator, PointOfSaleNumber: 1, Invoice: false },
    lineWidth: capabilities.lineWidth,
  }
}

function profileOf(family: Family, profile: string) {
  const emulator = createEmulator({ family, profile })
  void emulator.close()
  return emulator.profile
}

export const isProfile = (family: Family, profile: string): boolean => profilesOf(family).includes(profile)

const commands = new Map<Family, ReadonlySet<string>>()

/** Names of the commands that the family's device knows. */
export function commandsOf(family: Family): ReadonlySet<string> {
  let known = commands.get(family)
  if (!known) {
    const emulator = createEmulator({ family })
    known = new Set(emulator.wire.commands.map(({ name }) => name))
    void emulator.close()
    commands.set(family, known)
  }
  return known
}
