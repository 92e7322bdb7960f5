/** The response to each command in each of the five states: sheet 5.1. */
import { describe, expect, it } from 'vitest'
import { withWords } from '../support/verdict-rows.ts'
import { CLOSE, NAME, OPEN, OPEN_NON_FISCAL, PART_PAYMENT, PAYMENT, SALE, type Talk, talk } from './talk.ts'

const STATES: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
  idle: [],
  nonfiscal: [OPEN_NON_FISCAL],
  open: [OPEN, SALE],
  residue: [OPEN, SALE, PART_PAYMENT],
  paid: [OPEN, SALE, PAYMENT],
}

const sale = `${NAME('Milk')};A;1.20`
/**
 * Command, data, and the responses in the states idle, nonfiscal, open, residue and paid. The response `go` is one
 * without an error.
 */
const TABLE: readonly (readonly [string, number, string, string])[] = [
  ['2Eh open non-fiscal', 0x2e, '1;0000;0;0', 'go 36/32 34/32 35/32 37/32'],
  ['30h open fiscal', 0x30, '1;0000;1;1;0', 'go 36/32 34/32 35/32 37/32'],
  ['2Fh close non-fiscal', 0x2f, '', '30/32 go 34/32 35/32 37/32'],
  ['31h free sale', 0x31, sale, '30/32 36/32 go 35/32 37/32'],
  ['32h PLU sale', 0x32, '+00001', '30/32 36/32 go 35/32 37/32'],
  ['34h department sale', 0x34, `${NAME('Tea')};\x81;1.00`, '30/32 36/32 go 35/32 37/32'],
  ['3Dh sale of a fraction', 0x3d, `${NAME('Tea')};A;9.00*1/3`, '30/32 36/32 go 35/32 37/32'],
  ['33h subtotal', 0x33, '1;0', '30/32 36/32 go 35/32 37/32'],
  ['3Eh discount', 0x3e, '1;0,-10.00%', '30/32 36/32 go 35/32 37/32'],
  ['35h payment', 0x35, '0;0;1.00', '30/32 36/32 go go 37/32'],
  ['35h payments back', 0x35, '0;0;-', '30/32 36/32 go go go'],
  ['36h pay and close', 0x36, '', '30/32 36/32 go go go'],
  ['37h text', 0x37, 'a line', '30/32 go go go go'],
  ['38h close', 0x38, '', '30/32 36/32 34/32 35/32 go'],
  ['39h cancel', 0x39, '', '30/32 36/32 go go go'],
  ['3Ah duplicate', 0x3a, '', '3F/32 36/32 34/32 35/32 37/32'],
  ['3Bh cash in', 0x3b, '1;0000;0;5.00', 'go 36/32 34/32 35/32 37/32'],
  ['7Ch X report', 0x7c, 'X', 'go 36/32 34/32 35/32 37/32'],
  ['7Ch Z report', 0x7c, 'Z', 'go 36/32 34/32 35/32 37/32'],
  ['7Eh article report', 0x7e, 'X', 'go 36/32 34/32 35/32 37/32'],
  ['7Dh operator report', 0x7d, 'X;0', 'go 36/32 34/32 35/32 37/32'],
  ['76h department report', 0x76, 'X', 'go 36/32 34/32 35/32 37/32'],
  ['77h special events', 0x77, '', 'go 36/32 34/32 35/32 37/32'],
  ['48h set clock', 0x48, '14-07-25 10:00:00', 'go 36/32 34/32 35/32 37/32'],
  ['4Ah program operator', 0x4a, `2;${'Ana'.padEnd(20)};1234`, 'go 36/32 34/32 35/32 37/32'],
  ['51h barcode', 0x51, 'P;2;12;123456789012', 'go go 34/32 35/32 37/32'],
  ['20h status', 0x20, '', 'go go go go go'],
  ['72h receipt', 0x72, '', 'go go go go go'],
  ['6Eh registers', 0x6e, '0', 'go go go go go'],
  ['25h display', 0x25, 'TOTAL'.padEnd(20), 'go go go go go'],
  ['2Ah drawer', 0x2a, '', 'go go go go go'],
  ['2Bh feed', 0x2b, '', 'go go go go go'],
]

const inState = (state: string): Talk => {
  const device = talk()
  device.prepare(...(STATES[state] ?? []))
  return device
}
const answered = (device: Talk, code: number, data: string): string => {
  const answer = device.say(code, data)
  return /^3[0-9A-F]\/3[1-9A-F]$/.test(answer) ? answer : 'go'
}

