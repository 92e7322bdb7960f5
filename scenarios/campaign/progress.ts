/** How far a campaign is, in words. */

export interface Progress {
  readonly runs: number
  readonly requests: number
  readonly hits: number
  readonly violations: number
  /** Runs in all; undefined: without end. */
  readonly of: number | undefined
  /** 0: not told. */
  readonly tookMs: number
  /** Of `runs`, those made before that time began: they tell nothing about the rate. */
  readonly runsBefore?: number
  /** Where the time is what ends it. */
  readonly endsInMs?: number | undefined
}

/** `1 h 2 min`, `3 min 4 s`, `5 s`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

/** Undefined where nothing tells it: before the first run, and of a campaign without end. */
export function leftMs({ runs, runsBefore = 0, of, tookMs, endsInMs }: Progress): number | undefined {
  if (endsInMs !== undefined) return Math.max(0, endsInMs)
  const timed = runs - runsBefore
  if (of === undefined || timed === 0 || tookMs === 0) return undefined
  return ((of - runs) * tookMs) / timed
}

export function progressLine(progress: Progress): string {
  const { runs, runsBefore = 0, of, requests, hits, violations, tookMs } = progress
  const left = leftMs(progress)
  const rate = Math.round(((runs - runsBefore) / tookMs) * 1000)
  return [
    of === undefined ? `${runs} runs` : `${runs} of ${of} runs`,
    `${requests} requests`,
    `${hits} faults injected`,
    `${violations} violations`,
    ...(tookMs > 0 ? [`${duration(tookMs)} (${rate} runs/s)`] : []),
    ...(left === undefined ? [] : [`${duration(left)} left`]),
  ].join(', ')
}
