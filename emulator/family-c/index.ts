import type { EmulatedFamily, Wire } from '../wire.ts'
import { PROFILES, profile } from './profile.ts'
import { createWire } from './wire.ts'

/** The emulated devices of family C. */
export const familyC: EmulatedFamily = {
  family: 'C',
  profiles: PROFILES,
  profile,
  wire: (device, options) => createWire(device, options) as Wire,
}
