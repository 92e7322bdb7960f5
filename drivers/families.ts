import type { DriverFamily } from './family.ts'
import { familyA } from './family-a/index.ts'
import { familyB } from './family-b/index.ts'
import { familyC } from './family-c/index.ts'
import type { Families, Family } from './model/families.ts'

export type DriverFamilies = Families<DriverFamily>

export const driverFamilies: DriverFamilies = new Map<string, DriverFamily>([
  ['A', familyA],
  ['B', familyB],
  ['C', familyC],
])

export const FAMILIES: readonly Family[] = [...driverFamilies.keys()]
