import type { FiscalDevice } from '../fiscal/api.ts'
import { familyOf } from '../profiles.ts'
import type { EmulatorOptions } from '../types.ts'
import type { EmulatedFamily, Wire } from '../wire.ts'
import { programDeviceFacts, settingsFrom } from './configure-device.ts'
import { withOverrides } from './overrides.ts'

export const OPERATOR = 1

export function questionnaireFor(family: EmulatedFamily, profile: string, password?: string) {
  if (!family.questionnaire) throw new RangeError('no protocol specification says how to query such a device')
  const own = password ?? family.profile(profile).factoryPassword(OPERATOR)
  return family.questionnaire(profile, { operator: OPERATOR, password: own })
}

/**
 * Returns the options with profile, numbers, switches and settings of the passport. The caller's options take
 * precedence.
 */
export function withPassport(options: EmulatorOptions): EmulatorOptions {
  const { passport } = options
  if (!passport) return options
  const { profile, serialNumber, fiscalMemoryNumber } = passport.device
  const lineWidth = questionnaireFor(familyOf(options), profile).lineWidth?.(passport.facts)
  return {
    ...options,
    profile,
    identity: {
      ...(serialNumber !== undefined && { serialNumber }),
      ...(fiscalMemoryNumber !== undefined && { fiscalMemoryNumber }),
      ...(lineWidth !== undefined && { lineWidth }),
      ...options.identity,
    },
    options: { ...passport.switches, ...options.options },
    settings: { ...settingsFrom(passport.facts), ...options.settings },
  }
}

export function wireAs({ passport, ...options }: EmulatorOptions, device: FiscalDevice, wire: Wire): Wire {
  if (!passport) return wire
  const q = questionnaireFor(familyOf(options), passport.device.profile)
  return withOverrides(wire, q, passport.overrides, device)
}

/** Configures a device as the passport describes, unless the device has already printed. */
export function configureAs(
  { passport, ...options }: EmulatorOptions,
  { device, wire }: { readonly device: FiscalDevice; readonly wire: Wire },
): void {
  if (!passport || device.counters.lastDocument > 0) return
  programDeviceFacts({ wire }, questionnaireFor(familyOf(options), passport.device.profile), passport.facts)
}
