import type { Families } from '../drivers/model/families.ts'
import { familyA } from './family-a/index.ts'
import { familyB } from './family-b/index.ts'
import { familyC } from './family-c/index.ts'
import type { EmulatedFamily } from './wire.ts'

export type EmulatedFamilies = Families<EmulatedFamily>

export const emulatedFamilies: EmulatedFamilies = new Map<string, EmulatedFamily>([
  ['A', familyA],
  ['B', familyB],
  ['C', familyC],
])
