/** Settings of a campaign as Redis stores them. Every process that continues the campaign uses them. */
import { isDeepStrictEqual } from 'node:util'
import type { Family } from '../../../drivers/model/families.ts'
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import type { PlacesPlan, Plan } from '../campaign-plan.ts'

export interface Settings {
  readonly families: readonly Family[]
  readonly profile?: string
  readonly seed: number
  readonly runs?: number
  readonly minutes?: number
  readonly chunk: number
  readonly length?: number
  readonly bail: boolean
  readonly every?: PlacesPlan
}

export const planOf = ({ families, profile, seed, runs, chunk, length, every }: Settings): Plan => ({
  ...{ families, seed, chunk },
  ...omitUndefined({ profile, runs, length, every }),
})

export const otherSettings = (chosen: Partial<Settings>, storedSettings: Settings): readonly string[] =>
  Object.entries(chosen)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, storedSettings[name as keyof Settings]))
    .map(([name]) => name)

export const isCampaignName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name)
