/**
 * `npm test`: the whole suite, with its rotating part of the large tests, in parallel with the type checks and Biome.
 * `npm run test:deep`: all parts of `test-parts.ts`, or those of `--only`, without omissions. Both end with the slowest
 * files and the line `N passed, N failed`.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../../drivers/model/errors.ts'
import { temporaryFolder } from '../../scenarios/temporary-folder.ts'
import { keepCompiledModules } from '../compile-cache.ts'
import { ALWAYS, PARTS, type Part, packagesOf, partOf } from './test-parts.ts'
import { revisionOfAll } from './test-slice.ts'

const root = join(import.meta.dirname, '..', '..')
const windows = process.platform === 'win32'

function run(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdio: 'inherit' | 'pipe' = 'inherit',
): Promise<{ readonly hasPassed: boolean; readonly output: string }> {
  const program = join(root, 'node_modules', '.bin', windows ? `${name}.cmd` : name)
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(program, args, { cwd: root, stdio, shell: windows, env: { ...process.env, ...env } })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
    child.on('error', (error) => resolve({ hasPassed: false, output: `${output}${error.message}\n` }))
    child.on('close', (code) => resolve({ hasPassed: code === 0, output }))
  })
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly FileResult[]
}
interface FileResult {
  readonly name: string
  readonly status: string
  readonly assertionResults: readonly unknown[]
  readonly startTime: number
  readonly endTime: number
}

const SLOWEST_FILES_MAX = 10
/** Budget for user and system time of `npm test` on two cores, in s. */
const BUDGET_S = 400

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  }
}

const slowest = ({ testResults }: Report): string[] =>
  testResults
    .map(({ name, startTime, endTime }) => ({ seconds: (endTime - startTime) / 1000, name: relative(root, name) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_FILES_MAX)
    .map(({ seconds, name }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`)

interface Counts {
  readonly passed: number
  readonly failed: number
}

/** A file that could not be loaded counts as one failure, and so does a run that failed without a failed test. */
function countsOf(report: Report | undefined, isGreen: boolean): Counts {
  if (!report) return { passed: 0, failed: 1 }
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const failed = report.numFailedTests + broken.length
  return { passed: report.numPassedTests, failed: isGreen ? failed : Math.max(1, failed) }
}

const failedIn = (report: Report | undefined): string[] =>
  (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))

const repeatOf = (name: string, env: Readonly<Record<string, string>>): string =>
  [...Object.entries(env).map(([key, value]) => `${key}=${value}`), `npx vitest run ${name}`].join(' ')

interface SuiteResult extends Counts {
  readonly report: Report | undefined
}

async function test(filters: readonly string[], env: Readonly<Record<string, string>>): Promise<SuiteResult> {
  const folder = temporaryFolder('test')
  const file = join(folder.path, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { hasPassed } = await run('vitest', ['run', ...reporters, ...filters], env)
  const report = readReport(file)
  folder.remove()
  if (report) process.stdout.write(`the slowest files:\n${slowest(report).join('\n')}\n`)
  for (const name of failedIn(report)) process.stdout.write(`repeat: ${repeatOf(name, env)}\n`)
  return { ...countsOf(report, hasPassed), report }
}

const incrementalOptions = (name: string): string[] => [
  '--incremental',
  '--tsBuildInfoFile',
  join(root, 'node_modules', '.cache', `types-${name}.json`),
]

const CHECKS = [
  ['type check', 'tsc', ['-p', '.', ...incrementalOptions('sources')]],
  ['type check of the control panel', 'tsc', ['-p', 'emulator/panel/page', ...incrementalOptions('page')]],
  ['Biome', 'biome', ['check']],
] as const

async function check(): Promise<number> {
  let failed = 0
  for (const [title, name, args] of CHECKS) {
    const { hasPassed, output } = await run(name, args, {}, 'pipe')
    process.stdout.write(`${hasPassed ? '' : output}${title}: ${hasPassed ? 'ok' : 'failed'}\n`)
    if (!hasPassed) failed++
  }
  return failed
}

/**
 * Returns the user and system time of this process and its ended children, in s; `undefined` if the system does not
 * report it.
 */
function processorSeconds(): number | undefined {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0)
    return ticks / 100
  } catch {
    return undefined
  }
}

async function suite(filters: readonly string[]): Promise<Counts> {
  const [{ passed, failed, report }, checksFailed] = await Promise.all([
    test(filters, { SLICE: process.env['SLICE'] ?? revisionOfAll() }),
    check(),
  ])
  const seconds = processorSeconds()
  if (seconds !== undefined && seconds > BUDGET_S && filters.length === 0)
    process.stdout.write(
      `processor time: ${seconds.toFixed(0)} s, more than the ${BUDGET_S} s that npm test may take\n`,
    )
  process.stdout.write(
    `skipped: ${report?.numPendingTests ?? 0} tests outside today's selection or slice: npm run test:deep runs all (-- --list)\n`,
  )
  return { passed, failed: failed + checksFailed }
}

function describePart(part: Part): string {
  const packages = packagesOf(part)
  const line = `${part.name.padEnd(12)}${String(part.tookS).padStart(6)} s  ${part.what}`
  return packages === '' ? line : `${line} (Debian packages: ${packages})`
}

function usage(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

const DEEP_OPTIONS = {
  only: { type: 'string', multiple: true },
  shard: { type: 'string' },
  seed: { type: 'string' },
  list: { type: 'boolean' },
} as const

function readDeepOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: DEEP_OPTIONS }).values
  } catch (error) {
    return usage(`${messageOf(error)}. test:deep accepts --only PART (repeatable), --shard I/N, --seed N, --list.`)
  }
}

