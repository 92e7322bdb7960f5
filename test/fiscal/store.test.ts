import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { readMemoryFile } from '../../emulator/fiscal/audit-file.ts'
import { brokenLine } from '../../emulator/fiscal/journal.ts'
import { SnapshotError } from '../../emulator/fiscal/snapshot.ts'
import { type BookPoints, PowerCut } from '../../emulator/fiscal/types/events.ts'
import { rotating } from '../support/slice.ts'
import { books, bread, ok, plainDevice, profileWith, SALE_RECEIPT, sellReceipt } from './plain-device.ts'

let folder: string
let path: string
const opened: FiscalDevice[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-'))
  path = join(folder, 'device.db')
})
afterEach(() => {
  for (const device of opened.splice(0)) device.close()
  rmSync(folder, { recursive: true })
})

function onDisk(points?: BookPoints): FiscalDevice {
  const { device } = plainDevice({ store: path, points })
  opened.push(device)
  return device
}

describe('the store of a device', () => {
  it.each([
    ['fiscal_memory', `UPDATE fiscal_memory SET body = '{}'`],
    ['fiscal_memory', 'DELETE FROM fiscal_memory'],
    ['journal', `UPDATE journal SET line = 'TOTAL 0.00'`],
    ['journal', 'DELETE FROM journal WHERE id = 1'],
    ['journal_documents', 'DELETE FROM journal_documents'],
  ])('has a table that refuses changes by itself: %s refuses %s', (table, sql) => {
    const device = onDisk()
    sellReceipt(device, [bread()])
    ok(device.reportZ())
    device.close()
    const database = new DatabaseSync(path)
    expect(() => database.exec(sql)).toThrow(`${table} is append-only`)
    database.close()
  })

  it('restores everything after a restart, the open receipt too', () => {
    const device = onDisk()
    device.registers.setHeader(0, 'MY SHOP')
    sellReceipt(device, [bread()])
    ok(device.openFiscal({ ...SALE_RECEIPT, operator: 7 }))
    ok(device.sell(bread({ adjustment: { kind: 'discount', percent: 1000 } })))
    ok(device.subtotal({ print: true, display: true, adjustment: { kind: 'surcharge', amount: 10 } }))
    ok(device.pay({ mode: 1, amount: 50 }))
    const before = { receipt: structuredClone(device.receipt), display: device.display.lines, books: books(device) }
    // The device was not closed, as after a kill of its process.
    const again = onDisk()
    expect({ receipt: again.receipt, display: again.display.lines, books: books(again) }).toEqual(before)
    ok(again.pay({ mode: 0 }))
    expect(ok(again.closeFiscal())).toEqual({ document: 2, total: 118, change: 0 })
    expect(again.documents().at(-1)?.text[0]).toContain('MY SHOP')
  })

  it.each([
    { index: 'journal_documents_z', where: 'z = 1' },
    { index: 'journal_documents_at', where: "at >= '2026-01-01' AND at <= '2026-01-02'" },
  ])('finds documents by the index $index', ({ index, where }) => {
    onDisk().close()
    const reader = new DatabaseSync(path, { readOnly: true })
    const [plan] = reader
      .prepare(`EXPLAIN QUERY PLAN SELECT kind FROM journal_documents WHERE ${where} ORDER BY document`)
      .all()
    reader.close()
    expect(plan?.['detail']).toContain(index)
  })

  it('of another format is rejected with a readable message, and remains unchanged', () => {
    onDisk().close()
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 0')
    database.close()
    const sentence = `${path} contains an emulated device of format 0, and this version reads format 2: move the file away to begin with a new device`
    expect(() => onDisk()).toThrow(sentence)
    expect(() => readMemoryFile(path)).toThrow(sentence)
    const again = new DatabaseSync(path, { readOnly: true })
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 0 })
    again.close()
  })

  it('belongs to one device', () => {
    onDisk().close()
    expect(() => plainDevice({ store: path, profile: profileWith({}, { profile: 'other' }) })).toThrow(
      'The store contains a device of family A, profile test, not A, other.',
    )
  })
})

describe('the journal', () => {
  it('chains each line to the line before, and a changed line is found', () => {
    const { device } = plainDevice()
    sellReceipt(device, [bread()])
    ok(device.reportZ())
    const lines = device.journal.read()
    expect(lines.length).toBe(device.journal.lines)
    expect(brokenLine(lines)).toBeUndefined()
    const changed = lines.map((line) => (line.id === 8 ? { ...line, line: `${line.line}!` } : line))
    expect(brokenLine(changed)).toBe(8)
    expect(brokenLine(lines.filter((line) => line.id !== 8))).toBe(9)
  })

  it('finds documents by number, time, Z number and kind', () => {
    const { device, clock } = plainDevice()
    sellReceipt(device, [bread()])
    clock.advance(60_000)
    ok(device.openNonFiscal())
    ok(device.printText({ text: 'Hello' }))
    ok(device.closeNonFiscal())
    ok(device.reportZ())
    sellReceipt(device, [bread()])
    const numbers = (query: Parameters<typeof device.journal.documents>[0]) =>
      device.journal.documents(query).map((document) => document.document)
    expect(numbers({})).toEqual([1, 2, 3, 4])
    expect(numbers({ from: 2, to: 3 })).toEqual([2, 3])
    expect(numbers({ fromTime: '2025-07-14T10:01:00' })).toEqual([2, 3, 4])
    expect(numbers({ toTime: '2025-07-14T10:00:00' })).toEqual([1])
    expect(numbers({ fromZ: 1, toZ: 1 })).toEqual([1, 2, 3])
    expect(numbers({ kinds: ['fiscal'] })).toEqual([1, 4])
    expect(device.journal.documents({ kinds: ['z'] })).toEqual([
      { document: 3, kind: 'z', kindNumber: 1, reversal: false, at: '2025-07-14T10:01:00', z: 1 },
    ])
    expect(device.journal.linesOf(2)).toContain('Hello')
  })
})

