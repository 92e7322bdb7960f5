/** The channels of errors (sheet 8), and every number of 8.1 in a conversation that causes it. */
import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../drivers/family-b/protocol/errors.ts'
import { profile } from '../../emulator/family-b/profile.ts'
import type { WireOptions } from '../support/rig.ts'
import { RECEIPT, say, talk } from './talk.ts'

const small = (more: object): WireOptions => ({ device: { profile: { ...profile('b8'), ...more } } })

const NATURAL: readonly (readonly [number, readonly string[], WireOptions?])[] = [
  [1, ['48 1,1', '49 Ship\\tБ9999999.99*99999.999']],
  [3, ['48 1,1', '58 1', '58 1', '58 1'], small({ maxSales: 2 })],
  [4, ['48 1,1', '58 1', '53 \\tP0.10', '53 \\tP0.10', '53 \\tP0.10'], small({ maxPayments: 2 })],
  [5, ['48 1,1', '49 Nothing\\tБ0.00']],
  [6, ['48 1,1', '58 1', '53 \\tP0.10', '58 1']],
  [7, ['48 1,1', '58 1@5.00']],
  [8, ['96 20.00,20.00,20.00,-1.00', '48 1,1', '58 7']],
  [9, ['48 1,1,\\tI', '58 1', '53 \\t', '57 1', '56', '48 1,1,\\tI']],
  [10, ['61 32-13-25 12:00:00']],
  [11, ['48 1,1', '58 1*1.0.0']],
  [12, ['70 --5.00']],
  [13, ['70 5-00']],
  [14, ['70 5,text', '70 5x']],
  [15, ['70 5.001']],
  [16, ['48 1,1', '58 1', '53 \\tP1234567.89']],
  [19, ['48 1,1', '48 1,1']],
  [20, ['56']],
  [21, ['48 21,21']],
  [22, ['48 1,1', '58 1', '51 10,-5.00', '51 10,-5.00']],
  [23, ['48 1,1', '58 1', '58 1', '51 10,-5.00', '58 -1']],
  [24, ['48 1,1', '58 1', '58 -2']],
  [25, ['48 1,1', '53 \\t']],
  [26, ['107 PБ11,1.00,Scarce\\n,2,1,1.000', '48 1,1', '58 11*2.000']],
  [28, ['107 PБ11,1.00,Gone\\n,2,1,0.000', '48 1,1', '58 11']],
  [29, ['107 PБ11,1.00,']],
  [30, ['69 0', '69 0'], small({ fiscalMemoryCapacity: 1 })],
  [41, ['107 PБ11,1.00,Tea\\n96385075']],
  [42, ['107 PБ11,1.00,Tea\\n0000']],
  [43, ['107 PБ11,1.00,Ham\\n2800000000007']],
  [44, ['48 1,1', '58 999']],
  [45, ['107 PБ11,1.00,Tea\\n96385074', '107 PБ12,1.00,Rum\\n96385074']],
  [48, ['48 1,1', '58 1', '58 1', '51 10$-9.00']],
  [50, ['109 1']],
  [66, ['48 1,99']],
  [90, ['48 1,1', '138 +2@1.00', '53 \\t', '56', '131 P2,Dairy\\nБ,0']],
  [91, [...RECEIPT, '96 10.00']],
  [92, [...RECEIPT, '102 1,1,Anna']],
  [93, [...RECEIPT, '107 PБ1,1.00,Bread']],
  [94, ['150 P1,0']],
  [97, [...RECEIPT, '150 P8,1']],
  [108, ['192 1234'], { profile: 'b5' }],
  [118, ['73 1,2'], { profile: 'b5' }],
  [119, ['101 2,2,1']],
  [120, ['114 1,4']],
  [126, ['38'], small({ journalCapacity: 0 })],
]

/** Errors of defective parts, which the switch `trouble` causes. */
const BROKEN = [27, 31, 61, 70, 71, 72, 76, 81, 83, 84, 85, 88, 98, 102, 104, 107, 110, 111, 113, 117, 123, 124, 125]
const DAY_EXPIRED = 82

