/**
 * `npm run bench` measures the figures that this project promises, prints them with their targets and writes
 * bench-results.json. Ratios compare with a bare echo and with an express route that returns a constant, because
 * absolute figures depend on the machine. Arguments select figures by a part of their names:
 * `npm run bench -- "many printers"`. `--readme` writes the figures into the README. The exit status is 1 if a target
 * is missed. `npm run bench -- --against COMMIT` runs test/bench/compare-commits.ts instead.
 *
 * Environment variables, with their defaults:
 * - RIG_BENCH_MS: time of each measurement in ms (2000)
 * - RIG_BENCH_RECEIPTS: receipts of the memory figure (20000)
 * - RIG_BENCH_TILLS: emulated printers in one process (1000)
 * - RIG_BENCH_DAY: receipts of a printer's day (300)
 * - RIG_BENCH_YEAR: receipts of each day of the year (250), or 0 for no year
 * - RIG_BENCH_FAMILIES: families, such as `A,B,C`
 * - RIG_BENCH_SUITE: `no` omits the time of `npm test`
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { emulatedFamilies } from '../../emulator/families.ts'
import { workerFigures, yearFigures } from './campaign.ts'
import { coreFigures, type Family } from './core.ts'
import { faultFigures } from './faults.ts'
import { fleetFigures } from './fleet.ts'
import { libraryFigures } from './library.ts'
import { pacingFigures } from './line.ts'
import { type Figure, met, table } from './measure.ts'
import { pageFigures } from './page.ts'
import { captureFigures, memoryFigures, ptyFigures, serviceMemoryFigures, startFigures } from './processes.ts'
import { writeFigures } from './readme.ts'
import { restFigures } from './rest.ts'
import { scenarioFigures } from './scenarios.ts'
import { siteFigures } from './site.ts'
import { suiteFigures } from './suite.ts'

const forMs = Number(process.env['RIG_BENCH_MS'] ?? 2000)
const receipts = Number(process.env['RIG_BENCH_RECEIPTS'] ?? 20_000)
const yearly = Number(process.env['RIG_BENCH_YEAR'] ?? 250)
const tills = Number(process.env['RIG_BENCH_TILLS'] ?? 1000)
const day = Number(process.env['RIG_BENCH_DAY'] ?? 300)
const families = (process.env['RIG_BENCH_FAMILIES'] ?? [...emulatedFamilies.keys()].join(',')).split(',') as Family[]

const figures: Figure[] = []
const isForReadme = process.argv.includes('--readme')
const chosen = process.argv.slice(2).filter((word) => word !== '--readme')
const take = async (what: string, measure: () => Promise<Figure[]>): Promise<void> => {
  if (chosen.length > 0 && !chosen.some((word) => what.includes(word))) return
  process.stderr.write(`measuring: ${what}\n`)
  figures.push(...(await measure()))
}

for (const family of families) await take(`core of family ${family}`, () => coreFigures(family, forMs))
const figureOf = (name: string): number => figures.find((one) => one.name === name)?.value ?? Number.NaN
const saleOf = (family: string): number => figureOf(`${family}: core, sale`)
for (const family of families.filter((one) => one !== 'A' && families.includes('A'))) {
  if (chosen.length > 0) break
  const value = saleOf(family) / saleOf('A')
  figures.push({ name: `${family}: core sale / A`, value, unit: '', target: { atLeast: 0.7 } })
}
await take('REST', () => restFigures(families, forMs))
for (const family of families) await take(`pty of family ${family}`, () => ptyFigures(family, forMs))
await take('runs with faults', () => faultFigures(families, forMs))
await take('scenarios', scenarioFigures)
await take('paced line', pacingFigures)
await take('capture', captureFigures)
await take('start', startFigures)
await take('many printers', () => fleetFigures(forMs, tills, day))
await take('library', libraryFigures)
await take('page', () => pageFigures(forMs))
await take('site', siteFigures)
await take('workers of a campaign', workerFigures)
await take(`a running service after ${receipts} receipts`, () => serviceMemoryFigures(receipts))
for (const family of yearly > 0 ? families : [])
  await take(`a year of family ${family}`, () => yearFigures(family, yearly))
for (const family of families) {
  await take(`memory of family ${family} after ${receipts} receipts`, () => memoryFigures(family, receipts))
}
if (process.env['RIG_BENCH_SUITE'] !== 'no') await take('npm test', suiteFigures)

const missed = figures.filter((figure) => met(figure) === false)
const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version }
const at = new Date().toISOString()
const results = {
  at,
  machine,
  figures: figures.map((figure) => ({ ...figure, met: met(figure) })),
}
writeFileSync(
  fileURLToPath(new URL('../../bench-results.json', import.meta.url)),
  `${JSON.stringify(results, undefined, 2)}\n`,
)
if (isForReadme) {
  const machineText = `${machine.cpus} cores of ${machine.model}, Node ${process.versions.node}, ${at.slice(0, 10)}`
  writeFigures(fileURLToPath(new URL('../../README.md', import.meta.url)), figures, machineText)
}
process.stdout.write(`${table(figures)}\n${missed.length === 0 ? 'all targets met' : `${missed.length} not met`}\n`)
process.exitCode = missed.length === 0 ? 0 : 1
