/**
 * `npm run fuzz [-- TARGET...] [--seed N] [--rounds N]`: all targets in turn with new seeds until it is stopped, or for so
 * many rounds. A find is kept in fixtures/fuzz, told with how to repeat it, and ends with status 1.
 */
import { createHash, randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SEEDS, search } from './fuzz.ts'
import { TARGETS } from './targets.ts'

const RUNS = 5_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, rounds: { type: 'string' } },
})
const chosen = TARGETS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
if (chosen.length === 0 || positionals.some((name) => !TARGETS.some((target) => target.name === name))) {
  process.stderr.write(`targets: ${TARGETS.map(({ name }) => name).join(', ')}\n`)
  process.exit(2)
}
const first = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
const rounds = values.rounds === undefined ? Number.POSITIVE_INFINITY : Number(values.rounds)

for (let round = 0; round < rounds; round++) {
  for (const target of chosen) {
    const seed = first + round
    let outcomes = 0
    const found = await search(target, { seed, runs: RUNS, outcomes: (count) => (outcomes = count) })
    process.stdout.write(`${target.name}: seed ${seed}, ${RUNS} inputs, ${found ? 'a find' : `${outcomes} outcomes`}\n`)
    if (!found) continue
    const name = createHash('sha256').update(found.input).digest('hex').slice(0, 12)
    mkdirSync(join(SEEDS, target.name), { recursive: true })
    writeFileSync(join(SEEDS, target.name, name), found.input)
    const error = found.error instanceof Error ? found.error.stack : String(found.error)
    process.stdout.write(`fixtures/fuzz/${target.name}/${name} (input ${found.at} of seed ${seed}):\n${error}\n`)
    process.exit(1)
  }
}
