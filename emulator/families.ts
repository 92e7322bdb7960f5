import { familyA } from './family-a/index.ts'
import { familyB } from './family-b/index.ts'
import { familyC } from './family-c/index.ts'
import type { EmulatedFamily } from './wire.ts'

/** The families that this package can be, by name. */
export const emulatedFamilies: ReadonlyMap<'A' | 'B' | 'C', EmulatedFamily> = new Map<'A' | 'B' | 'C', EmulatedFamily>([
  ['A', familyA],
  ['B', familyB],
  ['C', familyC],
])