async function deep(args: readonly string[]): Promise<Counts | undefined> {
  const values = readDeepOptions(args)
  if (values.list) {
    process.stdout.write(`${PARTS.map(describePart).join('\n')}\n`)
    return undefined
  }
  const unknown = (values.only ?? []).find((name) => !PARTS.some((part) => part.name === name))
  if (unknown !== undefined)
    usage(
      `test:deep has no part ${unknown} (one --only for each part); its parts are ${PARTS.map(({ name }) => name).join(', ')}`,
    )
  const [shard, shards] = (values.shard ?? '1/1').split('/').map(Number)
  if (!shard || !shards || shard > shards) usage(`--shard ${values.shard} is not I/N, as 1/4 is`)
  if (values.seed !== undefined && !/^\d+$/.test(values.seed)) usage(`--seed ${values.seed} is not a whole number`)
  const chosen = PARTS.filter(({ name }) => !values.only || values.only.includes(name))
  const { report, ...counts } = await test(filesOf(chosen), {
    RIG_SUITE: 'deep',
    ...(values.seed !== undefined && { RIG_SEED: values.seed }),
    ...(values.shard !== undefined && { RIG_SHARD: values.shard }),
  })
  for (const part of chosen) process.stdout.write(`part ${part.name}: ${secondsOf(part, report)} s\n`)
  return counts
}

function filesOf(chosen: readonly Part[]): string[] {
  if (chosen.length === PARTS.length) return []
  const always = chosen.some(({ name }) => name === ALWAYS)
    ? globSync('test/**/*.test.ts', { cwd: root })
        .map((file) => file.replaceAll('\\', '/'))
        .filter((file) => !partOf(file))
    : []
  return [...chosen.flatMap(({ files }) => files), ...always]
}

const secondsOf = (part: Part, report: Report | undefined): string =>
  (report?.testResults ?? [])
    .filter(({ name }) => (partOf(relative(root, name).replaceAll('\\', '/'))?.name ?? ALWAYS) === part.name)
    .reduce((sum, { startTime, endTime }) => sum + (endTime - startTime) / 1000, 0)
    .toFixed(0)

keepCompiledModules()
const [first, ...rest] = process.argv.slice(2)
const counts = first === '--deep' ? await deep(rest) : await suite(process.argv.slice(2))
if (counts) process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`)
process.exitCode = counts === undefined || counts.failed === 0 ? 0 : 1
