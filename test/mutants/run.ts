/**
 * `npm run mutants [-- PART... FILE... --again --quick]` mutates the sources one place at a time and checks whether a
 * test fails (Stryker with Vitest). The slow tests of a part run only for mutants that survive its quick tests. FILE:
 * only these files of the parts. `--again`: only mutants that survived the last run of the part. `--quick`: without the
 * slow tests, as a preview. Prints the score of each part and every survivor with its location, and writes the result
 * of each mutant to mutants/PART.result.json, next to the complete reports. Exit status 1 if a part misses the goal.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PARTS, type Part, sourcesOf, testsOf } from './parts.ts'

const SCORE_MIN_PERCENT = 85
const AGAIN = '--again'
const QUICK = '--quick'
const root = join(import.meta.dirname, '..', '..')
const output = join(root, 'mutants')

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Omit<Mutant, 'file'>[] }>>
}

interface Place {
  readonly line: number
  readonly column: number
}

interface Mutant {
  readonly file: string
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: string
  readonly location: { readonly start: Place; readonly end: Place }
}

const fileOf = (name: string): string => name.replaceAll(' ', '-')

/** Writes the configuration of Stryker for one run; returns its path. */
function configOf(run: string, mutate: readonly string[]): string {
  const path = join(output, `${run}.config.json`)
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    mutate,
    // Texts for people change no behaviour, and golden files cover them.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    // Excludes code that runs while a module is loaded, because it runs once for all mutants.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: 3000,
    tempDirName: `mutants/sandbox-${run}`,
    ignorePatterns: ['/dist', '/mutants', '/.git'],
    // Stryker's changes to the file need the API of an older TypeScript; Node reads no tsconfig.
    tsconfigFile: 'none',
    reporters: ['progress-append-only', 'clear-text', 'json'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false, reportMutants: false },
    jsonReporter: { fileName: reportOf(run) },
    allowConsoleColors: false,
  }
  writeFileSync(path, `${JSON.stringify(config, undefined, 2)}\n`)
  return path
}

const reportOf = (run: string): string => join(output, `${run}.json`)

async function mutantsOf(
  run: string,
  mutate: readonly string[],
  tests: readonly string[],
  testLimitMs: number,
): Promise<Mutant[]> {
  const program = join(root, 'node_modules', '.bin', 'stryker')
  const env = {
    ...process.env,
    RIG_MUTANT_TESTS: tests.join(' '),
    RIG_MUTANT_LIMIT: String(testLimitMs),
    // Compiling the sources takes half the time of a mutant.
    NODE_COMPILE_CACHE: join(output, 'compiled'),
    // Enough random sequences to detect a change, within seconds.
    RIG_RUNS: '20',
  }
  const child = spawn(program, ['run', configOf(run, mutate)], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env })
  child.stdout.pipe(process.stdout)
  child.stderr.pipe(process.stderr)
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (status !== 0) throw new Error(`Stryker ended with status ${status} at "${run}"`)
  const { files } = JSON.parse(readFileSync(reportOf(run), 'utf8')) as Report
  return Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((one) => ({ file, ...one })))
}

const KILLED = ['Killed', 'Timeout']
const COUNTED = [...KILLED, 'Survived', 'NoCoverage']
const isKilled = ({ status }: Mutant): boolean => KILLED.includes(status)

const placeOf = ({ file, location: { start, end } }: Mutant): string =>
  `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`
const nameOf = (mutant: Mutant): string => [placeOf(mutant), mutant.mutatorName, mutant.replacement].join(' ')

/** Time limits of a test in ms. A test that exceeds its limit counts as failed, so the mutant is detected. */
const QUICK_MS = 4000
const SLOW_MS = 60_000

/** Returns the counted mutants of a part: after its quick tests, the slow tests run for the survivors. */
async function tried(part: Part, mutate: readonly string[]): Promise<Mutant[]> {
  const run = fileOf(part.name)
  const all = await mutantsOf(run, mutate, testsOf(part.tests), QUICK_MS)
  const counted = all.filter(({ status }) => COUNTED.includes(status))
  const alive = counted.filter((one) => !isKilled(one))
  if (part.slow === undefined || alive.length === 0) return counted
  return withKilled(counted, await mutantsOf(`${run}-slow`, placesOf(alive), testsOf(part.slow), SLOW_MS))
}