describe('the error numbers of family B', () => {
  it.each(NATURAL.map(([number, lines, options]) => ({ number, lines, options })))(
    'include $number, which occurs after the commands $lines',
    ({ number, lines, options }) => {
      const rig = talk(options)
      if (number === 9) rig.device.registers.setInvoiceRange({ start: 1, end: 1 })
      const state = () => JSON.stringify([rig.device.receipt, rig.device.day, rig.device.counters])
      say(rig, ...lines.slice(0, -1))
      const before = state()
      const reply = say(rig, lines.at(-1) as string)
      expect(reply.error).toBe(number)
      expect(reply.data).toBe('')
      expect(reply.status.slice(0, 2)).toMatch(/A/)
      expect(state()).toBe(before)
      // The error number describes the last command only.
      expect(say(rig, '62').error).toBe(0)
    },
  )

  it.each(BROKEN)('include %i, which comes from a damaged part', (number) => {
    const rig = talk({ switches: { trouble: String(number) } })
    expect(say(rig, '48 1,1').error).toBe(number)
    expect(say(rig, '69 0').error).toBe(number)
    expect(rig.device.counters.lastDocument).toBe(0)
  })

  it('include 82, which appears 24 hours after the first receipt and disappears with the Z report', () => {
    const rig = talk()
    say(rig, ...RECEIPT)
    rig.clock.advance(24 * 3_600_000)
    expect(say(rig, '48 1,1').status).toBe('A0 80 C0 D2 80 B8')
    expect(say(rig, '69 0').error).toBe(0)
    expect(say(rig, '48 1,1').error).toBe(0)
  })

  it('all occur in the tests of this file', () => {
    const reported = [...NATURAL.map(([number]) => number), ...BROKEN, DAY_EXPIRED].sort((a, b) => a - b)
    expect(reported).toEqual(
      Object.keys(ERRORS)
        .map(Number)
        .sort((a, b) => a - b),
    )
  })
})

describe('an error of family B', () => {
  it.each([
    ['an unknown command', '92 1', 'A2 80 C0 80 80 B8'],
    ['the cancel of sibling dialects', '60', 'A2 80 C0 80 80 B8'],
    ['malformed data', '84 6', 'A1 80 C0 80 80 B8'],
    ['a closing without a receipt', '56', 'A0 82 C0 94 80 B8'],
    ['a value out of range', '150 P2,99', 'A0 80 C0 95 80 B8'],
    ['a wrong password', '48 1,99', 'A0 80 C0 C2 80 B8'],
    ['the last record before any Z', '64 T', 'A0 82 C0 80 80 B8'],
  ])('is reported in the documented way: %s', (_, line, status) => {
    const reply = say(talk(), line)
    expect([reply.status, reply.data]).toEqual([status, ''])
  })

  it('for missing paper is a refusal with 2.0 and 0.5, with bit 2.6 off, and nothing is executed', () => {
    const rig = talk()
    rig.device.mechanism.setPaper('out')
    expect(say(rig, '38').status).toBe('A0 80 81 80 80 B8')
    expect(rig.device.receipt).toBeNull()
    rig.device.mechanism.setPaper('low')
    expect(say(rig, '38').status).toBe('80 80 A2 80 80 B8')
  })

  it('for an open cover is reported as a mechanism that does not work', () => {
    const rig = talk()
    rig.device.mechanism.setCover(true)
    expect(say(rig, '38').status).toBe('B0 80 C0 80 80 B8')
  })

  it('for a full fiscal memory sets 4.4 and 4.5 and is number 30; a nearly full memory sets 4.3', () => {
    const rig = talk(small({ fiscalMemoryCapacity: 2 }))
    say(rig, '69 0')
    expect(say(rig, '74').status).toBe('80 80 C0 80 88 B8')
    say(rig, '69 0')
    expect(say(rig, '69 0').status).toBe('A0 80 C0 9E B0 B8')
    expect(say(rig, '48 1,1').status).toBe('A0 80 C0 9E B0 B8')
  })

  it('for a cleared RAM sets "clock not set" and 1.2, until 61', () => {
    const rig = talk()
    rig.device.resetRam()
    expect(say(rig, '74').status).toBe('A4 84 C0 80 80 B8')
    expect(say(rig, '48 1,1').error).toBe(20)
    say(rig, '61 14-07-25 12:30:00')
    expect(say(rig, '74').status).toBe('80 80 C0 80 80 B8')
  })

  it('for a missing display sets 0.3, and other commands are executed', () => {
    const rig = talk()
    rig.device.display.setAttached(false)
    expect(say(rig, '74').status).toBe('88 80 C0 80 80 B8')
    expect(say(rig, '47 Hello').error).toBe(20)
  })

  it('is found in this order: mode, syntax, state, paper, value', () => {
    const rig = talk()
    rig.device.mechanism.setPaper('out')
    expect(say(rig, '48 1').status).toBe('A1 80 81 80 80 B8')
    expect(say(rig, '56').status).toBe('A0 82 81 94 80 B8')
    expect(say(rig, '48 99,1').status).toBe('A0 80 81 80 80 B8')
    rig.device.mechanism.setPaper('ok')
    expect(say(rig, '48 99,1').error).toBe(21)
  })
})
