import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { brokenLine } from '../../emulator/fiscal/journal.ts'
import { bread, INVOICE, issue, ok, plainDevice, profileWith, REVERSAL, SALE_RECEIPT } from './plain-device.ts'

const HOUR = 3_600_000

/**
 * Documents 1 to 7. At ten there are two sales, at eleven a reversal, an invoice and the first Z report (5), at twelve
 * a cancelled receipt and the second Z report (7).
 */
function twoDays() {
  const { device, clock } = plainDevice()
  issue(device, SALE_RECEIPT, [bread()])
  issue(device, SALE_RECEIPT, [bread({ price: 500 })])
  clock.advance(HOUR)
  issue(device, REVERSAL, [bread()])
  issue(device, INVOICE, [bread()])
  ok(device.reportZ())
  clock.advance(HOUR)
  ok(device.openFiscal(SALE_RECEIPT))
  ok(device.cancelFiscal())
  ok(device.reportZ())
  return device
}

type DocumentFilter = Parameters<ReturnType<typeof twoDays>['journal']['documents']>[0]
const questions: readonly (readonly [string, DocumentFilter, readonly number[]])[] = [
  ['no condition', {}, [1, 2, 3, 4, 5, 6, 7]],
  ['from a number', { from: 6 }, [6, 7]],
  ['up to a number', { to: 2 }, [1, 2]],
  ['between numbers, both included', { from: 2, to: 4 }, [2, 3, 4]],
  ['from a second', { fromTime: '2025-07-14T11:00:00' }, [3, 4, 5, 6, 7]],
  ['from the second after', { fromTime: '2025-07-14T11:00:01' }, [6, 7]],
  ['up to a second', { toTime: '2025-07-14T11:00:00' }, [1, 2, 3, 4, 5]],
  ['between seconds', { fromTime: '2025-07-14T10:00:01', toTime: '2025-07-14T11:59:59' }, [3, 4, 5]],
  ['of one Z report, whose own document is included', { fromZ: 2, toZ: 2 }, [6, 7]],
  ['from a Z report', { fromZ: 2 }, [6, 7]],
  ['up to a Z report', { toZ: 1 }, [1, 2, 3, 4, 5]],
  ['of several Z reports', { fromZ: 1, toZ: 2 }, [1, 2, 3, 4, 5, 6, 7]],
  ['of a Z report that does not exist', { fromZ: 3, toZ: 3 }, []],
  ['of one kind', { kinds: ['z'] }, [5, 7]],
  ['of several kinds', { kinds: ['invoice', 'cancelled'] }, [4, 6]],
  ['of no kind', { kinds: [] }, []],
  ['of a kind in a Z report, from a number', { kinds: ['fiscal'], fromZ: 1, toZ: 1, from: 2 }, [2, 3]],
]

describe('the documents of the journal', () => {
  let device: FiscalDevice
  beforeEach(() => {
    device = twoDays()
  })

  it.each(questions)('can be selected by this filter: %s', (_, query, documents) => {
    expect(device.journal.documents(query).map(({ document }) => document)).toEqual(documents)
  })

  it('are listed with kind, numbers, time and Z number', () => {
    expect(device.journal.documents({ from: 3, to: 5 })).toStrictEqual([
      { document: 3, kind: 'fiscal', kindNumber: 1, reversal: true, at: '2025-07-14T11:00:00', z: 1 },
      { document: 4, kind: 'invoice', kindNumber: 1, reversal: false, at: '2025-07-14T11:00:00', z: 1 },
      { document: 5, kind: 'z', kindNumber: 1, reversal: false, at: '2025-07-14T11:00:00', z: 1 },
    ])
  })

  it('are listed up to the newest', () => {
    expect(device.journal.last).toEqual({
      document: 7,
      kind: 'z',
      kindNumber: 2,
      reversal: false,
      at: '2025-07-14T12:00:00',
      z: 2,
    })
    expect(plainDevice().device.journal.last).toBeUndefined()
  })

  it('are returned as fiscal receipts with their end (closed or cancelled), and other documents without', () => {
    expect(device.journal.receipt(2)).toMatchObject({ document: 2, kind: 'sale', total: 500, rows: [{ price: 500 }] })
    expect(device.journal.receipt(3)).toMatchObject({ document: 3, kind: 'reversal', reason: 'refund', total: 120 })
    expect(device.journal.receipt(6)).toMatchObject({ document: 6, rows: [] })
    expect(device.journal.receipt(7)).toBeUndefined()
    expect(device.journal.receipt(99)).toBeUndefined()
  })
})

