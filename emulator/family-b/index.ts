import type { EmulatedFamily } from '../personality.ts'
import { personality } from './personality.ts'
import { PROFILES, profile } from './profile.ts'

/** The emulated devices of family B. */
export const familyB: EmulatedFamily = { family: 'B', profiles: PROFILES, profile, personality }
