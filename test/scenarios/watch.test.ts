import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Running, start } from '../support/command.ts'

let folder: string
let running: Running | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-watch-'))
})
afterEach(async () => {
  running?.child.kill('SIGTERM')
  expect((await running?.ended)?.status).toBe(0)
  rmSync(folder, { recursive: true, force: true })
})

async function seen(fits: (log: string, out: string) => boolean): Promise<void> {
  const { child, log, said } = running as Running
  while (!fits(log(), said()))
    await Promise.race([once(child.stderr as Readable, 'data'), once(child.stdout as Readable, 'data')])
}
/** Resolves after the program has waited `times` times for a change. */
const waits = (times: number) => seen((log) => log.split('Waiting for a change').length > times)

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const scenario = (plu: number) => `
name: a sale
families: [A]
steps:
  - include: open.yaml
  - post /register-plu-sale: { PluNumber: ${plu} }
  - post /cancel-fiscal-receipt:
`
const OPEN =
  'steps:\n- post /open-fiscal-receipt: { OperatorCode: 1, OperatorPassword: "0000", PointOfSaleNumber: 1, Invoice: false }\n'

it('the watcher watches scenarios and their includes, not its own reports, traces and logs', async () => {
  write('sale.yaml', scenario(1))
  write('open.yaml', OPEN)
  mkdirSync(join(folder, 'reports'))
  const reports = ['--reporter', 'pretty', '--reporter', 'junit=reports/all.xml', '--trace', 'trace.html']
  running = start(['run', '--watch', 'sale.yaml', ...reports], { cwd: folder })
  await waits(1)
  // The run writes its own files before it waits. If they were watched, they would have started the run again.
  write('till.log', 'a line\n')
  write('reports/other.json', '{}')
  write('open.yaml', `${OPEN}- post /subtotal: {}\n`)
  await waits(2)
  write('sale.yaml', scenario(2))
  await waits(3)
  write('till.log', 'a line\nanother\n')
  write('sale.yaml', scenario(99))
  await waits(4)
  // The report and the log come through two pipes, in any order.
  await seen((_log, out) => out.includes('PluNumber'))
  expect(running.said().match(/1 passed/g)).toHaveLength(3)
  expect(running.log().split('Waiting for a change')).toHaveLength(5)
})

it('the watcher plays again after a new file in a folder, and after a correction', async () => {
  write('one.yaml', 'name: nothing\n')
  running = start(['run', '--watch', '.'], { cwd: folder })
  await waits(1)
  expect(running.log()).toContain('one.yaml:1')
  write('one.yaml', 'name: one\nfamilies: [A]\nsteps: [{ post /report-x: }]\n')
  await seen((_log, out) => out.includes('1 passed'))
  write('two.yaml', 'name: two\nfamilies: [A]\nsteps: [{ post /report-x: }]\n')
  await seen((_log, out) => out.includes('2 passed'))
})
