/**
 * `npm run mutants [-- PART... FILE...]` (of the parts these files only): changes one place of the sources after the other and looks whether a test notices
 * (Stryker with Vitest). The score of each part is printed, and every survivor with its place; the whole report of a part
 * is written to mutants/PART.json. Exit status 1 when a part stays below the goal.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PARTS, type Part, sourcesOf, testsOf } from './parts.ts'

const GOAL = 85
const root = join(import.meta.dirname, '..', '..')
const output = join(root, 'mutants')

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[]; readonly source: string }>>
}

interface Mutant {
  readonly id: string
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: string
  readonly location: { readonly start: { readonly line: number; readonly column: number } }
}

const fileOf = (name: string): string => name.replaceAll(' ', '-')

/** Stryker's own configuration for one part. */
function configOf(part: Part): string {
  const path = join(output, `${fileOf(part.name)}.config.json`)
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    mutate: sourcesOf(part),
    // Texts for people are held by golden files, and change nothing that is done.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    // What runs while a module is loaded runs once for all mutants.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: 4000,
    tempDirName: 'mutants/sandbox',
    ignorePatterns: ['/dist', '/mutants', '/.git'],
    // What this version of Stryker does to it needs the API of an older TypeScript; Node reads none.
    tsconfigFile: 'none',
    reporters: ['progress-append-only', 'clear-text', 'json'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false, reportMutants: false },
    jsonReporter: { fileName: join(output, `${fileOf(part.name)}.json`) },
    allowConsoleColors: false,
  }
  writeFileSync(path, `${JSON.stringify(config, undefined, 2)}\n`)
  return path
}

function run(part: Part): Promise<number | null> {
  const program = join(root, 'node_modules', '.bin', 'stryker')
  const env = { ...process.env, RIG_MUTANT_TESTS: testsOf(part).join(' ') }
  const child = spawn(program, ['run', configOf(part)], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env })
  child.stdout.pipe(process.stdout)
  child.stderr.pipe(process.stderr)
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
}

/** Killed or timed out, of those that a test could notice. */
const KILLED = ['Killed', 'Timeout']
const COUNTED = [...KILLED, 'Survived', 'NoCoverage']

function told({ name }: Part): number {
  const { files } = JSON.parse(readFileSync(join(output, `${fileOf(name)}.json`), 'utf8')) as Report
  const mutants = Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((one) => ({ file, ...one })))
  const counted = mutants.filter(({ status }) => COUNTED.includes(status))
  const killed = counted.filter(({ status }) => KILLED.includes(status))
  for (const { file, status, location, mutatorName, replacement } of counted.filter((one) => !killed.includes(one)))
    process.stdout.write(
      `${status} ${file}:${location.start.line}:${location.start.column} ${mutatorName}: ${replacement?.slice(0, 80)}\n`,
    )
  const score = counted.length === 0 ? 0 : (killed.length / counted.length) * 100
  process.stdout.write(
    `${name}: ${killed.length} of ${counted.length} mutants killed, ${score.toFixed(1)} % (goal: ${GOAL} %)\n`,
  )
  return score
}

const files = process.argv.slice(2).filter((word) => word.endsWith('.ts'))
const wanted = process.argv.slice(2).filter((word) => !files.includes(word))
const chosen = PARTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).map((part) =>
  files.length === 0 ? part : { ...part, mutate: files },
)
if (chosen.length === 0) {
  process.stderr.write(`No such part: there are ${PARTS.map(({ name }) => `"${name}"`).join(', ')}\n`)
  process.exit(2)
}
mkdirSync(output, { recursive: true })
const scores: number[] = []
for (const part of chosen) {
  const status = await run(part)
  if (status !== 0) throw new Error(`Stryker ended with status ${status} at "${part.name}"`)
  scores.push(told(part))
}
process.exitCode = scores.every((score) => score >= GOAL) ? 0 : 1