const scenario: readonly ((device: FiscalDevice) => unknown)[] = [
  (device) => device.registers.setTaxRates([1900, 2000, 2000, 900, 0, 0, 0, 0]),
  (device) => device.openFiscal(SALE_RECEIPT),
  (device) => device.sellArticle({ plu: 1, quantity: 1000, void: false }),
  (device) => device.pay({ mode: 0 }),
  (device) => device.closeFiscal(),
  (device) => device.openFiscal(SALE_RECEIPT),
  (device) => device.cancelFiscal(),
  (device) => device.openNonFiscal(),
  (device) => device.printText({ text: 'hello' }),
  (device) => device.closeNonFiscal(),
  (device) => device.cashInOut({ direction: 'in', amount: 100 }),
  (device) => device.reportX(),
  (device) => device.copyLastReceipt(),
  (device) => device.reportZ(),
]

function cutAt(point: keyof BookPoints, nth: number): BookPoints & { asked: number } {
  const points = {
    asked: 0,
    memoryWrite: () => ask('memoryWrite'),
    paperLine: () => ask('paperLine'),
  }
  const ask = (here: string) => {
    if (here !== point) return
    points.asked += 1
    if (points.asked === nth) throw new PowerCut()
  }
  return points
}

describe.each(['memoryWrite', 'paperLine'] as const)('a power cut at %s', (point) => {
  it.each(['memory', 'disk'])('undoes the whole operation, in the store and in the device (%s)', (where) => {
    const counting = cutAt(point, 0)
    const { device: whole } = plainDevice({ points: counting })
    for (const step of scenario) step(whole)
    const places = counting.asked
    expect(places).toBeGreaterThan(8)
    for (const place of rotating(places, where === 'disk' ? { of: 25, deepOf: 5 } : { of: 5 })) {
      const nth = place + 1
      const store = where === 'disk' ? { store: join(folder, `${nth}.db`) } : {}
      const { device } = plainDevice({ points: cutAt(point, nth), ...store })
      opened.push(device)
      let cuts = 0
      for (const step of scenario) {
        const before = books(device)
        try {
          step(device)
        } catch (error) {
          expect(error).toBeInstanceOf(PowerCut)
          cuts += 1
          expect(books(device)).toEqual(before)
          device.powerOn()
          expect(books(device)).toEqual(before)
          step(device)
        }
      }
      expect(cuts).toBe(1)
      expect(books(device)).toEqual(books(whole))
      expect(device.day).toEqual(whole.day)
    }
  })
})

describe('the whole device', () => {
  it('is restored from a snapshot, and continues as if nothing had happened', () => {
    const { device } = plainDevice()
    for (const step of scenario) step(device)
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    const snapshot = JSON.parse(JSON.stringify(device.snapshot()))
    const { device: other } = plainDevice()
    sellReceipt(other, [bread({ price: 777 })])
    other.restore(snapshot)
    expect(books(other)).toEqual(snapshot.tables)
    for (const one of [device, other]) {
      ok(one.pay({ mode: 0 }))
      ok(one.closeFiscal())
      ok(one.reportZ())
    }
    expect(books(other)).toEqual(books(device))
  })

  it.each([
    ['no object', () => 7, 'the document is not an object'],
    ['another kind of value', () => ({}), 'the document is not a snapshot of a device, version 2'],
    ['another profile', (s: object) => ({ ...s, profile: 'x' }), 'the snapshot is of A x, this device is A test'],
    ['no tables', (s: object) => ({ ...s, tables: {} }), 'tables.fiscal_memory is missing'],
  ])('refuses %s as a snapshot and remains unchanged', (_what, change, message) => {
    const { device } = plainDevice()
    sellReceipt(device, [bread()])
    const before = books(device)
    expect(() => device.restore(change(device.snapshot()))).toThrow(new SnapshotError(message))
    expect(books(device)).toEqual(before)
  })

  it('refuses a snapshot whose journal was changed', () => {
    const { device } = plainDevice()
    sellReceipt(device, [bread()])
    const snapshot = JSON.parse(JSON.stringify(device.snapshot()))
    snapshot.tables.journal[3].line = 'BREAD 0.01 A'
    expect(() => device.restore(snapshot)).toThrow(new SnapshotError('the journal is broken at line 4'))
  })

  it('becomes a new device by a reset', () => {
    const { device } = plainDevice()
    const factory = books(device)
    for (const step of scenario) step(device)
    device.reset()
    expect(books(device)).toEqual(factory)
    expect(device.counters.lastDocument).toBe(0)
  })

  it('keeps fiscal memory and journal after a partial reset, and continues their numbers', () => {
    const { device } = plainDevice()
    for (const step of scenario) step(device)
    const last = device.counters.lastDocument
    const lines = device.journal.read()
    device.reset({ keep: 'fiscalMemory' })
    expect(device.memory.lastZ?.number).toBe(1)
    expect(device.journal.read()).toEqual(lines)
    expect(device.documents()).toEqual([])
    expect(device.registers.taxRates[0]).toBe(1900)
    expect(sellReceipt(device, [bread()])).toBe(last + 1)
    expect(ok(device.reportZ()).number).toBe(2)
    expect(brokenLine(device.journal.read())).toBeUndefined()
  })
})
