/** Requests of public clients of this protocol from their first byte (sheet 14), as raw conversations. */
import { describe, expect, it } from 'vitest'
import { RECEIPT, say, talk } from './talk.ts'

describe('a client that sells free rows on the eight-group device (ERP)', () => {
  it('detects the device: status, diagnostics, constants, tax number', () => {
    const rig = talk()
    expect(say(rig, '74').data).toHaveLength(6)
    const fields = say(rig, '90 1').data.split(',')
    expect(fields).toHaveLength(6)
    expect(fields[0]?.split(' ')).toHaveLength(4)
    expect(fields[1]).toMatch(/^[0-9A-F]{4}$/)
    expect(fields[3]).toBe('6')
    expect(fields[4]).toMatch(/^DY\d{6}$/)
    expect(fields[5]).toMatch(/^\d{8}$/)
    const constants = say(rig, '128').data.split(',')
    expect(constants).toHaveLength(26)
    expect(constants.slice(0, 12)).toEqual(['384', '144', '5', '8', '', '', 'А', '8', '32', '28', '20', '8'])
    expect(say(rig, '99').data).toBe('123456789')
  })

  it('sells in all eight groups, by group and by department, pays in several ways, and the books balance', () => {
    const rig = talk()
    say(rig, '48 1,0001,DY000001-0001-0000001')
    for (const letter of ['А', 'Б', 'В', 'Г', 'Д', 'Е', 'Ж', 'З']) say(rig, `49 Item ${letter}\\t${letter}1.00*2.000`)
    say(rig, '138 +2@3.00*1.000,-10.00')
    expect(say(rig, '51 10$-1.00').data).toMatch(/^0000001770,/)
    expect(say(rig, '53 \\tC7.70').data).toBe('D10.00')
    expect(say(rig, '54 Thank you').data).toBe('')
    expect(say(rig, '53 \\tP20.00').data).toBe('R10.00')
    expect(say(rig, '56').data).toBe('000001,000001')
    expect(say(rig, '113').data).toBe('000001')
    expect(say(rig, '116').data).toBe('PF,0,36000001*000001*2025-07-14*12:00:00*17.70')
    const sums = say(rig, '65 T').data.split(',').map(Number)
    expect(sums.reduce((sum, one) => sum + one, 0)).toBe(1770)
    expect(say(rig, '110').data.split(',').slice(0, 5).map(Number)).toEqual([1000, 0, 770, 0, 0])
  })

  it('makes a refund, cash in and out, an X report, a Z report and a duplicate', () => {
    const rig = talk()
    say(rig, ...RECEIPT)
    expect(say(rig, '48 1,1,DY000001-0001-0000002\\tR1,1,14-07-25 12:00:00\\t36000001').data).toBe('000001,000001')
    expect(say(rig, '49 Bread\\tА1.20', '53 \\tP1.20').data).toBe('R0.00')
    expect(say(rig, '56').data).toBe('000002,000001')
    expect(say(rig, '70 10.00').data).toBe('P,10.00,10.00,0.00')
    expect(say(rig, '70 -4.00').data).toBe('P,6.00,10.00,4.00')
    expect(say(rig, '70 -9.00').data).toBe('F,6.00,10.00,4.00')
    expect(say(rig, '70 0').data).toBe('P,6.00,10.00,4.00')
    expect(say(rig, '109 1').status).toBe('80 80 C0 80 80 B8')
    expect(say(rig, '69 2').data).toMatch(/^0000,0000000120,/)
    expect(say(rig, '69').data).toMatch(/^0001,0000000120,(0{10},){7}0000000120,/)
    expect(say(rig, '69 2').data).toMatch(/^0002,0000000000,/)
    expect(say(rig, '38').data).toBe('000001')
  })

  it('pays the whole sum without the TAB, refunds as operator 20 of the manual, and reads the kind of the document', () => {
    const rig = talk()
    expect(say(rig, '116').data).toMatch(/^PS,14,.*\*0\.00$/)
    say(rig, '48 1,1,DY000001-0001-0000001', '49 Bread\\tА2.00*1.234')
    expect(say(rig, '53').data).toBe('R0.00')
    expect(say(rig, '56').data).toBe('000001,000001')
    expect(say(rig, '48 20,9998,DY000001-0001-0000002').error).toBe(66)
    say(rig, '48 20,9999,DY000001-0001-0000002\\tR1,1,14-07-25 12:00:00\\t36000001')
    say(rig, '49 Bread\\tА2.00', '53 \\tP2.00', '56')
    expect(say(rig, '116').data).toBe('PF,2,36000001*000002*2025-07-14*12:00:00*2.00')
    expect(rig.device.day.drawerCash).toBe(47)
    say(rig, '101 20,20,5555')
    expect(say(rig, '48 20,9999').error).toBe(66)
  })

  it('gets "invalid command" from firmware without the free sale', () => {
    const rig = talk({ switches: { freeSale: 'false' } })
    say(rig, '48 1,1')
    expect(say(rig, '49 Milk\\tА1.00').status).toBe('A2 80 88 80 80 B8')
  })
})

