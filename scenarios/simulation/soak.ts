/**
 * `npm run soak -- --runs N [--family A|B|C] [--seed N]`: any number of simulated runs of each family, in parallel on
 * all cores, with progress and an end report. Exit status 1 on a violation. The runs are dealt out in chunks with seeds
 * of their own, so the outcome does not depend on the number of cores.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { type CheckResult, failureText } from './check.ts'
import { CheckThread } from './check-thread.ts'

interface Chunk {
  readonly family: Family
  readonly runs: number
  readonly seed: number
}

const CHUNK = 500
const REPORT_EVERY_MS = 10_000

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    family: { type: 'string' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
})

const whole = (name: string, text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  process.stderr.write(`error: --${name}: expected a whole number from 1\n`)
  process.exit(2)
}

function chunksOf(runs: number, seed: number, families: readonly Family[]): Chunk[] {
  const count = Math.ceil(runs / CHUNK)
  return Array.from({ length: count }, (_nothing, index) => index).flatMap((index) =>
    families.map((family) => ({ family, runs: Math.min(CHUNK, runs - index * CHUNK), seed: seed + index })),
  )
}

const runs = whole('runs', values.runs)
const families = FAMILIES.filter(
  (family) => values.family === undefined || values.family.toUpperCase().includes(family),
)
const left = chunksOf(runs, whole('seed', values.seed), families)
const total = left.reduce((sum, chunk) => sum + chunk.runs, 0)
const began = performance.now()
const sums = { runs: 0, requests: 0, hits: 0, simulatedMs: 0, violations: 0 }

function add({ failure, ...result }: CheckResult): void {
  sums.runs += result.runs
  sums.requests += result.requests
  sums.hits += result.hits
  sums.simulatedMs += result.simulatedMs
  if (!failure) return
  sums.violations++
  const { family, seed } = result
  const command = `npx fiscal-rig check --family ${family} --runs ${CHUNK} --seed ${seed} --path ${failure.path}`
  process.stdout.write(`${failureText(failure, command)}\n`)
}

const line = (): string => {
  const seconds = (performance.now() - began) / 1000
  const rate = Math.round(sums.runs / seconds)
  return `${sums.runs} of ${total} runs, ${sums.requests} requests, ${sums.hits} faults struck, ${sums.violations} violations, ${seconds.toFixed(0)} s (${rate} runs/s)`
}

/** Takes chunks until there are none. */
async function work(): Promise<void> {
  const core = new CheckThread()
  for (let chunk = left.shift(); chunk; chunk = left.shift()) add(await core.check(chunk))
  await core.end()
}

const ticker = setInterval(() => process.stderr.write(`${line()}\n`), REPORT_EVERY_MS)
await Promise.all(Array.from({ length: whole('workers', values.workers) }, work))
clearInterval(ticker)
const days = (sums.simulatedMs / 86_400_000).toFixed(0)
process.stdout.write(`${line()}, ${days} simulated days, seed ${values.seed}\n`)
process.exitCode = sums.violations === 0 ? 0 : 1
