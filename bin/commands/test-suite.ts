/**
 * `npm test`: type check, Biome, the whole suite. At the end the files that took longest; the last line is
 * `N passed, N failed` with the true numbers.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { temporaryFolder } from '../../scenarios/temporary-folder.ts'
import { keepCompiledModules } from '../compile-cache.ts'

const root = join(import.meta.dirname, '..', '..')
const windows = process.platform === 'win32'

/** Runs a program of node_modules; true when it ends with 0. */
function run(name: string, args: readonly string[]): Promise<boolean> {
  const program = join(root, 'node_modules', '.bin', windows ? `${name}.cmd` : name)
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', shell: windows })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly FileResult[]
}
interface FileResult {
  readonly name: string
  readonly status: string
  readonly assertionResults: readonly unknown[]
  /** Ms since 1970. */
  readonly startTime: number
  readonly endTime: number
}

const SLOWEST = 20

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  }
}

/** Seconds and name of the slowest files, the slowest first. */
const slowest = ({ testResults }: Report): string[] =>
  testResults
    .map(({ name, startTime, endTime }) => ({ seconds: (endTime - startTime) / 1000, name: relative(root, name) }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ seconds, name }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`)

/** A file that could not even be loaded counts as one failure; so does a run that failed without a failed test. */
function countsOf(report: Report | undefined, isGreen: boolean): { passed: number; failed: number } {
  if (!report) return { passed: 0, failed: 1 }
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const failed = report.numFailedTests + broken.length
  return { passed: report.numPassedTests, failed: isGreen ? failed : Math.max(1, failed) }
}

keepCompiledModules()
const folder = temporaryFolder('test')
const output = join(folder.path, 'report.json')
let checksFailed = 0
for (const [title, name, args] of [
  ['type check', 'tsc', ['-p', '.']],
  ['type check of the page', 'tsc', ['-p', 'emulator/panel/page']],
  ['Biome', 'biome', ['check']],
] as const) {
  const isGreen = await run(name, args)
  process.stdout.write(`${title}: ${isGreen ? 'ok' : 'failed'}\n`)
  if (!isGreen) checksFailed++
}
const filters = process.argv.slice(2)
const isGreen = await run('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${output}`,
  ...filters,
])
const report = readReport(output)
folder.remove()
const { passed, failed } = countsOf(report, isGreen)
if (report) process.stdout.write(`the slowest files:\n${slowest(report).join('\n')}\n`)
const allFailed = failed + checksFailed
process.stdout.write(`${passed} passed, ${allFailed} failed\n`)
process.exitCode = allFailed === 0 ? 0 : 1
