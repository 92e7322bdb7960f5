/** Cost of the library for a test suite: the import of the built package, and the start of a printer in memory. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, median } from './measure.ts'

const root = join(import.meta.dirname, '..', '..')
const ENTRY = join(root, 'dist', 'bin', 'library.js')
const RUNS = 7

/** The first start is measured: it is the slowest, and in many test files the only one. */
const PROGRAM = `
  const began = performance.now()
  const { startPrinter } = await import(process.argv[1])
  const imported = performance.now()
  const printer = await startPrinter({ family: 'A' })
  const started = performance.now()
  const others = await Promise.all(Array.from({ length: 19 }, () => startPrinter({ family: 'B' })))
  const all = performance.now()
  for (const one of [printer, ...others]) await one.close()
  console.log(JSON.stringify({ importMs: imported - began, firstMs: started - imported, othersMs: (all - started) / 19 }))
`

interface Times {
  readonly importMs: number
  readonly firstMs: number
  readonly othersMs: number
}

export function libraryFigures(): Promise<Figure[]> {
  if (!existsSync(ENTRY)) build()
  const runs = Array.from({ length: RUNS }, measured)
  const of = (member: keyof Times) => median(runs.map((times) => times[member]))
  return Promise.resolve([
    { name: 'library: import', value: of('importMs'), unit: 'ms', target: { atMost: 150 } },
    { name: 'library: startPrinter, the first', value: of('firstMs'), unit: 'ms', target: { atMost: 30 } },
    { name: 'library: startPrinter, each of 19 more', value: of('othersMs'), unit: 'ms', target: { atMost: 30 } },
  ])
}

function build(): void {
  const { status, stderr } = spawnSync(process.execPath, ['bin/commands/build.ts'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the package cannot be built: ${stderr}`)
}

function measured(): Times {
  const args = ['--input-type=module', '-e', PROGRAM, ENTRY]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the library cannot be measured: ${stderr}`)
  return JSON.parse(stdout) as Times
}
