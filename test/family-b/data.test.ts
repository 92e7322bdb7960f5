import { describe, expect, it } from 'vitest'
import { readStreamedLine, writeJournalLine, writeReportLine } from '../../drivers/family-b/protocol/commands/stream.ts'
import { catalogueOf } from '../../drivers/family-b/protocol/index.ts'
import { codePage } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import { orRefusal } from '../support/problems.ts'

/** What the data of requests and answers of family B say, and what of them is refused: sheet B 8.1 and 10. */
const page = codePage('cp1251')
const commandOf = (code: number): AnyCommand => {
  const found = catalogueOf('b8').find(code, '')
  if (!found) throw new Error(`no command ${code}`)
  return found
}
/** `syntax` is bit 0.0 of the status; a number is that of its byte 3. */
const asked = (code: number, data: string) => orRefusal(() => commandOf(code).request.read(data, page))
const answered = (code: number, data: string) => orRefusal(() => commandOf(code).response.read(data, page))

const FREE = { taxLetter: '\xc0', price: 250, void: false }
const REFUND = { reason: 1, document: 203, at: '10-04-23 21:54:02', fiscalMemory: '36940032' }
const OPENED = { operator: 20, password: '9999', third: 'DY000600-OP20-0000003' }

describe('requests of family B', () => {
  it.each<readonly [number, string, unknown]>([
    // A free sale: texts, group, price, and what hangs on it by a mark.
    [49, 'Bread\t\xc02.50', { text1: 'Bread', ...FREE }],
    [49, 'Bread\nwhite\t\xc02.50', { text1: 'Bread', text2: 'white', ...FREE }],
    [49, '\nwhite\t\xc02.50', { text2: 'white', ...FREE }],
    [49, 'Bread\n\t\xc02.50', { text1: 'Bread', text2: '', ...FREE }],
    [49, '\t\xc02.50', FREE],
    [49, '\t\xc0-2.50', { ...FREE, void: true }],
    [49, '\t\xc0+2.50', FREE],
    [49, '\t\xc02.50*3', { ...FREE, quantity: 3_000 }],
    [49, '\t\xc02.50*3,-10.00', { ...FREE, quantity: 3_000, percent: -1_000 }],
    [49, '\t\xc02.50,+5', { ...FREE, percent: 500 }],
    [49, '\t\xc02.50$-0.50', { ...FREE, netto: -50 }],
    [49, '\t\xc02.50,0$0', FREE],
    [49, '\t\xc02.50*0', 'error 21'],
    [49, '\t\xc0', 'syntax'],
    [49, '\t\xc0x', 'error 14'],
    [49, '\t\xc02.50@1', 'syntax'],
    [49, '\t', 'syntax'],
    [49, 'Bread', 'syntax'],
    [49, '', 'syntax'],
    // Of an article, by its number or its barcode.
    [58, '+12', { article: '12', void: false }],
    [58, '12', { article: '12', void: false }],
    [58, '-12', { article: '12', void: true }],
    [58, '12*2,-5@1.50$+1', { article: '12', void: false, quantity: 2_000, percent: -500, price: 150, netto: 100 }],
    [58, '12@1.50', { article: '12', void: false, price: 150 }],
    [58, '12a', 'error 14'],
    [58, 'a12', 'error 14'],
    [58, '+', 'error 14'],
    [58, '12@1.50*2', 'syntax'],
    // Of a department.
    [138, '7@1.00', { department: 7, price: 100, void: false }],
    [138, '+7@1.00*2', { department: 7, price: 100, void: false, quantity: 2_000 }],
    [138, '-7@1.00', { department: 7, price: 100, void: true }],
    [138, '1234@1.00', 'syntax'],
    [138, '7', 'syntax'],
    [138, 'x7@1.00', 'syntax'],
    // Articles and departments are programmed, read and deleted by the first letter.
    [107, 'DA', { do: 'delete', range: 'all' }],
    [107, 'D5', { do: 'delete', range: { from: 5, to: 5 } }],
    [107, 'D5,9', { do: 'delete', range: { from: 5, to: 9 } }],
    [107, 'R5', { do: 'read', plu: 5 }],
    [107, 'R999999999', { do: 'read', plu: 999_999_999 }],
    [107, 'R1234567890', 'syntax'],
    [107, 'R', 'syntax'],
    [107, 'Rx', 'syntax'],
    [107, 'R5x', 'syntax'],
    [107, 'F', { do: 'first', sold: false }],
    [107, 'F0', { do: 'first', sold: false }],
    [107, 'F1', { do: 'first', sold: true }],
    [107, 'F2', 'syntax'],
    [107, 'F11', 'syntax'],
    [107, 'N', { do: 'next' }],
    [107, 'N1', 'syntax'],
    [107, 'X', 'syntax'],
    [107, '', 'syntax'],
    [131, 'R7', { do: 'read', department: 7 }],
    [131, 'P7,Food\n\xc0', { do: 'program', department: 7, name: 'Food', taxLetter: '\xc0' }],
    [131, 'P7,Food\n\xc0,0', { do: 'program', department: 7, name: 'Food', taxLetter: '\xc0' }],
    [131, 'P7,Food\n\xc0,0,6', { do: 'program', department: 7, name: 'Food', taxLetter: '\xc0', maxDigits: 6 }],
    [131, 'P1234,Food\n\xc0', 'syntax'],
    [131, 'P7,Food\n\xc0,0,66', 'syntax'],
    [131, 'P7,Food\n,0', 'syntax'],
    [131, 'xP7,Food\n\xc0', 'syntax'],
    // A receipt may be a document of a kind.
    [48, '20,9999,DY000600-OP20-0000003', OPENED],
    [48, '20,9999,DY000600-OP20-0000003\tI', { ...OPENED, document: { kind: 'invoice' } }],
    [
      48,
      '20,9999,DY000600-OP20-0000003\tR1,203,10-04-23 21:54:02\t36940032',
      {
        ...OPENED,
        document: { kind: 'refund', ...REFUND },
      },
    ],
    [
      48,
      '20,9999,DY000600-OP20-0000003\tC35,1,203,10-04-23 21:54:02\t36940032',
      {
        ...OPENED,
        document: { kind: 'creditNote', invoice: '35', ...REFUND },
      },
    ],
    [48, '20,9999,DY000600-OP20-0000003\tX', { ...OPENED, document: { kind: 'unknown', raw: 'X' } }],
    [48, '20', 'syntax'],
    [48, ',9999', 'syntax'],
    [48, '20,', 'syntax'],
    [48, '20,9999,a,b,c', 'syntax'],
    // Reading of the journal: what, by what, from where to where.
    [195, 'R1,1,5', { content: 'all', by: 'document', from: '1', to: '5' }],
    [195, 'R12,0001,0005,1', { content: 'z', by: 'z', from: '1', to: '5', option: '1' }],
    [195, 'R23,010126,311226,A', { content: 'fiscal', by: 'date', from: '2026-01-01', to: '2026-12-31', option: 'A' }],
    [195, 'R3,310226,311226', 'error 10'],
    [195, 'R4,1,5', 'value'],
    [195, 'R31,1,5', 'value'],
    [195, 'R1,1,5,2', 'syntax'],
    [195, 'R111,1,5', 'syntax'],
    [195, 'xR1,1,5', 'syntax'],
    [195, 'R1,1', 'syntax'],
  ])('%i %j', (code, data, expected) => {
    expect(asked(code, data)).toStrictEqual(expected)
  })
})

