import type { EmulatedFamily } from '../personality.ts'
import { createPersonality } from './personality.ts'
import { PROFILES, profile } from './profile.ts'

/** The emulated devices of family A. */
export const familyA: EmulatedFamily = {
  family: 'A',
  profiles: PROFILES,
  profile,
  personality: createPersonality,
}
