import type { EmulatedFamily } from '../personality.ts'
import { createPersonality } from './personality.ts'
import { PROFILES, profile } from './profile.ts'

/** Family C as the emulator knows it. */
export const familyC: EmulatedFamily = {
  family: 'C',
  profiles: PROFILES,
  profile,
  personality: (device, options) => createPersonality(device, options) as ReturnType<EmulatedFamily['personality']>,
}
