/** The sweep as tests: all points, on simulated time; a file per family, so that they run beside each other. */
import { describe, expect, it } from 'vitest'
import type { Family } from '../../drivers/model/families.ts'
import {
  bytesIn,
  countPassings,
  POWER_POINTS,
  sweepBytes,
  sweepPower,
  TROUBLES,
  type Trouble,
} from '../../scenarios/simulation/sweep.ts'

export function sweepSuite(family: Family, profile?: string, troubles: readonly Trouble[] = TROUBLES): void {
  describe(`one composite receipt on family ${family}${profile ? `, profile ${profile},` : ''} is never printed twice and never lost`, () => {
    it.each(troubles)('%s at every byte of both directions', { timeout: 1_200_000 }, async (trouble) => {
      const { points, violations } = await sweepBytes(family, trouble, profile)
      expect(violations).toEqual([])
      expect(points).toBe(bytesIn(await countPassings(family, profile)))
    })

    it.each(POWER_POINTS)('power cut at every %s', async (at) => {
      const { points, violations } = await sweepPower(family, at, profile)
      expect(violations).toEqual([])
      expect(points).toBeGreaterThan(0)
    })
  })
}
