import { type DriverFamilies, driverFamilies } from '../../drivers/families.ts'
import { type EmulatedFamilies, emulatedFamilies } from '../../emulator/families.ts'

export interface CheckedFamilies {
  readonly drivers: DriverFamilies
  readonly devices: EmulatedFamilies
}

export const OWN_FAMILIES: CheckedFamilies = { drivers: driverFamilies, devices: emulatedFamilies }