describe('the lines of the journal', () => {
  let device: FiscalDevice
  /** Every document has its own text, a rule, time and number, serial numbers, and the words of a service receipt. */
  beforeEach(() => {
    device = plainDevice({ profile: profileWith({}, { journalCapacity: 50 }) }).device
    for (const line of ['one', 'two']) {
      ok(device.openNonFiscal({ header: false }))
      ok(device.printText({ text: line }))
      ok(device.closeNonFiscal())
    }
  })

  it('are counted, and so is the remaining room', () => {
    expect([device.journal.lines, device.journal.remaining]).toEqual([10, 40])
    expect(plainDevice({ profile: profileWith({}, { journalCapacity: 0 }) }).device.journal.remaining).toBe(0)
  })

  it('are found by the document that contains them', () => {
    expect(device.journal.linesOf(1).map((line) => line.trimEnd())).toEqual([
      'one',
      '-'.repeat(42),
      '2025-07-14 10:00:00             No 0000001',
      'SN TT000001                    FM 02000001',
      '             SERVICE RECEIPT',
    ])
    expect(device.journal.linesOf(2)[0]?.trimEnd()).toBe('two')
    expect(device.journal.linesOf(3)).toEqual([])
    expect(device.journal.readDocument(2).map(({ id, document }) => [id, document])).toEqual(
      [6, 7, 8, 9, 10].map((id) => [id, 2]),
    )
  })

  it('are found by their own number, both bounds included, up to a count', () => {
    const ids = (...asked: Parameters<typeof device.journal.read>) => device.journal.read(...asked).map(({ id }) => id)
    expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(ids(9)).toEqual([9, 10])
    expect(ids(2, 4)).toEqual([2, 3, 4])
    expect(ids(2, 9, 3)).toEqual([2, 3, 4])
    expect(ids(11)).toEqual([])
  })

  it('are chained: each line contains the SHA-256 of the chain before it, its document and its text', () => {
    const first = device.journal.read(1, 6)
    const links: string[] = []
    for (const { document, line } of first)
      links.push(
        createHash('sha256')
          .update(`${links.at(-1) ?? ''}\n${document}\n${line}`)
          .digest('hex'),
      )
    expect(first.map(({ chain }) => chain)).toEqual(links)
    expect(first[0]).toMatchObject({ id: 1, document: 1, at: '2025-07-14T10:00:00' })
  })

  it('are sound if unchanged, and a changed, moved or missing line is found by its number', () => {
    const all = device.journal.read()
    expect(brokenLine(all)).toBeUndefined()
    expect(brokenLine([])).toBeUndefined()
    expect(brokenLine(all.map((one) => (one.id === 3 ? { ...one, line: 'three' } : one)))).toBe(3)
    expect(brokenLine(all.map((one) => (one.id === 6 ? { ...one, document: 1 } : one)))).toBe(6)
    expect(brokenLine(all.filter(({ id }) => id !== 4))).toBe(5)
    expect(brokenLine(all.slice(1))).toBe(2)
  })

  it('are unchanged after a snapshot, and a snapshot with a changed line is refused', () => {
    const snapshot = device.snapshot()
    const text = JSON.stringify(snapshot).replace('"line":"two', '"line":"too')
    expect(() => device.restore(JSON.parse(text))).toThrow('the journal is broken at line 6')
    device.restore(snapshot)
    expect(device.journal.lines).toBe(10)
  })
})
