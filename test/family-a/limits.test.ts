import { describe, expect, it } from 'vitest'
import { OPEN, PAY, RECEIPT, SALE, talk } from './talk.ts'

const HOUR = 3_600_000

describe('24 hours after the first receipt (sheet 8),', () => {
  it('48 is refused with -111024 until a Z report is printed', () => {
    const rig = talk()
    rig.all(...RECEIPT)
    rig.clock.advance(23 * HOUR)
    rig.all(...RECEIPT)
    rig.clock.advance(1 * HOUR)
    expect(rig.code(...OPEN)).toBe('-111024')
    expect(rig.code(43, '1\t0000\t1\t1\t1\t15-07-25 10:15:30 DST\t02000123\t\t\t\t\t')).toBe('-111024')
    rig.all([69, 'X\t'], [38], [42, 'text\t'], [39], [47, 'shown\t'], [69, 'Z\t'], ...RECEIPT)
  })

  it('an open receipt can be finished', () => {
    const rig = talk()
    rig.all(...RECEIPT, OPEN, SALE)
    rig.clock.advance(25 * HOUR)
    rig.all(SALE, PAY, [56])
  })
})

describe('the full fiscal memory (sheet 3 and 8)', () => {
  const rig = talk({ change: { fiscalMemoryCapacity: 3, fiscalMemoryWarning: 2 } })

  it('is announced by bit 4.3, then sets 4.4 and 4.5 and makes the device refuse 69 Z and 48 with -100114', () => {
    expect(rig.ask(74).flags).not.toContain('memoryNearlyFull')
    rig.all([69, 'Z\t'], [69, 'Z\t'])
    expect(rig.ask(68).fields).toEqual(['1'])
    expect(rig.ask(74).flags).toContain('memoryNearlyFull')
    rig.all([69, 'Z\t'])
    expect(rig.ask(69, 'Z\t')).toMatchObject({ code: '-100114' })
    expect(rig.code(...OPEN)).toBe('-100114')
    expect(rig.ask(74).flags).toEqual(expect.arrayContaining(['memoryFull', 'memoryError']))
  })

  it('does not prevent reading and reports', () => {
    rig.all([64, '0\t'], [95, '0\t1\t3\t'], [69, 'X\t'], [125, '0\t2\t2\t'])
  })
})

describe('the full journal (sheet 8)', () => {
  it('is announced by bit 2.4, then sets 2.2 and makes the device refuse with -105010 what adds a document', () => {
    const rig = talk({ change: { journalCapacity: 60, journalWarning: 40 } })
    rig.all(...RECEIPT)
    expect(rig.ask(74).flags).toContain('journalNearlyFull')
    while (rig.device.journal.remaining > 0) rig.all([38], [39])
    expect(rig.ask(74).flags).toContain('journalFull')
    const refused = [rig.code(...OPEN), rig.code(38), rig.code(69, 'X\t'), rig.code(70, '0\t1.00\t'), rig.code(109)]
    expect(refused).toEqual(['-105010', '-105010', '-105010', '-105010', '-105010'])
  })
})

describe('paper and cover (sheet 4.1 and 8):', () => {
  const printing: readonly (readonly [number, string])[] = [
    [38, ''],
    [48, '1\t0000\t1\t\t'],
    [69, 'X\t'],
    [69, 'Z\t'],
    [70, '0\t1.00\t'],
    [109, ''],
    [44, '1\t'],
  ]
  it.each(printing)('%i %j is refused without paper with -112006, bits 2.0 and 0.5', (code, data) => {
    const rig = talk()
    rig.all(...RECEIPT)
    rig.device.mechanism.setPaper('out')
    expect(rig.ask(code, data)).toMatchObject({ code: '-112006', status: 'a0808180869a8080' })
  })

  it.each(printing)('%i %j is refused with an open cover with -112007, bits 0.6 and 0.5', (code, data) => {
    const rig = talk()
    rig.all(...RECEIPT)
    rig.device.mechanism.setCover(true)
    expect(rig.ask(code, data)).toMatchObject({
      code: '-112007',
      flags: expect.arrayContaining(['coverOpen', 'generalError']),
    })
  })

  it('the receipt stays open without paper, queries and display work, and the receipt continues with a new roll', () => {
    const rig = talk()
    rig.all(OPEN, SALE)
    rig.device.mechanism.setPaper('out')
    expect([rig.code(...SALE), rig.code(...PAY), rig.code(51, '1\t0\t\t\t'), rig.code(60)]).toEqual(
      Array(4).fill('-112006'),
    )
    rig.all([76], [74], [47, 'text\t'], [62], [103])
    rig.device.mechanism.setPaper('ok')
    rig.all(PAY, [56])
  })

  it('paper that is nearly at its end sets bit 2.1 alone', () => {
    const rig = talk()
    rig.device.mechanism.setPaper('low')
    expect(rig.ask(74).status).toBe('80808280869a8080')
  })
})

describe('the state of a device of family A:', () => {
  it('a lost clock sets bit 0.2 until 61 has run', () => {
    const rig = talk()
    rig.device.resetRam()
    expect(rig.ask(74).flags).toContain('clockNotSet')
    rig.all([61, '15-07-25 12:00:00\t'])
    expect(rig.ask(74).flags).not.toContain('clockNotSet')
  })

  it('the clock cannot be set before the last record of the fiscal memory', () => {
    const rig = talk()
    rig.all([69, 'Z\t'])
    expect(rig.code(61, '14-07-25 12:00:00\t')).toBe('-102019')
    expect(rig.code(61, '31-02-26 12:00:00\t')).toBe('-112201')
    expect(rig.code(61, 'noon\t')).toBe('-112101')
  })

  it('a missing display is answered with -102005', () => {
    const rig = talk()
    rig.device.display.setAttached(false)
    expect([rig.code(47, 'text\t'), rig.code(35, 'text\t'), rig.code(33), rig.code(63)]).toEqual(
      Array(4).fill('-102005'),
    )
  })

  it('a one-time command is executed once', () => {
    const rig = talk()
    expect(rig.code(72, 'DT000123\t123456789\t')).toBe('-110105')
    expect(rig.code(91, 'DT000123\t02000123\t')).toBe('-104001')
    expect(rig.code(98, '123456789\t')).toBe('-104004')
  })
})

describe('the profiles of family A (sheet 9):', () => {
  it('bg refuses a tax number in 48, a field in 38 and the parameter ItemsCount, which belong to ro', () => {
    const rig = talk()
    expect(rig.code(48, '1\t0000\t1\tI\tRO12345674\t')).toBe('-112001')
    expect(rig.code(38, '1\t')).toBe('-112001')
    expect(rig.code(255, 'ItemsCount\t0\t\t')).toBe('-112201')
  })
})
