/**
 * `npm run fuzz [-- TARGET...] [--seconds N] [--runs N] [--seed N] [--corpus DIR] [--input FILE]` runs each target for
 * N seconds (60) or N inputs. Inputs that took a new branch are saved outside of the repository for the next run. An
 * input that fails is saved in fixtures/fuzz, where `npm test` tries it from then on, and is printed with the command
 * that repeats it. The exit status is then 1. `--input` runs a single file.
 */
import { createHash, randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { branchCount, instrument } from './instrument.ts'
import { byBranches, type Found, type FuzzTarget, inputsIn, SEEDS, search } from './search.ts'

const root = join(import.meta.dirname, '..', '..')
const OURS = ['drivers', 'emulator', 'server', 'scenarios', 'bin'].map((folder) => join(root, folder) + sep)
const CORPUS = join(root, 'node_modules', '.cache', 'fuzz')

const say = (line: string) => process.stdout.write(`${line}\n`)
const stop = (line: string): never => {
  process.stderr.write(`${line}\n`)
  process.exit(2)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ seconds: { type: 'string', default: '60' }, runs: { type: 'string' }, seed: { type: 'string' } },
    ...{ corpus: { type: 'string', default: CORPUS }, input: { type: 'string' } },
  },
})
const number = (name: string, text: string): number =>
  /^\d{1,9}$/.test(text) ? Number(text) : stop(`--${name} ${text}: expected a whole number`)
const seconds = number('seconds', values.seconds)
const runs = values.runs === undefined ? undefined : number('runs', values.runs)
const seed = values.seed === undefined ? randomInt(2 ** 31) : number('seed', values.seed)

instrument((file) => OURS.some((folder) => file.startsWith(folder)))
const { TARGETS } = await import('./targets/index.ts')

const chosen = TARGETS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
if (positionals.some((name) => !chosen.some((target) => target.name === name))) {
  stop(`targets: ${TARGETS.map(({ name }) => name).join(', ')}`)
}

// An asynchronous error is attributed to the input that runs at that moment.
let running: { readonly target: FuzzTarget; readonly input: Buffer } | undefined
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    if (running) found(running.target, { input: running.input, error, at: 0 })
    else process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    process.exit(1)
  })
}
const watched = (target: FuzzTarget): FuzzTarget => ({
  ...target,
  run(input) {
    running = { target, input }
    return target.run(input)
  },
})

const nameOf = (input: Buffer): string => createHash('sha256').update(input).digest('hex').slice(0, 12)

function found({ name }: FuzzTarget, { input, error }: Found): void {
  const folder = join(SEEDS, name)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, nameOf(input))
  writeFileSync(file, input)
  say(`${name}: a find, kept as ${relative(root, file)} (${input.length} bytes)`)
  say(JSON.stringify(input.toString('latin1')))
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  say(`again: npm run fuzz -- ${name} --input ${relative(root, file)}`)
}

async function fuzz(target: FuzzTarget): Promise<boolean> {
  const folder = join(values.corpus, target.name)
  if (values.corpus !== 'none') mkdirSync(folder, { recursive: true })
  const until = performance.now() + seconds * 1000
  const searched = await search(watched(target), {
    ...{ seed, novelty: byBranches(), corpus: values.corpus === 'none' ? [] : inputsIn(folder) },
    goOn: (at) => (runs === undefined ? performance.now() < until : at <= runs),
    ...(values.corpus !== 'none' && { keep: (input) => writeFileSync(join(folder, nameOf(input)), input) }),
  })
  if (searched.found) {
    found(target, searched.found)
    return false
  }
  say(`${target.name}: seed ${seed}, ${searched.runs} inputs, ${searched.corpusSize} kept, nothing found`)
  return true
}

let isClean = true
if (values.input === undefined) {
  say(`${chosen.length} targets, ${branchCount()} branches`)
  for (const target of chosen) isClean = (await fuzz(target)) && isClean
} else {
  const [target] = chosen
  if (!target || chosen.length > 1) stop('--input wants one target')
  else {
    const input = readFileSync(values.input)
    say(String(await watched(target).run(input)))
  }
}
process.exit(isClean ? 0 : 1)
