import type { EmulatedFamily } from '../wire.ts'
import { PROFILES, profile } from './profile.ts'
import { wire } from './wire.ts'

/** The emulated devices of family B. */
export const familyB: EmulatedFamily = { family: 'B', profiles: PROFILES, profile, wire }
