import { type RealisticTimes, realisticDuration, USUAL_TIMES } from '../../emulator/line/durations.ts'

export const MECHANISMS = {
  instant: undefined,
  realistic: USUAL_TIMES,
  /** The slowest device: one second to open a receipt, forty seconds for a Z report. */
  slow: { lineMs: 160, reportZMs: 31_000 },
} as const satisfies Readonly<Record<string, RealisticTimes | undefined>>

export type Mechanism = keyof typeof MECHANISMS

export function mechanismOptions(mechanism: Mechanism = 'instant') {
  const times = MECHANISMS[mechanism]
  return times && { durationMs: realisticDuration(times) }
}