describe('commands in the states of sheet 5.1', () => {
  it.each(withWords(([, , , expected]) => expected.replaceAll('go', 'done'), TABLE))(
    'have the answers "%s" in the five states: %s',
    (_answers, _, code, data, expected) => {
      const answers = Object.keys(STATES).map((state) => answered(inState(state), code, data))
      expect(answers.join(' ')).toBe(expected)
    },
  )

  it('include 38h, which closes a non-fiscal receipt on c6', () => {
    const device = talk({ profile: 'c6' })
    device.prepare([0x2e, '1;000000;0;0'])
    expect(device.say(0x38)).toBe('30/30')
  })

  it('include 39h, which cancels an open receipt, and completes a receipt whose payment has begun', () => {
    const voided = inState('open')
    voided.prepare([0x39, ''])
    expect(voided.emulator.device.lastFiscal?.cancelled).toBe(true)
    const completed = inState('residue')
    completed.prepare([0x39, ''])
    expect(completed.emulator.device.lastFiscal?.cancelled).toBe(false)
    expect(completed.emulator.device.day.total).toBe(500)
  })

  it('include 38h, which closes an empty receipt that is paid with the exact sum, with total 0', () => {
    const device = talk()
    device.prepare(OPEN, PAYMENT, CLOSE)
    expect(device.emulator.device.lastFiscal?.total).toBe(0)
  })
})

describe('a value that the device refuses', () => {
  const inOpen = (code: number, data: string) => inState('open').say(code, data)
  it.each([
    ['a zero price', 0x31, `${NAME('x')};A;0.00`, '30/36'],
    ['a zero quantity', 0x31, `${NAME('x')};A;1.00*0`, '30/36'],
    ['a price with too many symbols', 0x31, `${NAME('x')};A;12345678.90`, '30/35'],
    ['a row above the limit', 0x31, `${NAME('x')};A;9999999.99*2`, '30/35'],
    ['a short name', 0x31, 'x;A;1.00', '30/34'],
    ['an unknown class', 0x31, `${NAME('x')};Q;1.00`, '30/34'],
    ['percent and value together', 0x31, `${NAME('x')};A;1.00,-1%:-0.10`, '30/34'],
    ['a correction with a discount', 0x31, `${NAME('x')};A;-1.00,-1%`, '30/34'],
    ['a correction above the class turnover', 0x31, `${NAME('x')};A;-99.00`, '30/37'],
    ['the forbidden class', 0x31, `${NAME('x')};*;1.00`, '30/39'],
    ['an unknown PLU', 0x32, '+00777', '30/34'],
    ['a PLU that was not sold', 0x32, '-00001', '30/37'],
    ['a price for a PLU with a fixed one', 0x32, '+00001$9.00', '30/32'],
    ['a zero payment', 0x35, '0;0;0.00', '30/36'],
    ['an unknown payment type', 0x35, '5;1;1.00', '30/34'],
    ['an unknown command', 0x5f, '', '30/31'],
  ])('is %s in a sale', (_, code, data, expected) => {
    expect(inOpen(code, data)).toBe(expected)
  })

  it.each([
    ['a wrong password', 0x30, '1;9999;1;1;0', '39/32'],
    ['operator 21', 0x30, '21;0000;1;1;0', '30/34'],
    ['three fields', 0x30, '1;0000;1', '30/34'],
    ['too much cash out', 0x3b, '1;0000;0;-999.00', '30/38'],
    ['Z of one operator', 0x7d, 'Z;1', '30/34'],
    ['a missing block', 0x78, '0008;0008;8', '30/34'],
    ['display text of another length', 0x25, 'TOTAL', '30/34'],
  ])('is %s in another command', (_, code, data, expected) => {
    expect(talk().say(code, data)).toBe(expected)
  })

  it('is an amount off the subtotal with several tax classes', () => {
    const device = inState('open')
    device.prepare([0x31, `${NAME('Tea')};B;1.00`])
    expect(device.say(0x33, '0;0:-0.10')).toBe('30/32')
  })

  it.each([
    ['an operator while the operator report is not zeroed', 0x4a, `2;${'Ana'.padEnd(20)};1234`],
    ['rates while the day is not zeroed', 0x42, `000000;${Array(8).fill('20.00%').join(';')}`],
    ['a header while the day is not zeroed', 0x49, '1;SHOP'],
  ])('is %s (30/33)', (_, code, data) => {
    const device = talk()
    device.prepare(OPEN, SALE, PAYMENT, CLOSE)
    expect(device.say(code, data)).toBe('30/33')
  })
})