const placesOf = (mutants: readonly Mutant[]): string[] => [...new Set(mutants.map(placeOf))]

function withKilled(mutants: readonly Mutant[], others: readonly Mutant[]): Mutant[] {
  const killed = new Set(others.filter(isKilled).map(nameOf))
  return mutants.map((one) => (killed.has(nameOf(one)) ? { ...one, status: 'Killed' } : one))
}

const resultOf = ({ name }: Part): string => join(output, `${fileOf(name)}.result.json`)

/** Runs only the mutants that survived the last run of the part (`--again`). The sources must be the same. */
async function triedAgain(part: Part): Promise<Mutant[]> {
  const before = JSON.parse(readFileSync(resultOf(part), 'utf8')) as Mutant[]
  const alive = before.filter((one) => !isKilled(one))
  if (alive.length === 0) return before
  const now = await tried(part, placesOf(alive))
  const names = new Set(now.map(nameOf))
  const gone = alive.find((one) => !names.has(nameOf(one)))
  if (gone) throw new Error(`${nameOf(gone)} is not there any more: try the whole of "${part.name}"`)
  return withKilled(before, now)
}

function scoreOf({ name }: Part, mutants: readonly Mutant[]): number {
  const alive = mutants.filter((one) => !isKilled(one))
  for (const { file, status, location, mutatorName, replacement } of alive)
    process.stdout.write(
      `${status} ${file}:${location.start.line}:${location.start.column} ${mutatorName}: ${replacement?.slice(0, 80)}\n`,
    )
  const killed = mutants.length - alive.length
  const score = mutants.length === 0 ? 0 : (killed / mutants.length) * 100
  process.stdout.write(
    `${name}: ${killed} of ${mutants.length} mutants killed, ${score.toFixed(1)} % (goal: ${SCORE_MIN_PERCENT} %)\n`,
  )
  return score
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}

const args = process.argv.slice(2).filter((word) => word !== AGAIN && word !== QUICK)
const files = args.filter((word) => word.endsWith('.ts'))
const partNames = args.filter((word) => !files.includes(word))
const isQuick = process.argv.includes(QUICK)
/** Returns the files to mutate. A named part may have files of other parts, because its tests may cover them. */
const filesOf = (part: Part): readonly string[] =>
  partNames.length > 0 ? files : files.filter((file) => globSync(sourcesOf(part), { cwd: root }).includes(file))
const chosen = PARTS.filter(({ name }) => partNames.length === 0 || partNames.includes(name))
  .map(
    ({ slow, ...part }): Part => ({
      ...part,
      ...(files.length > 0 && { mutate: filesOf(part) }),
      ...(slow && !isQuick && { slow }),
    }),
  )
  .filter(({ mutate }) => mutate.length > 0)
if (chosen.length === 0)
  refuse(`No such part, or none with these files: there are ${PARTS.map(({ name }) => `"${name}"`).join(', ')}`)
// Stryker would only warn about a missing file, and mutate nothing.
const missing = files.find((file) => globSync(file, { cwd: root }).length === 0)
if (missing !== undefined)
  refuse(`No such file: ${missing}; name it from the folder of the project, as drivers/wire/row.ts`)
const isAgain = process.argv.includes(AGAIN)
const untried = isAgain ? chosen.find((part) => !existsSync(resultOf(part))) : undefined
if (untried)
  refuse(
    `${AGAIN} needs the last result of all of "${untried.name}": try it once with npm run mutants -- "${untried.name}"`,
  )
mkdirSync(output, { recursive: true })
const scores: number[] = []
for (const part of chosen) {
  const mutants = isAgain ? await triedAgain(part) : await tried(part, sourcesOf(part))
  if (files.length === 0) writeFileSync(resultOf(part), JSON.stringify(mutants))
  scores.push(scoreOf(part, mutants))
}
process.exitCode = scores.every((score) => score >= SCORE_MIN_PERCENT) ? 0 : 1
