import { normalize } from 'node:path'

export type ResultStatus = 'passed' | 'failed' | 'notRun'
type Status = ResultStatus | 'flaky'

export interface EarlierRun {
  readonly title: string
  /** ISO 8601. Older reports lack this member. */
  readonly at?: string
  readonly statuses: ReadonlyMap<string, Status>
}

export interface EarlierRuns {
  readonly runs: readonly { readonly title: string; readonly status: Status | null }[]
  readonly sentence: string
}

const keyOf = (file: string, id: string): string => `${normalize(file).replaceAll('\\', '/')}\n${id}`

const WORST: readonly Status[] = ['failed', 'flaky', 'passed', 'notRun']

/** Parses the lines of a report of `--reporter json`. Throws RangeError with a message for the user. */
export function readEarlierRun(file: string, lines: readonly string[] | Generator<string, void>): EarlierRun {
  const statuses = new Map<string, Status>()
  let at: unknown
  for (const line of lines) {
    if (line.trim() === '') continue
    const report = read(file, line)
    if (report['event'] === 'begin') at = report['at']
    if (report['event'] !== 'scenario') continue
    const status = report['status'] === 'passed' && report['failedBefore'] !== undefined ? 'flaky' : report['status']
    if (!isStatus(status)) throw notOurs(file)
    const key = keyOf(String(report['file']), String(report['id'] ?? report['name']))
    const earlier = statuses.get(key)
    // If a run contains several plays of a scenario, the worst counts.
    if (earlier === undefined || WORST.indexOf(status) < WORST.indexOf(earlier)) statuses.set(key, status)
  }
  if (statuses.size === 0) throw notOurs(file)
  if (typeof at !== 'string') return { title: file, statuses }
  return { title: at.slice(0, 16).replace('T', ' '), at, statuses }
}

function read(file: string, line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {}
  throw notOurs(file)
}

const notOurs = (file: string): RangeError =>
  new RangeError(`${file} is not a report of earlier scenarios: expected a file made by run --reporter json`)

const isStatus = (value: unknown): value is Status => (WORST as readonly unknown[]).includes(value)

export function earlierOf(file: string, id: string, runs: readonly EarlierRun[]): EarlierRuns | undefined {
  if (runs.length === 0) return undefined
  const key = keyOf(file, id)
  const each = runs.map(({ title, statuses }) => ({ title, status: statuses.get(key) ?? null }))
  return { runs: each, sentence: sentenceOf(each) }
}

function sentenceOf(runs: EarlierRuns['runs']): string {
  const played = runs.filter(({ status }) => status !== null && status !== 'notRun')
  const all = played.length === 1 ? 'the one earlier run' : `all ${played.length} earlier runs`
  if (played.length === 0) return 'it did not run in an earlier run'
  const bad = played.filter(({ status }) => status === 'failed')
  if (bad.length === played.length) return `it failed in ${all}, too`
  const since = played.findLastIndex(({ status }) => status !== 'failed') + 1
  if (since < played.length) return `it has failed since ${played[since]?.title}, and passed in the run before that`
  const unsure = played.filter(({ status }) => status === 'flaky').length
  const againText = unsure === 0 ? '' : `, ${unsure} of them only in a later attempt`
  if (bad.length === 0) return `new: it passed in ${all}${againText}`
  return `it passed last time, and failed in ${bad.length} of ${played.length} earlier runs`
}
