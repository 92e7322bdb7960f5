const DAY_MS = 86_400_000
const UNITS_MS = [7 * DAY_MS, DAY_MS, 3_600_000, 60_000, 1000] as const
const DURATION = /^P(?!$)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?!$)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/

export const DURATION_EXPECTED = 'expected an ISO 8601 duration in weeks, days, hours, minutes or seconds, like "PT24H"'

export function durationMs(text: string): number | undefined {
  const match = DURATION.exec(text)
  return match ? UNITS_MS.reduce((sum, unit, index) => sum + unit * Number(match[index + 1] ?? 0), 0) : undefined
}

const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?$/

export const LOCAL_TIME_EXPECTED = 'expected a date and time like "2026-07-14T12:30:00"'

/**
 * Returns a time without a zone, in whole seconds, as `YYYY-MM-DDThh:mm:ss`; `undefined` if the text is not such a
 * time.
 */
export function localTime(text: string): string | undefined {
  const match = LOCAL.exec(text)
  if (!match) return undefined
  const written = `${match[1]}T${match[2]?.padEnd(8, ':00')}`
  const at = Date.parse(`${written}Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? written : undefined
}
