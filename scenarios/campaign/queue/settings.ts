/** What a campaign is, as it stands in the queue: whoever knows its name takes it up with these settings. */
import type { Family } from '../../../drivers/model/families.ts'
import { present } from '../../../drivers/model/present.ts'
import type { Plan } from '../campaign-plan.ts'

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
}

export const planOf = ({ families, profile, seed, runs, chunk, length }: Settings): Plan => ({
  ...{ families, seed, chunk },
  ...present({ profile, runs, length }),
})

/** Names of the settings that were asked for and are others in this campaign. */
export const otherSettings = (chosen: Partial<Settings>, kept: Settings): readonly string[] =>
  Object.entries(chosen)
    .filter(([name, value]) => value !== undefined && String(value) !== String(kept[name as keyof Settings]))
    .map(([name]) => name)

/** A name that can be typed, and stand in a key of the queue. */
export const isCampaignName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name)
