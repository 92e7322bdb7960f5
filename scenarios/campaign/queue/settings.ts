/** What a campaign is, as it stands in the queue: whoever knows its name takes it up with these settings. */
import { isDeepStrictEqual } from 'node:util'
import type { Family } from '../../../drivers/model/families.ts'
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import type { PlacesPlan, Plan } from '../campaign-plan.ts'

export interface Settings {
  readonly families: readonly Family[]
  readonly profile?: string
  readonly seed: number
  /** For each family; without it `minutes` ends the campaign. */
  readonly runs?: number
  readonly minutes?: number
  readonly chunk: number
  readonly length?: number
  /** It ends at its first violation. */
  readonly bail: boolean
  /** Places that are tried, instead of runs. */
  readonly every?: PlacesPlan
}

export const planOf = ({ families, profile, seed, runs, chunk, length, every }: Settings): Plan => ({
  ...{ families, seed, chunk },
  ...omitUndefined({ profile, runs, length, every }),
})

/** Names of the settings that were asked for and are others in this campaign. */
export const otherSettings = (chosen: Partial<Settings>, kept: Settings): readonly string[] =>
  Object.entries(chosen)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, kept[name as keyof Settings]))
    .map(([name]) => name)

/** A name that can be typed, and stand in a key of the queue. */
export const isCampaignName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name)
