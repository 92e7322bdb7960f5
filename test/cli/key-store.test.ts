/**
 * The service never replaces its key store silently (operations 4): a store that was removed, exchanged or emptied, or
 * whose lock was removed.
 */
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FREE_PORTS, type Running, start } from '../support/command.ts'

let data: string
const running: Running[] = []
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'fiscal-rig-keys-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(data, { recursive: true, force: true })
})

const RECEIPT = JSON.stringify({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] })
const STORE = ['answers.sqlite', 'answers.sqlite-wal', 'answers.sqlite-shm']
const at = (name: string): string => join(data, name)

const begin = (): Running => {
  const service = start(['serve', '--json', '--data', data, ...FREE_PORTS])
  running.push(service)
  return service
}
async function print(ready: Record<string, unknown>, key: string) {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  const answer = await fetch(`${ready['http']}/print-fiscal-receipt`, { method: 'POST', headers, body: RECEIPT })
  return (await answer.json()) as { StatusCode: number; Data?: string; Message?: string }
}
const receipts = async (ready: Record<string, unknown>) =>
  ((await (await fetch(`${ready['panel']}/emulator/documents`)).json()) as unknown[]).length
function copyOf(names: readonly string[]): () => void {
  const copies = names.map((name) => [name, readFileSync(at(name))] as const)
  return () => {
    for (const [name, bytes] of copies) writeFileSync(at(name), bytes)
  }
}
async function stop(service: Running): Promise<void> {
  service.child.kill('SIGTERM')
  await service.ended
}

it('if the key store is removed while the service runs, nothing is printed any more, and the next start says what is missing', async () => {
  const service = begin()
  const ready = await service.ready()
  expect(await print(ready, 'a')).toEqual({ StatusCode: 200, Data: '1' })
  for (const name of STORE) rmSync(at(name), { force: true })
  expect(await print(ready, 'b')).toMatchObject({
    StatusCode: 503,
    Message: expect.stringContaining(
      `${at('answers.sqlite')} is not the file that this service has opened: it was removed.`,
    ),
  })
  expect(await print(ready, 'a')).toEqual({ StatusCode: 200, Data: '1' })
  expect(await receipts(ready)).toBe(1)
  await stop(service)
  const { status, err } = await begin().ended
  expect(err).toContain(`${at('answers.sqlite')} is missing. It contained what was printed for which key`)
  expect(status).toBe(3)
})

it('if the key store is replaced by a copy of yesterday while the service runs, nothing is printed any more', async () => {
  const service = begin()
  const ready = await service.ready()
  copyFileSync(at('answers.sqlite'), at('yesterday'))
  expect(await print(ready, 'a')).toEqual({ StatusCode: 200, Data: '1' })
  renameSync(at('yesterday'), at('answers.sqlite'))
  expect(await print(ready, 'b')).toMatchObject({
    StatusCode: 503,
    Message: expect.stringContaining('another file has replaced it'),
  })
  expect(await receipts(ready)).toBe(1)
})

it('if the -wal file of the key store is removed while the service runs, nothing is printed any more, and the next start is refused', async () => {
  const service = begin()
  const ready = await service.ready()
  expect(await print(ready, 'a')).toEqual({ StatusCode: 200, Data: '1' })
  rmSync(at('answers.sqlite-wal'))
  expect(await print(ready, 'b')).toMatchObject({
    StatusCode: 503,
    Message: expect.stringContaining(
      `${at('answers.sqlite-wal')} is not the file that this service has opened: it was removed`,
    ),
  })
  expect(await receipts(ready)).toBe(1)
  service.child.kill('SIGKILL')
  await service.ended
  const { status, err } = await begin().ended
  expect(err).toContain(
    `${at('answers.sqlite')} cannot be used: it is older than what was written into it last. Without its records`,
  )
  expect(status).toBe(3)
})

