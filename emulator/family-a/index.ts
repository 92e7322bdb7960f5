import type { EmulatedFamily, Wire } from '../wire.ts'
import { PROFILES, profile } from './profile.ts'
import { createWire } from './wire.ts'

/** The emulated devices of family A. */
export const familyA: EmulatedFamily = {
  family: 'A',
  profiles: PROFILES,
  profile,
  wire: (device, options) => createWire(device, options) as Wire,
}
