import type { EmulatedFamily } from '../wire.ts'
import { PROFILES, profile } from './profile.ts'
import { createWire } from './wire.ts'

/** The emulated devices of family A. */
export const familyA: EmulatedFamily = {
  family: 'A',
  profiles: PROFILES,
  profile,
  wire: createWire,
}
