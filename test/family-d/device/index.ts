import type { EmulatedFamily, Wire } from '../../../emulator/wire.ts'
import { PROFILES, profile } from './profile.ts'
import { createWire } from './wire.ts'

export const familyD: EmulatedFamily = {
  profiles: PROFILES,
  profile,
  notModelled: [],
  wire: (device, options) => createWire(device, options) as Wire,
}
