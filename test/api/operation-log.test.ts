/** A locked, full or read-only file of the operation log (decisions 3): real SQLite on a real file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'

const PRINT = '/print-fiscal-receipt'
const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
const OPENING = { OperatorCode: 1, PointOfSaleNumber: 1, Invoice: false }

let folder: string
let path: string
let other: DatabaseSync
let rig: KillableService
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-journal-'))
  path = join(folder, 'answers.sqlite')
})
afterEach(async () => {
  await rig.close()
  if (other?.isOpen) other.close()
  rmSync(folder, { recursive: true })
})

const documents = () => rig.emulator.device.documents().filter(({ kind }) => kind === 'fiscal').length
const lock = () => other.exec('BEGIN EXCLUSIVE')
const unlock = () => other.exec('ROLLBACK')

describe.each(FAMILIES)('family %s, while another program locks the operation log', (family) => {
  let database: DatabaseSync
  beforeEach(() => {
    // The timeout is shorter than the service's, because each failed write waits that long in real time.
    database = new DatabaseSync(path, { timeout: 20 })
    rig = startKillableService(family, { journal: database })
    other = new DatabaseSync(path)
  })
  afterEach(() => database.close())

  it('a request that prints is refused with file and reason before anything is sent, and is printed after the lock is released', async () => {
    lock()
    for (const key of ['k', undefined]) {
      const refused = await rig.post(PRINT, RECEIPT, key)
      expect(refused).toMatchObject({ StatusCode: 503 })
      expect(refused.Message).toContain(path)
      expect(refused.Message).toContain('another program has locked it')
    }
    expect([documents(), rig.emulator.device.counters.lastDocument]).toEqual([0, 0])
    unlock()
    expect((await rig.post(PRINT, RECEIPT, 'k')).StatusCode).toBe(200)
    expect(documents()).toBe(1)
  })

  it('a request that needs no operation log succeeds', async () => {
    const password = rig.printer.capabilities.defaultPassword(1)
    const opening = { ...OPENING, OperatorPassword: password }
    lock()
    // After a restart, the record of the opening shows that the receipt is not another program's. Without that record,
    // the service opens none.
    expect((await rig.post('/open-fiscal-receipt', opening)).StatusCode).toBe(503)
    expect(rig.emulator.device.receipt).toBeNull()
    unlock()
    expect((await rig.post('/open-fiscal-receipt', opening)).StatusCode).toBe(200)
    lock()
    expect((await rig.post('/register-plu-sale', { PluNumber: 1 })).StatusCode).toBe(200)
    expect((await rig.post('/status-of-the-fiscal-transaction')).StatusCode).toBe(200)
    expect((await rig.post('/payment', { PaymentMode: 0, Amount: 10 })).StatusCode).toBe(200)
    expect((await rig.post('/close-fiscal-receipt')).StatusCode).toBe(200)
    unlock()
  })

  it('a lock before the end of a request leaves the answer in memory: a retry gets the answer, which is written after the lock is released', async () => {
    const isPaid = () => {
      const { receipt } = rig.emulator.device
      return receipt?.kind === 'fiscal' && receipt.fiscal.paid > 0
    }
    let isLocked = false
    rig.emulator.subscribe((event) => {
      if (event.type !== 'frame' || isLocked || !isPaid()) return
      isLocked = true
      lock()
    })
    const first = await rig.post(PRINT, RECEIPT, 'k')
    expect([first.StatusCode, isLocked]).toEqual([200, true])
    expect(await rig.post(PRINT, RECEIPT, 'k')).toEqual(first)
    expect((await rig.post(PRINT, RECEIPT, 'another')).StatusCode).toBe(503)
    expect((await rig.post(PRINT, { ReceiptItems: [] }, 'k')).StatusCode).toBe(400)
    expect(documents()).toBe(1)
    unlock()
    expect((await rig.post(PRINT, RECEIPT, 'another')).StatusCode).toBe(200)
    rig.restart()
    expect(await rig.post(PRINT, RECEIPT, 'k')).toEqual(first)
    expect(documents()).toBe(2)
  })

  it('a lock before the first payment of a receipt makes the service cancel the receipt', async () => {
    let isLocked = false
    rig.emulator.subscribe((event) => {
      if (event.type !== 'frame' || isLocked || rig.emulator.device.receipt === null) return
      isLocked = true
      lock()
    })
    const refused = await rig.post(PRINT, RECEIPT, 'k')
    expect(refused.StatusCode).toBe(503)
    expect(refused.Message).toMatch(/locked.*The receipt was cancelled\.$/)
    expect([documents(), rig.emulator.device.receipt]).toEqual([0, null])
    unlock()
    expect((await rig.post(PRINT, RECEIPT, 'k')).StatusCode).toBe(200)
  })
})

describe('a failure of the operation log is explained:', () => {
  let database: DatabaseSync
  beforeEach(() => {
    database = new DatabaseSync(path)
    rig = startKillableService('A', { journal: database })
  })
  afterEach(() => database.close())

  it('the disk is full', async () => {
    expect((await rig.post(PRINT, RECEIPT, 'before')).StatusCode).toBe(200)
    const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count'])
    database.exec(`CREATE TABLE filling (text TEXT); PRAGMA max_page_count = ${pages + 3}`)
    const fill = database.prepare('INSERT INTO filling VALUES (?)')
    for (const size of [4000, 300, 30]) {
      let isFull = false
      while (!isFull) {
        try {
          fill.run('x'.repeat(size))
        } catch {
          isFull = true
        }
      }
    }
    const refusals: string[] = []
    for (let n = 0; refusals.length === 0 && n < 50; n++) {
      const { StatusCode, Message = '' } = await rig.post(PRINT, RECEIPT, `key ${n}`)
      if (StatusCode !== 200) refusals.push(`${StatusCode} ${Message}`)
    }
    expect(refusals[0]).toMatch(/^503 .*answers\.sqlite.*the disk is full/)
    const printed = documents()
    expect((await rig.post(PRINT, RECEIPT, 'next')).StatusCode).toBe(503)
    expect((await rig.post('/status-of-the-fiscal-transaction')).StatusCode).toBe(200)
    expect((await rig.post(PRINT, RECEIPT, 'before')).StatusCode).toBe(200)
    expect(documents()).toBe(printed)
    database.exec('PRAGMA max_page_count = 1000000')
    expect((await rig.post(PRINT, RECEIPT, 'next')).StatusCode).toBe(200)
  })

  it('the file is read-only', async () => {
    database.exec('PRAGMA query_only = ON')
    const refused = await rig.post(PRINT, RECEIPT, 'k')
    expect(refused.Message).toMatch(/answers\.sqlite.*it is read-only/)
    expect([refused.StatusCode, documents()]).toEqual([503, 0])
    database.exec('PRAGMA query_only = OFF')
    expect((await rig.post(PRINT, RECEIPT, 'k')).StatusCode).toBe(200)
  })
})
