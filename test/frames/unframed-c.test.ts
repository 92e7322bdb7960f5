/** Pings (sheet C 2.5) and the response to 1Dh 49h (sheet C 4.16). */
import { describe, expect, it } from 'vitest'
import { readPing, readWidths, writePing, writeWidths } from '../../drivers/family-c/protocol/unframed.ts'

const READY = { busy: false, noPaper: false, overheated: false, noDisplay: false }

describe('the answer to the ping for the state', () => {
  it.each([
    [0x40, READY],
    [0x41, { ...READY, busy: true }],
    [0x42, { ...READY, noPaper: true }],
    [0x44, { ...READY, overheated: true }],
    [0x48, { ...READY, noDisplay: true }],
    [0x4f, { busy: true, noPaper: true, overheated: true, noDisplay: true }],
  ])('has a bit for each condition: %i', (byte, state) => {
    expect(readPing(byte)).toEqual(state)
    expect(writePing(state)).toBe(byte)
  })

  it.each([0x3f, 0x50, 0x60, 0x70, 0x05, 0x00])('cannot be %i', (byte) => {
    expect(readPing(byte)).toBeUndefined()
  })
})

describe('the widths of family C', () => {
  const WIDTHS = {
    line: 42,
    articles: 20_000,
    departments: 50,
    operators: 8,
    taxClasses: 8,
    headerLines: 6,
    payments: 5,
    logos: 1,
    sales: 80,
    customers: 500,
  }
  const DATA = '42;20000;50;08;8;06;05;01;00;080;0500'

  it('have a position each in the answer, with leading zeros', () => {
    expect(Buffer.from(writeWidths(WIDTHS)).toString('latin1')).toBe(`I${DATA}\n`)
    expect(readWidths(DATA)).toEqual(WIDTHS)
  })

  it('may be free; missing widths and widths that are not numbers are 0', () => {
    const none = { articles: 0, departments: 0, operators: 0, taxClasses: 0, headerLines: 0, payments: 0, logos: 0 }
    expect(readWidths('38')).toEqual({ line: 38, ...none, sales: 0, customers: 0 })
    expect(readWidths('38;x;7')).toEqual({ line: 38, ...none, departments: 7, sales: 0, customers: 0 })
    expect(readWidths('38;1.5')).toEqual({ line: 38, ...none, sales: 0, customers: 0 })
  })

  it.each<readonly [string, string]>([
    ['do not contain', ''],
    ['do not contain', 'x;20000'],
    ['do not contain', '15'],
    ['contain', '16'],
    ['contain', '80'],
    ['do not contain', '81'],
  ])('%s the width of a line: %j', (is, data) => {
    expect(readWidths(data)?.line).toBe(is === 'contain' ? Number(data) : undefined)
  })
})
