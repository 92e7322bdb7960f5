import type { EmulatedFamily } from '../wire.ts'
import { PROFILES, profile } from './profile.ts'
import { createWire } from './wire.ts'

/** Family C as the emulator knows it. */
export const familyC: EmulatedFamily = {
  family: 'C',
  profiles: PROFILES,
  profile,
  wire: (device, options) => createWire(device, options) as ReturnType<EmulatedFamily['wire']>,
}
