import { FAMILIES } from '../../drivers/families.ts'
import { profilesOf } from '../../emulator/profiles.ts'

/** Every family in every edition. */
export const DEVICES = FAMILIES.flatMap((family) => profilesOf(family).map((profile) => ({ family, profile })))
