import type { DriverFamily } from './family.ts'
import { familyA } from './family-a/index.ts'
import { familyB } from './family-b/index.ts'
import { familyC } from './family-c/index.ts'
import { allOfFamilies, type Families, type Family } from './model/families.ts'

export type DriverFamilies = Families<DriverFamily>

export const driverFamilies: DriverFamilies = new Map<string, DriverFamily>([
  ['A', familyA],
  ['B', familyB],
  ['C', familyC],
])

export const FAMILIES: readonly Family[] = [...driverFamilies.keys()]

/** Returns the speed of each family without a configured one, such as `9600 for B`. */
export const describeFirstSpeeds = (families: DriverFamilies = driverFamilies): string =>
  [...Map.groupBy(families, ([, { bauds }]) => bauds[0])]
    .map(([baud, entries]) => `${baud} for ${allOfFamilies(entries.map(([name]) => name))}`)
    .join(', ')