describe('a client of the five-group printer (OPOS)', () => {
  it('connects and queries status, constants, five rates, three tokens', () => {
    const rig = talk({ profile: 'b5' })
    expect(say(rig, '74').status).toBe('80 80 C0 80 80 B8')
    expect(say(rig, '128').data).toBe('576,144,5,5,,, ,8,48,44,32,10,10,0,15,50,30000,1,1,0,20,12,0,0,0,0')
    expect(say(rig, '97').data.split(',')).toHaveLength(5)
    const [first, ...rest] = say(rig, '90 0').data.split(',')
    expect(first?.split(' ')).toHaveLength(3)
    expect(rest).toEqual(['FFFF', '00', '8', 'DY00000001', '3600000001'])
  })

  it('closes open receipts at its start', () => {
    const rig = talk({ profile: 'b5' })
    say(rig, '38')
    expect(say(rig, '39').data).toBe('000001')
    say(rig, '48 1,1', '49 Tea\\n\\tA1.00*1.000')
    expect(say(rig, '130').data).toBe('000002,000001')
    expect(rig.device.receipt).toBeNull()
    expect(rig.device.day.total).toBe(0)
  })

  it('sells with its own forms of the commands 48, 49, 58, 53 and 70', () => {
    const rig = talk({ profile: 'b5' })
    say(rig, '48 1,1', '49 Tea\\n\\tA1.23*1.000,-2.34')
    expect(say(rig, '51 10').data).toBe('0000000120,0000000000,0000000120,0000000000,0000000000,0000000000')
    expect(say(rig, '58 +1*1.000,0.00@1.21$0.00').error).toBe(7)
    expect(say(rig, '58 +1*1.000,0.00@1.20$0.00').error).toBe(0)
    expect(say(rig, '53 \\n\\tE1.00').data).toBe('D1.40')
    expect(say(rig, '53 \\n\\tP2.00').data).toBe('R0.60')
    expect(say(rig, '56').data).toBe('000001,000001')
    expect(say(rig, '70 0.00').error).toBe(21)
    expect(say(rig, '70 10.00,Float\\t').data).toBe('P,11.40,10.00,0.00')
    expect(say(rig, '69 2').data).toBe(
      '0000,000000000000,000000000120,000000000120,000000000000,000000000000,000000000000',
    )
  })

  it('reads receipt, day, operator, texts and options by its own forms of the commands', () => {
    const rig = talk({ profile: 'b5' })
    say(rig, '48 1,1', '58 1')
    expect(say(rig, '103').data).toBe(
      '1,0000000000,0000000120,0000000000,0000000000,0000000000,0000000000,0,0000000000',
    )
    say(rig, '53 \\t', '56')
    expect(say(rig, '110 A').data).toBe(
      '000000000120,000000000000,000000000000,000000000000,000000000000,0000,000002,0000000001',
    )
    expect(say(rig, '112 1').data).toMatch(/^000001,00000\d;1\.20,000000;0\.00,000000;0\.00,000000;0\.00,/)
    say(rig, '149 P40,Corner shop')
    expect(say(rig, '149 R40').data).toBe('Corner shop')
    expect(say(rig, '43 IP').data).toBe('0000')
    say(rig, '43 P1101')
    expect(say(rig, '43 IP').data).toBe('1101')
    expect(say(rig, '102 2,0002,Anna').error).toBe(0)
    expect(say(rig, '112 2').data).toContain('Anna')
  })

  it('sends 48 with a TAB part, which is ignored, and locks the reports of the fiscal memory', () => {
    const rig = talk({ profile: 'b5' })
    expect(say(rig, '48 1,1,X\\tI').data).toBe('000000,000000')
    expect(rig.device.receipt).toMatchObject({ fiscal: { invoice: false } })
    say(rig, '130')
    expect(say(rig, '73 1,1').error).toBe(118)
    expect(say(rig, '192 000001').status).toBe('A0 C0 C0 EC 80 B8')
    say(rig, '192 000000')
    expect(say(rig, '73 1,1').error).toBe(0)
  })

  it('writes Georgian letters and reads them back', () => {
    const rig = talk({ profile: 'b5' })
    rig.ask(102, '2,2,\xd0'.replace('\xd0', 'Р'))
    expect(rig.device.registers.operator(2)?.name).toBe('\u10d0')
  })
})

describe('a client of the small register (EDA)', () => {
  it('queries the cash without an amount, and prints departments without an answer', () => {
    const rig = talk()
    say(rig, '70 10.00', '48 1,1,', '138 2@3.00*2.000', '53 \\t', '56')
    expect(say(rig, '70').data).toBe('P,16.00,10.00,0.00')
    const { lastDocument } = rig.device.counters
    for (const item of ['8', '9']) expect(say(rig, `69 ${item}`)).toMatchObject({ data: '', error: 0 })
    expect(rig.device.counters).toMatchObject({ lastDocument: lastDocument + 2, lastZ: 0 })
    expect(rig.device.journal.linesOf(lastDocument + 1).join()).toContain('6.00')
  })

  it('pays the whole sum of one kind by the letter alone', () => {
    const rig = talk()
    say(rig, '48 1,1,', '49 Bread\\tБ2.40*1.000')
    expect(say(rig, '53 \\tC').data).toBe('R0.00')
    say(rig, '56')
    expect(say(rig, '110').data.split(',').slice(0, 3).map(Number)).toEqual([0, 0, 240])
  })

  it('sends 74 with an X, an empty third field in 48, and reads the answers', () => {
    const rig = talk()
    expect(say(rig, '74 X').status).toBe('80 80 C0 80 80 B8')
    expect(say(rig, '90').data.split(',')[1]).toBe('FFFF')
    expect(say(rig, '128').data.split(',')).toHaveLength(26)
    expect(say(rig, '48 1,1,').data).toBe('000000,000000')
    expect(say(rig, '130').error).toBe(0)
    expect(say(rig, '48 1,1,DY000001-0001-0000001,1').error).toBe(0)
  })
})