it('if a copy of all files of the key store is restored in place while the service runs, the next request is rejected, and so is the next start', async () => {
  const service = begin()
  const ready = await service.ready()
  expect(await print(ready, 'a')).toEqual({ StatusCode: 200, Data: '1' })
  const restore = copyOf(['answers.sqlite', 'answers.sqlite-wal', 'answers.count'])
  expect(await print(ready, 'b')).toEqual({ StatusCode: 200, Data: '2' })
  restore()
  for (const key of ['b', 'c']) {
    const { StatusCode, Message } = await print(ready, key)
    expect([StatusCode, Message]).toEqual([
      503,
      expect.stringMatching(/^The service can no longer write its operation log: a copy of .* was restored while/),
    ])
  }
  expect(await receipts(ready)).toBe(2)
  service.child.kill('SIGKILL')
  await service.ended
  const { status, err } = await begin().ended
  expect(err).toContain(`${at('answers.sqlite')} cannot be used: it is older than what was written into it last.`)
  expect(status).toBe(3)
})

it('if a copy without the count is restored in place while the service runs, the service continues with the keys in memory, and the next start is rejected', async () => {
  const service = begin()
  const ready = await service.ready()
  expect(await print(ready, 'a')).toEqual({ StatusCode: 200, Data: '1' })
  const restore = copyOf(['answers.sqlite', 'answers.sqlite-wal'])
  expect(await print(ready, 'b')).toEqual({ StatusCode: 200, Data: '2' })
  restore()
  expect(await print(ready, 'b')).toEqual({ StatusCode: 200, Data: '2' })
  expect(await print(ready, 'c')).toEqual({ StatusCode: 200, Data: '3' })
  expect(await receipts(ready)).toBe(3)
  service.child.kill('SIGKILL')
  await service.ended
  const { status, err } = await begin().ended
  expect(err).toContain(`${at('answers.sqlite')} cannot be used: it is older than what was written into it last.`)
  expect(status).toBe(3)
})

it.each([[['answers.sqlite', 'answers.sqlite-wal']], [['answers.sqlite-wal']]])(
  'the service does not start if an older copy replaces %j',
  async (names) => {
    const service = begin()
    const ready = await service.ready()
    expect(await print(ready, 'a')).toEqual({ StatusCode: 200, Data: '1' })
    const putBack = copyOf(names)
    expect(await print(ready, 'b')).toEqual({ StatusCode: 200, Data: '2' })
    service.child.kill('SIGKILL')
    await service.ended
    putBack()
    for (let start = 0; start < 2; start++) {
      const { status, err } = await begin().ended
      expect(err).toContain(`${at('answers.sqlite')} cannot be used: it is older than what was written into it last.`)
      expect(status).toBe(3)
    }
  },
)

it('if the count of the key store is removed, the service does not start', async () => {
  const service = begin()
  expect(await print(await service.ready(), 'a')).toEqual({ StatusCode: 200, Data: '1' })
  await stop(service)
  rmSync(at('answers.count'))
  const { status, err } = await begin().ended
  expect(err).toContain(`${at('answers.count')}, which counts its writes, is gone. Without its records`)
  expect(status).toBe(3)
})

it('if the key store is empty after a power failure, the service does not start', async () => {
  const service = begin()
  expect(await print(await service.ready(), 'a')).toEqual({ StatusCode: 200, Data: '1' })
  await stop(service)
  writeFileSync(at('answers.sqlite'), '')
  const { status, err } = await begin().ended
  expect(err).toContain(`${at('answers.sqlite')} is empty. It contained what was printed for which key`)
  expect(status).toBe(3)
})

it('if the lock of the key store is removed, no second service starts on the folder, and the first prints nothing more', async () => {
  const first = await begin().ready()
  rmSync(at('lock.sqlite'))
  const { status, err } = await begin().ended
  expect(err).toContain(`${at('answers.sqlite')} cannot be used: database is locked. Stop the program that uses it`)
  expect(status).toBe(3)
  expect(await print(first, 'b')).toMatchObject({
    StatusCode: 503,
    Message: expect.stringContaining(
      `${at('lock.sqlite')}, the lock of the data folder, is not the one that this process opened`,
    ),
  })
})
