import type { Family } from '../drivers/model/receipt.ts'
import { familyA } from './family-a/index.ts'
import { familyB } from './family-b/index.ts'
import { familyC } from './family-c/index.ts'
import type { EmulatedFamily } from './wire.ts'

/** The families that this package can be, by name. */
export const emulatedFamilies: ReadonlyMap<Family, EmulatedFamily> = new Map(
  [familyA, familyB, familyC].map((one) => [one.family, one]),
)
