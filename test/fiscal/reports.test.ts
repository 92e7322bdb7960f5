import { describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import type { BookPoints, DeviceEvent } from '../../emulator/fiscal/types/events.ts'
import {
  answerOf,
  bread,
  ENGLISH_PAPER,
  issue,
  lastPaper,
  ok,
  plain,
  plainDevice,
  profileWith,
  REVERSAL,
  SALE_RECEIPT,
} from './plain-device.ts'

function notFiscalised(): FiscalDevice {
  const { device } = plainDevice()
  device.restore(
    JSON.parse(JSON.stringify(device.snapshot()).replace('\\"fiscalised\\":true', '\\"fiscalised\\":false')),
  )
  return device
}

describe('an X or Z report', () => {
  it('contains departments and the sums of all Z reports if the family defines it (C 5.5)', () => {
    const { device } = plainDevice({ profile: profileWith({}, { paper: { ...ENGLISH_PAPER, fullReports: true } }) })
    device.registers.setDepartment({ number: 99, name: 'Fish', taxCode: 1, price: 0, unit: 0 })
    issue(device, SALE_RECEIPT, [bread({ department: 99, price: 600 }), bread({ department: 1 })])
    issue(device, REVERSAL, [bread({ department: 99 })])
    issue(device, REVERSAL, [bread({ department: 2 })])
    const full = [
      'DEPARTMENT 01 Department 1 1 1.20',
      'DEPARTMENT 02 Department 2 0 -1.20',
      'DEPARTMENT 99 Fish 1 4.80',
      '-'.repeat(42),
      'LAST DOCUMENT 0000003',
      'JOURNAL 1',
      // 7.20 contains 1.20 of tax, and the reversed 2.40 contains 0.40.
      'GRAND TURNOVER 7.20',
      'GRAND TAX 1.20',
      'GRAND REVERSALS 2.40',
      'GRAND REVERSALS TAX 0.40',
    ]
    ok(device.reportX())
    const x = lastPaper(device).text
    expect(x.slice(x.indexOf('DEPARTMENT 01 Department 1 1 1.20'), -4)).toEqual(full)
    ok(device.reportZ())
    const z = lastPaper(device).text
    expect(z.slice(z.indexOf('DEPARTMENT 01 Department 1 1 1.20'), -4)).toEqual([
      ...full.with(4, 'LAST DOCUMENT 0000004'),
      'FISCAL MEMORY RECORD 0001',
      'RECORDS LEFT 4',
    ])
  })

  it('is identified by its kind, and a Z report by its number', () => {
    const { device } = plainDevice()
    ok(device.reportX())
    ok(device.reportZ())
    ok(device.reportZ())
    const lines = device.journal.linesOf(1).length
    expect(device.printedSteps(1)).toEqual([{ asked: { ask: 'reportX' }, lines }])
    // Record and capacity follow the same sums.
    expect(device.printedSteps(2)).toEqual([{ asked: { ask: 'reportZ' }, lines: lines + 2 }])
    expect(device.documentHeads().map(({ kind, zNumber }) => [kind, zNumber])).toEqual([
      ['x', undefined],
      ['z', 1],
      ['z', 2],
    ])
    expect(device.journal.last).toMatchObject({ kind: 'z', kindNumber: 2, z: 2 })
  })

  it('resets the sums of operators, but not those of departments and item groups, if it is a Z report', () => {
    const events: DeviceEvent[] = []
    const { device } = plainDevice({ onEvent: (event) => void (event.type === 'line' || events.push(event)) })
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread({ department: 3 })))
    ok(device.sellArticle({ plu: 1, quantity: 1000, void: false }))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    events.length = 0
    ok(device.reportZ())
    expect(device.registers.departmentTotals(3).sales.count).toBe(0)
    expect(device.registers.groupTotals(1).sales.count).toBe(0)
    expect(device.registers.operatorTotals(1).total).toBe(240)
    // The first event is the stored document, and the later ones are the new day.
    expect(events).toEqual([{ type: 'document', id: 2, kind: 'z', number: 2 }, { type: 'state' }, { type: 'state' }])
  })

  it('is refused on an empty day if it is a Z report and the family prints none', () => {
    const { device } = plainDevice({ rules: { zOnEmptyDay: false } })
    expect(answerOf(device.reportZ())).toBe('noSale')
    issue(device, SALE_RECEIPT, [bread()])
    expect(ok(device.reportZ()).total).toBe(120)
    expect(answerOf(device.reportZ())).toBe('noSale')
  })

  it('is refused if it is a Z report and the clock is before the last Z report, and accepted in the same second', () => {
    const store = new PlainStore()
    const ahead = plainDevice({ store })
    ahead.clock.advance(3_600_000)
    ok(ahead.device.reportZ())
    // The restart takes place on a computer whose clock is an hour slow.
    const restarted = plainDevice({ store })
    restarted.clock.advance(3_599_000)
    expect(answerOf(restarted.device.reportZ())).toBe('clockBehind')
    restarted.clock.advance(1000)
    expect(ok(restarted.device.reportZ()).number).toBe(2)
  })

  it('ends the day and writes no record if it is a Z report of a device that is not fiscalised', () => {
    const device = notFiscalised()
    issue(device, SALE_RECEIPT, [bread()])
    expect(ok(device.reportZ())).toMatchObject({ number: 1, total: 120 })
    expect(lastPaper(device).text.filter((line) => /RECORD|FISCAL/.test(line))).toEqual([])
    const { text } = lastPaper(device)
    expect(text.slice(text.indexOf('CASH IN DRAWER 1.20') + 1)).toEqual([
      '-'.repeat(42),
      '2025-07-14 10:00:00 No 0000002',
      'SN FM',
      'SERVICE RECEIPT',
    ])
    expect([device.memory.used, device.memory.lastZ, device.counters.lastZ, device.counters.lastZAt]).toEqual([
      0,
      undefined,
      0,
      null,
    ])
    expect(device.day.total).toBe(0)
    expect(ok(device.reportZ()).number).toBe(1)
  })

  it('is in the journal and not on paper if it is a Z report into the memory alone', () => {
    const { device } = plainDevice()
    ok(device.reportZ({ onPaper: false }))
    expect([device.documents(), device.mechanism.linesPrinted]).toEqual([[], 0])
    expect(device.journal.last).toMatchObject({ kind: 'z', document: 1 })
    expect(device.memory.used).toBe(1)
  })
})

