/** Requests of real clients of family B and the responses that these clients read, as raw bytes and raw data. */
import { describe, expect, it } from 'vitest'
import { bytesOf } from '../support/bytes.ts'
import { RECEIPT, say, talk } from './talk.ts'

const INVOICE = '48 1,1,DY000600-OP01-0000001\\tI'
const CUSTOMER = '57 RO123\\tJ1\\tA\\tB\\tACME\\tStreet 1'
const REFUND = '48 1,1,X\\tR0,1,14-07-25 12:00\\t36000001'
const UNKNOWN = 'A2 80 C0 80 80 B8'

describe('command 103 (sheet 10.6)', () => {
  it('reports the number of the invoice while it is open, and after its close', () => {
    const rig = talk()
    say(rig, INVOICE, '58 1')
    expect(rig.ask(103).data).toMatch(/,1,0000000001$/)
    say(rig, '53 \\t', CUSTOMER, '56')
    expect(rig.ask(103).data).toMatch(/^0,.*,1,0000000001$/)
    say(rig, ...RECEIPT)
    expect(rig.ask(103).data).toMatch(/,0,0000000000$/)
  })
})

describe('command 130 (sheet 10.5)', () => {
  it('raises both numbers for a receipt', () => {
    const rig = talk()
    say(rig, '48 1,1', '58 1')
    expect(say(rig, '130').data).toBe('000001,000001')
  })
  it('raises the number of all documents only for a refund', () => {
    const rig = talk()
    say(rig, ...RECEIPT, ...RECEIPT, REFUND, '58 1')
    expect(say(rig, '130').data).toBe('000003,000002')
    expect(say(rig, '48 1,1').data).toBe('000003,000002')
  })
})

describe('command 61 (sheet 10.8)', () => {
  it.each([
    ['01-01-2100 10:00', 0],
    ['01-01-1999 10:00', 10],
    ['01-01-0100 10:00', 10],
  ])('accepts a year of four digits unchanged, and no date before the last document: %s', (at, error) => {
    expect(talk().ask(61, at).error).toBe(error)
  })
})

describe('a command of 69 and 108 (sheet 10.7)', () => {
  const [Z, X, JOURNAL, NONE] = [/^0001,0000000120,/, /^0000,0000000120,/, /^\d+,\d+$/, /^$/]
  it.each<readonly [string, RegExp]>([
    ['69', Z],
    ['69 0', Z],
    ['69 1', Z],
    ['69 6', Z],
    ['69 2', X],
    ['69 3', X],
    ['69 5', JOURNAL],
    ['69 8', NONE],
    ['69 9', NONE],
    ['108', Z],
    ['108 1', Z],
    ['108 3', X],
  ])('closes the day only if it is a Z report: %s answers as %s', (asked, answer) => {
    const rig = talk()
    say(rig, ...RECEIPT)
    expect(say(rig, asked).data).toMatch(answer)
    expect(rig.device.counters.lastZ).toBe(answer === Z ? 1 : 0)
    expect(say(rig, '65').data.startsWith('0000000000,')).toBe(answer === Z)
  })
})

describe('command 96 (sheet 10.8)', () => {
  it('is refused with error 30 when the fiscal memory is full', () => {
    const rig = talk()
    for (let left = rig.device.memory.remaining; left > 0; left--) rig.device.reportZ()
    const before = rig.ask(97).data
    expect(rig.ask(96, '19.00')).toMatchObject({ data: '', error: 30 })
    expect(rig.ask(97).data).toBe(before)
  })
})

describe('command 195 (sheet 10.9)', () => {
  it('streams nothing for an empty range: it sends the packet alone', () => {
    const rig = talk()
    // A published frame: R12,2,3,A to a device without closures.
    const ASKED = '01 2D 31 C3 52 31 32 2C 32 2C 33 2C 41 05 30 33 30 35 03'
    expect(rig.hex(bytesOf(ASKED))).toBe('01 2B 31 C3 04 80 80 C0 80 80 B8 05 30 34 3A 30 03')
  })
  it('streams a range with content, with its end', () => {
    const rig = talk()
    say(rig, ...RECEIPT)
    const { stream, data } = rig.ask(195, 'R1,1,9,1')
    expect(stream.length).toBeGreaterThan(2)
    expect(stream.at(-1)).toMatch(/E\r\n$/)
    expect(data).toBe('')
  })
})

describe('command 194 (sheet 10.6)', () => {
  const TESTED = '0,75,1,284013900000001,8935901390000000001,356938035643809'
  it('tests the modem with T, and the link with W', () => {
    expect(talk().ask(194, 'T')).toMatchObject({ data: TESTED, error: 0 })
    expect(talk().ask(194, 'W')).toMatchObject({ data: '0', error: 0 })
  })
  it.each(['S', 'I', 'C1234', '', 'X', 'TT'])('is unknown with the data %j', (data) => {
    expect(talk().ask(194, data)).toMatchObject({ data: '', status: UNKNOWN })
  })
  it('is unknown in b5', () => {
    expect(talk({ profile: 'b5' }).ask(194, 'T').status).toMatch(/^A2 /)
  })
})
