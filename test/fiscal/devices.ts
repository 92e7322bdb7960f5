import { FAMILIES } from '../../drivers/families.ts'
import { profilesOf } from '../../emulator/profiles.ts'

export const DEVICES = FAMILIES.flatMap((family) => profilesOf(family).map((profile) => ({ family, profile })))
