import { countText } from '../../drivers/model/count-text.ts'
export interface Progress {
  readonly runs: number
  readonly requests: number
  readonly hits: number
  readonly violations: number
  readonly total: number | undefined
  readonly tookMs: number
  /** Number of runs that had ended when `tookMs` began to count. The rate excludes them. */
  readonly runsBefore?: number
  readonly endsInMs?: number | undefined
}

/** Formats a duration: `1 h 2 min`, `3 min 4 s`, `5 s`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

/** Returns `undefined` if the remaining time is unknown. */
export function leftMs({ runs, runsBefore = 0, total, tookMs, endsInMs }: Progress): number | undefined {
  if (endsInMs !== undefined) return Math.max(0, endsInMs)
  const timed = runs - runsBefore
  if (total === undefined || timed === 0 || tookMs === 0) return undefined
  return ((total - runs) * tookMs) / timed
}

export function progressLine(progress: Progress): string {
  const { runs, runsBefore = 0, total, requests, hits, violations, tookMs } = progress
  const remainingMs = leftMs(progress)
  const rate = Math.round(((runs - runsBefore) / tookMs) * 1000)
  return [
    total === undefined ? countText(runs, 'run') : `${runs} of ${countText(total, 'run')}`,
    countText(requests, 'request'),
    `${countText(hits, 'fault')} injected`,
    countText(violations, 'violation'),
    ...(tookMs > 0 ? [`${duration(tookMs)} (${rate} runs/s)`] : []),
    ...(remainingMs === undefined ? [] : [`${duration(remainingMs)} left`]),
  ].join(', ')
}
