/** The start-up of known clients and the behaviour that these clients rely on (sheet 10), as conversations. */
import { describe, expect, it } from 'vitest'
import { encodeHostFrame } from '../../drivers/family-a/protocol/frame.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import { read, SALE, talk } from './talk.ts'

describe('a device of family A serves a known client (sheet 10):', () => {
  it('C-ERP sends the comma form of 90 in exactly eight pieces, then 99', () => {
    const rig = talk()
    const pieces = rig.ask(90, '1').data.split(/[, \t]/)
    expect(pieces).toHaveLength(8)
    expect(pieces[0]).toMatch(/(X|XR|XE)$/)
    expect(pieces[4]).toMatch(/^[0-9A-F]{4}$/)
    expect(pieces[6]).toMatch(/^(DT|DA)\d{6}$/)
    expect(pieces[7]).toMatch(/^\d{8}$/)
    expect(rig.ask(99).data).toMatch(/^0\t\d+\t$/)
  })

  it('C-ERP sends 60 before every receipt, 48 with a sale number, and reads sums from 76 and the number from 56', () => {
    const rig = talk()
    expect(rig.code(60)).toBe('-111016')
    rig.all([48, '1\t0000\tDT000123-0001-0000001\t1\t\t'])
    rig.all([49, 'Item\t1\t2.50\t2\t0\t0.00\t0\t'], [54, 'text\t'], [51, '1\t0\t\t\t'], [53, '0\t10.00\t\t'])
    expect(rig.ask(76).fields).toEqual(['1', '1', '1', '5.00', '10.00'])
    expect(rig.ask(56).fields).toEqual(['1'])
    expect(rig.ask(70, '0\t0\t').fields).toHaveLength(3)
    expect(rig.ask(74).flags).not.toContain('clockNotSet')
  })

  it('C-ERP resets with 60, 53 with three TABs, 56', () => {
    const rig = talk()
    rig.all([48, '1\t0000\t1\t\t'], SALE, [53, '0\t1.00\t\t'])
    expect([rig.code(60), rig.code(53, '\t\t\t'), rig.code(56)]).toEqual(['-111018', '0', '0'])
  })

  it('C-UCS sends 90 with TAB, 76 before each step, and recovers by 60, 53, 57, 56', () => {
    const rig = talk()
    expect(rig.ask(90, '\t').fields).toHaveLength(8)
    rig.all([48, '1\t0000\t1\tI\t'], SALE, [53, '0\t1.00\t\t'])
    expect(rig.ask(103).fields.slice(8)).toEqual(['1', '0000000002', '0'])
    expect(rig.code(60)).toBe('-111018')
    rig.all([53, '\t\t\t'], [57, '\t\t\t\t\t0\t999999999\t\t'], [56])
    expect(rig.ask(76).fields[0]).toBe('0')
  })

  it('C-UCS names the buyer of a credit note once, or does not name the buyer', () => {
    const rig = talk()
    const buyer = [57, '\t\t\t\t\t0\t999999999\t\t'] as const
    rig.all([48, '1\t0000\t1\tI\t'], SALE, [53, '\t\t\t'], [57, buyer[1]], [56])
    const reversal = '1\t0000\t1\t1\t1\t15-07-25 10:00:00\t02000123\tI\t1\tback\t\t'
    rig.all([43, reversal], [49, 'Item\t1\t0.20\t1.000\t\t\t0\t'], [53, '\t\t\t'], [57, buyer[1]])
    expect([rig.code(...buyer), rig.code(56)]).toEqual(['-111048', '0'])
    rig.all([43, reversal], [49, 'Item\t1\t0.20\t1.000\t\t\t0\t'], [53, '\t\t\t'], [56])
  })

  it('C-UCS: queries a subtotal that is neither printed nor shown (6.4, every field may be left out)', () => {
    const rig = talk()
    rig.all([48, '1\t0000\t1\t\t'], SALE)
    expect(rig.ask(51).fields.slice(0, 3)).toEqual(['1', '5.00', '5.00'])
    expect(rig.ask(51, '\t\t2\t10.00\t').fields[1]).toBe('4.50')
  })

  it('C-UCS takes a receipt for printed only after the number in 76 has changed', () => {
    const rig = talk()
    rig.all([48, '1\t0000\t1\t\t'], SALE, [53, '\t\t\t'], [56])
    const printing = [
      [109, ''], [69, 'X\t'], [69, 'D\t'], [69, 'G\t'], [105, '\t\t0\t'], [70, '0\t5.00\t'], [70, '1\t5.00\t'],
      [69, 'Z\t'], [94, '0\t01-01-25\t31-12-25\t'], [94, '1\t01-01-25\t31-12-25\t'], [125, '3\t1\t0\t'],
    ] as const // biome-ignore format: one list
    printing.forEach((step, index) => {
      rig.all(step)
      // Printed documents change the number, and the sums remain those of the last receipt.
      expect(rig.ask(76).fields).toEqual(['0', String(index + 2), '1', '5.00', '5.00'])
    })
  })

  it('C-UCS reads parameters, sends silent receipts between two commands 45, and lets the device add a check digit', () => {
    const rig = talk()
    expect(rig.ask(255, 'OperName\t0\t\t').fields).toEqual(['Operator 1'])
    rig.all([45, '0\t'], [45, '1\t'], [38], [84, '1\t1234567\t'], [84, '2\t594123456789\t'], [39])
  })

  it('C-UCS wraps SEQ after 7Fh, and its modem text on the line changes nothing', () => {
    const rig = talk()
    rig.hear(encodeHostFrame({ seq: 0x7f, code: 74, data: '' }))
    const again = encodeHostFrame({ seq: 0x20, code: 74, data: '' })
    expect(read(rig.hear(Buffer.concat([Buffer.from('ATZ\r'), again]))).code).toBe('0')
  })

  it('C-FPG sends 90 with TAB and PrintColumns; SEQ, LEN and status are exactly as in the sheet', () => {
    const rig = talk()
    const answer = rig.hear(encodeHostFrame({ seq: 0x21, code: 255, data: 'PrintColumns\t\t\t' }))
    // Data "0 TAB 42 TAB": LEN = 33h + 5 = 38h.
    expect(textOf(answer.subarray(0, 10))).toBe('01 30 30 33 38 21 30 30 3F 3F')
    expect(textOf(answer.subarray(15, 24))).toBe('04 80 80 80 80 86 9A 80 80')
  })

  it('C-ODO gets a syntax error for 123 without data, eight bytes with bit 7 for 74, and D 0.00 for an exact payment', () => {
    const rig = talk()
    expect(rig.ask(123)).toMatchObject({ code: '-112001', status: 'a1808080869a8080' })
    const answer = rig.hear(encodeHostFrame({ seq: 0x20, code: 74, data: '' }))
    expect(textOf(answer.subarray(10, 21))).toBe('30 09 80 80 80 80 86 9A 80 80 09')
    rig.all([48, '1\t0000\t1\t\t'])
    expect(rig.ask(...SALE).fields).toEqual(['1'])
    expect(rig.ask(53, '0\t5.00\t\t').fields).toEqual(['D', '0.00'])
    expect(rig.ask(56).fields).toEqual(['1'])
  })

  it('C-PYP sends 90 with TAB, and DST after the time in summer', () => {
    const rig = talk()
    expect(rig.ask(90, '\t').code).toBe('0')
    expect(rig.ask(62).fields).toEqual(['15-07-25 10:15:30 DST'])
    rig.all([61, '15-12-25 10:15:30\t'])
    expect(rig.ask(62).fields).toEqual(['15-12-25 10:15:30'])
  })

  it('C-ROJ sends 60, 48 with three fields, 49 with eight, 54, 53 with two, 56', () => {
    const rig = talk({ profile: 'ro' })
    expect(rig.code(60)).toBe('-111016')
    rig.all([48, '1\t0001\t1\t'], [49, 'Paine\t2\t4.00\t1.500\t\t\t1\tkg\t'], [54, 'text\t'], [53, '0\t\t'], [56])
    expect(rig.code(48, '1\t0001\tDT000123-0001-0000001\t1\t\t')).toBe('-112001')
  })

  it('C-ROPOS sends 48 with the tax number of the client, 49 with eight, 51, 53, 56, 47, 35', () => {
    const rig = talk({ profile: 'ro' })
    rig.all(
      [48, '1\t0001\t1\tI\tRO12345674\t'],
      [49, 'Paine\t2\t4.00\t1.500\t2\t10.00\t1\tkg\t'],
      [51, '1\t1\t\t\t'],
      [53, '0\t\t'],
      [56],
      [47, 'UPPER\t'],
      [35, 'LOWER\t'],
    )
    expect(rig.device.display.lines.map((line) => line.trimEnd())).toEqual(['UPPER', 'LOWER'])
  })

  it('C-JS gets NAK for its one-byte frames', () => {
    expect(textOf(talk().hear(bytesOf('01 24 21 4A 05 30 30 39 34 03')))).toBe('16 15')
  })

  it('CAP opens a fresh connection as captured', () => {
    const rig = talk()
    const start = [
      '01 30 30 32 3A 20 30 30 34 3A 05 30 31 3B 3F 03',
      '01 30 30 32 3A 21 30 30 35 3A 05 30 31 3C 31 03',
      '01 30 30 32 3A 22 30 30 34 3C 05 30 31 3C 33 03',
      '01 30 30 32 3A 23 30 30 32 36 05 30 31 3B 3C 03',
    ]
    for (const bytes of start) expect(read(rig.hear(bytesOf(bytes))).flags).not.toContain('generalError')
    expect(rig.device.receipt?.kind).toBe('nonFiscal')
  })
})