describe('a report of other registers', () => {
  it('is printed line by line unchanged, without the marks of comments', () => {
    const { device } = plainDevice({ profile: profileWith({}, { paper: { ...ENGLISH_PAPER, commentMarks: true } }) })
    expect(
      ok(device.printReport('service', [{ text: 'OPERATORS', alignment: 'center' }, { text: '1  4.50' }])),
    ).toEqual({
      document: 1,
    })
    expect(
      device.journal
        .linesOf(1)
        .slice(3, 5)
        .map((line) => line.trimEnd()),
    ).toEqual([`${' '.repeat(16)}OPERATORS`, '1  4.50'])
    expect(lastPaper(device).text.at(-1)).toBe('SERVICE RECEIPT')
  })
})

describe('a report of the fiscal memory', () => {
  /**
   * Returns a device with closures of 1.20, 2.40 and 3.60. The rates change after the first, and the header after the
   * second.
   */
  const threeClosures = (): FiscalDevice => {
    const { device } = plainDevice()
    for (const quantity of [1000, 2000, 3000]) {
      issue(device, SALE_RECEIPT, [bread({ quantity })])
      ok(device.reportZ())
      if (quantity === 1000) ok(device.registers.setTaxRates([1000, 0, 0, 0, 0, 0, 0, null]))
      if (quantity === 2000) ok(device.registers.writeHeader(['MY SHOP', '', '']))
    }
    return device
  }
  const FIRST_RATES = [
    'TAX RATES 2024-01-01 08:00:00',
    'A 20.00% B 20.00% C 20.00% D 9.00%',
    'E 0.00% F 0.00% G 0.00% H 0.00%',
  ]
  const LATER_RATES = [
    'TAX RATES 2025-07-14 10:00:00',
    'A 10.00% B 0.00% C 0.00% D 0.00%',
    'E 0.00% F 0.00% G 0.00% H disabled',
  ]

  // 1.20 contains 0.20 at 20 %. At 10 %, 2.40 contains 0.21818 and 3.60 contains 0.32727.
  it.each([
    { from: 1, to: 1, title: '0001 - 0001 1', rates: FIRST_RATES, sums: ['1.20', '0.20', '1'] },
    { from: 1, to: 2, title: '0001 - 0002 2', rates: [...FIRST_RATES, ...LATER_RATES], sums: ['3.60', '0.42', '2'] },
    { from: 2, to: 3, title: '0002 - 0003 2', rates: LATER_RATES, sums: ['6.00', '0.55', '2'] },
    { from: 3, to: 3, title: '0003 - 0003 1', rates: [], sums: ['3.60', '0.33', '1'] },
  ])(
    'of the Z reports $from to $to has the rates that were set in them, and their sums',
    ({ from, to, title, rates, sums }) => {
      const [turnover, tax, receipts] = sums
      expect(plain(threeClosures().memoryReportLines(from, to, false))).toEqual([
        'FISCAL MEMORY REPORT',
        title,
        ...rates,
        '='.repeat(42),
        `A TURNOVER ${turnover}`,
        `A TAX ${tax}`,
        `RECEIPTS ${receipts}`,
        `TOTAL ${turnover}`,
      ])
    },
  )

  it('without a Z report in its range says so', () => {
    const lines = plain(threeClosures().memoryReportLines(4, 9, true))
    expect(lines.slice(0, 2)).toEqual(['FISCAL MEMORY REPORT', '='.repeat(42)])
    expect(lines.at(-1)).toBe('RECEIPTS 0')
    expect(plain(threeClosures().memoryReportLines(3, 9, false)).at(-1)).toBe('TOTAL 3.60')
  })

  it.each([
    { kept: true, written: ['journal'], lines: 1 },
    { kept: false, written: [], lines: 0 },
  ])('is a document of the journal only if the family stores such reports: $kept', ({ kept, written, lines }) => {
    const operations: string[] = []
    const points: BookPoints = { memoryWrite: (what) => void operations.push(what), paperLine: () => undefined }
    const { device } = plainDevice({ points, rules: kept ? { memoryReportsInJournal: true } : {} })
    expect(ok(device.printMemoryReport(1, 1, false))).toEqual({ document: 1 })
    expect(operations).toEqual(written)
    expect(device.journal.documents({}).length).toBe(lines)
    expect(ok(device.printReport('memory', [{ text: 'BLOCKS' }]))).toEqual({ document: 2 })
    expect(operations).toEqual([...written, ...written])
    expect(device.documents().map(({ kind }) => kind)).toEqual(['memory', 'memory'])
  })

  it('is printed in both forms on a device without faults', () => {
    const { device } = plainDevice({ rules: { memoryReportsInJournal: true } })
    ok(device.printMemoryReport(1, 1, true))
    ok(device.printReport('memory', [{ text: 'BLOCKS' }]))
    expect(device.journal.documents({ kinds: ['memory'] }).map(({ kindNumber }) => kindNumber)).toEqual([1, 2])
  })
})
