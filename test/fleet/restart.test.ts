import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { FleetNotice } from '../../emulator/panel/fleet.ts'
import { openFleet, planOf, type SmallFleet, tillAt } from './small-fleet.ts'

async function openOne(): Promise<SmallFleet & { readonly port: (name: string) => number }> {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-restart-'))
  const small = await openFleet([planOf('kept', { data: folder }), planOf('light'), planOf('beside')], { workers: 1 })
  onTestFinished(async () => {
    await small.fleet.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    ...small,
    port: (name) => small.fleet.printers.find(({ plan }) => plan.name === name)?.tcp ?? 0,
  }
}

async function sellAt(port: number): Promise<void> {
  const till = await tillAt(port)
  await till.receipt()
  till.close()
}

const runsAgain = ({ log }: SmallFleet, times: number) =>
  expect.poll(() => log.filter((line) => line.startsWith('thread 1 was restarted')).length).toBe(times)

it('a fleet thread that died with an error is restarted, and restores the books of its printers, also of printers in memory', async () => {
  const small = await openOne()
  const { fleet, threads, log } = small
  const notices: FleetNotice[] = []
  const stop = fleet.listen((one) => void notices.push(one))
  const ports = ['kept', 'light', 'beside'].map(small.port)
  for (const port of ports) await sellAt(port)
  const before = await fleet.documents(0, 100)
  expect(before).toHaveLength(3)

  // An invalid message causes an uncaught error in the thread.
  threads[0]?.postMessage(null)
  await runsAgain(small, 1)

  expect(log.find((line) => line.startsWith('thread 1 crashed'))).toMatch(/with its 3 printers: TypeError/)
  expect(log.at(-1)).toBe('thread 1 was restarted with 3 of 3 printers')
  expect(notices.filter(([name]) => name === 'told').length).toBe(2)
  expect(['kept', 'light', 'beside'].map(small.port)).toEqual(ports)
  for (const port of ports) await sellAt(port)
  expect((await fleet.rows()).map(({ total }) => total)).toEqual(['3.00', '3.00', '3.00'])
  const after = await fleet.documents(0, 100)
  expect(after).toHaveLength(6)
  expect(after.slice(0, 3)).toEqual(before)
  stop()
})

it('a fleet thread that died without an error is restarted: printers with a data folder keep their books, printers in memory begin again, and the log reports it', async () => {
  const small = await openOne()
  const { fleet, threads, log } = small
  for (const name of ['kept', 'light']) await sellAt(small.port(name))
  await threads[0]?.terminate()
  await runsAgain(small, 1)
  expect(log.at(-1)).toContain('3 of 3 printers; new devices, because their data was in memory only: 2')
  expect((await fleet.rows()).map(({ total }) => total)).toEqual(['1.50', '0.00', '0.00'])
  expect((await fleet.documents(0, 100)).map(({ name }) => name)).toEqual(['kept'])
})

it('a fleet thread that dies repeatedly is given up', async () => {
  const small = await openOne()
  const { fleet, threads, log } = small
  for (let times = 1; times <= 3; times++) {
    await threads.at(-1)?.terminate()
    await runsAgain(small, times)
  }
  await threads.at(-1)?.terminate()
  await expect.poll(() => log.find((line) => line.includes('times and will not be restarted'))).toBeDefined()
  expect((await fleet.rows()).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
  expect(threads.length).toBe(4)
})
