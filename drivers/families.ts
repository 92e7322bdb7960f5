import type { DriverFamily } from './family.ts'
import { familyA } from './family-a/index.ts'
import { familyB } from './family-b/index.ts'
import { familyC } from './family-c/index.ts'
import type { Family } from './model/receipt.ts'

/** The families that this package can drive, by name. */
export const driverFamilies: ReadonlyMap<Family, DriverFamily> = new Map<Family, DriverFamily>([
  ['A', familyA],
  ['B', familyB],
  ['C', familyC],
])