describe('a driver of family B', () => {
  it.each<readonly [number, object, string]>([
    [49, { text1: 'Bread', text2: '', ...FREE }, 'Bread\n\t\xc02.50'],
    [49, { ...FREE, void: true, quantity: 1_500, percent: -1_000, netto: 50 }, '\t\xc0-2.50*1.500,-10.00$+0.50'],
    [58, { article: '12', void: false, price: 150, percent: 500 }, '+12,+5.00@1.50'],
    [58, { article: '12', void: true }, '-12'],
    [138, { department: 7, price: 100, void: false, quantity: 2_000 }, '+7@1.00*2.000'],
    [138, { department: 7, price: 100, void: true }, '-7@1.00'],
    [107, { do: 'delete', range: 'all' }, 'DA'],
    [107, { do: 'delete', range: { from: 5, to: 5 } }, 'D5'],
    [107, { do: 'delete', range: { from: 5, to: 9 } }, 'D5,9'],
    [107, { do: 'first', sold: true }, 'F1'],
    [107, { do: 'first', sold: false }, 'F0'],
    [107, { do: 'next' }, 'N'],
    [131, { do: 'read', department: 7 }, 'R7'],
    [131, { do: 'program', department: 7, name: 'Food', taxLetter: '\xc0' }, 'P7,Food\n\xc0,0'],
    [131, { do: 'program', department: 7, name: 'Food', taxLetter: '\xc0', maxDigits: 6 }, 'P7,Food\n\xc0,0,6'],
    [
      48,
      { ...OPENED, document: { kind: 'refund', ...REFUND } },
      '20,9999,DY000600-OP20-0000003\tR1,203,10-04-23 21:54:02\t36940032',
    ],
    [195, { content: 'fiscal', by: 'date', from: '2026-01-01', to: '2026-12-31', option: 'A' }, 'R23,010126,311226,A'],
    [195, { content: 'z', by: 'document', from: '1', to: '5' }, 'R11,1,5'],
  ])('writes %i %j', (code, values, data) => {
    expect(commandOf(code).request.write(values, page)).toBe(data)
  })

  it.each<readonly [number, string, unknown]>([
    [107, 'F', { result: 'failed' }],
    [107, 'P,2999', { result: 'done', free: 2_999 }],
    [131, 'P', { result: 'done' }],
    [131, 'F', { result: 'failed' }],
    [131, 'x', 'syntax'],
    [
      131,
      'P,7,Food\n\xc0,0.00,1.500,2.50,-3.000,-4.00,6',
      {
        result: 'department',
        department: 7,
        taxLetter: '\xc0',
        quantity: 1_500,
        sum: 250,
        periodQuantity: -3_000,
        periodSum: -400,
        name: 'Food',
        maxDigits: 6,
      },
    ],
  ])('reads the answer of %i %j', (code, data, expected) => {
    expect(answered(code, data)).toStrictEqual(expected)
  })

  it('reads streamed lines of either kind up to their end', () => {
    expect(writeReportLine(7, 'Sum', true, page)).toBe('000007\tB\tSum')
    expect(writeReportLine(7, 'Sum', false, page)).toBe('000007\tN\tSum')
    expect(writeJournalLine('Sum', page)).toBe('T\tSum')
    const lines = ['000007\tB\tSum', '000007\tN\tA\nB', 'T\tSum', '000007\tX\tSum', 'plain', 'E', '\tE']
    expect(lines.map((line) => readStreamedLine(line, page))).toEqual([
      'Sum',
      'A\nB',
      'Sum',
      expect.stringContaining('X'),
      'plain',
      undefined,
      undefined,
    ])
  })
})
