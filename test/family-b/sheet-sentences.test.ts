/** Single sentences of sheet 2, 6, 8, 10, 13 and 14, as raw data. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { NOON, RECEIPT, say, type Talk, talk } from './talk.ts'

const REFUND = '48 1,1,X\\tR0,1,14-07-25 12:00\\t36000001'
const lastLines = ({ device }: Talk): readonly string[] => device.journal.linesOf(device.counters.lastDocument)
const SYNTAX = 'A1 80 C0 80 80 B8'
const UNKNOWN = 'A2 80 C0 80 80 B8'

describe('the refunds of family B', () => {
  it('pay no part if the drawer lacks the whole sum, so that 130 still ends the receipt', () => {
    const rig = talk()
    say(rig, ...RECEIPT, ...RECEIPT, REFUND, '58 1*4')
    expect(say(rig, '53 \\t').error).toBe(28)
    expect(say(rig, '53 \\tP1.00')).toMatchObject({ data: '', error: 28 })
    expect(say(rig, '130')).toMatchObject({ data: '000003,000002', error: 0 })
  })

  it('pay parts if the drawer contains the whole sum', () => {
    const rig = talk()
    say(rig, ...RECEIPT, ...RECEIPT, REFUND, '58 1*2')
    expect(say(rig, '53 \\tP1.00').data).toBe('D1.40')
    expect(say(rig, '53 \\t').data).toBe('R0.00')
    expect(say(rig, '56').error).toBe(0)
    expect(say(rig, '70 0').data).toBe('P,0.00,0.00,0.00')
  })

  it('return pieces to an empty stock, also more than were sold', () => {
    const rig = talk()
    say(rig, '107 PБ50,1.00,Vase\\n,2,1,2.000', '70 100.00', '48 1,1', '58 50*2', '53 \\t', '56')
    expect(say(rig, '48 1,1', '58 50').error).toBe(28)
    say(rig, '130', REFUND)
    expect(say(rig, '58 50').error).toBe(0)
    say(rig, '53 \\t', '56')
    expect(say(rig, '107 R50').data).toMatch(/,1\.000$/)
    say(rig, REFUND)
    expect(say(rig, '58 50*3').error).toBe(0)
  })
})

describe('the clock of family B', () => {
  it('is not set before the last document of the journal', () => {
    const rig = talk()
    say(rig, '38', '39')
    expect(say(rig, '61 14-07-25 11:59:59').error).toBe(10)
    expect(say(rig, '61 14-07-25 12:00:00').error).toBe(0)
    expect(say(rig, '61 14-07-25 12:00:01').error).toBe(0)
  })
})

describe('the commands 69 6 and 108 6', () => {
  it('book a Z report and store it in the journal without printing it', () => {
    const rig = talk()
    say(rig, ...RECEIPT)
    const { linesPrinted } = rig.device.mechanism
    const papers = rig.device.documents().length
    rig.device.mechanism.setPaper('out')
    expect(say(rig, '69 6').data).toMatch(/^0001,0000000120,/)
    expect(rig.device.mechanism).toMatchObject({ linesPrinted, blocked: false })
    expect(rig.device.documents()).toHaveLength(papers)
    expect(rig.device.memory.lastZ).toMatchObject({ number: 1, total: 120 })
    expect(lastLines(rig).join()).toContain('Z REPORT 0001')
    expect(say(rig, '108 6').data).toMatch(/^0002,/)
    expect(rig.device.mechanism.linesPrinted).toBe(linesPrinted)
  })
})

describe('the voids of family B', () => {
  it('by department reverse a row of that department only', () => {
    const rig = talk()
    say(rig, '131 P2,Dairy\\nБ,0', '131 P9,Sweets\\nБ,0', '48 1,1', '138 9@3.00', '138 2@1.00', '138 2@3.00')
    expect(say(rig, '138 -9@3.00').error).toBe(0)
    expect(say(rig, '138 -9@3.00').error).toBe(24)
    expect(say(rig, '49 Cake\\tБ-3.00').error).toBe(24)
    say(rig, '49 Cake\\tБ1.00')
    expect(say(rig, '138 -2@1.00').error).toBe(0)
    expect(say(rig, '138 -2@1.00').error).toBe(24)
    expect(say(rig, '49 Other\\tБ-1.00').error).toBe(0)
    say(rig, '53 \\t', '56')
    expect(say(rig, '131 R9').data).toContain(',0.000,0.00,')
    expect(say(rig, '131 R2').data).toContain(',1.000,3.00,')
    expect(lastLines(rig).filter((line) => line.startsWith('Cake'))).toHaveLength(2)
    expect(lastLines(rig).join()).not.toContain('Other')
  })
})

describe('the factory passwords of family B', () => {
  it.each([
    ['19', '8888'],
    ['20', '9999'],
  ])('belong to one operator each: operator %s has %s', (operator, password) => {
    const rig = talk()
    expect(say(rig, `101 1,1,${password}`).error).toBe(119)
    expect(say(rig, `101 ${operator},${password},4321`).error).toBe(0)
    expect(say(rig, `101 1,1,${password}`).error).toBe(0)
    expect(say(rig, `48 ${operator},4321`).error).toBe(0)
  })
})

describe('a command of family B that the firmware lacks', () => {
  it.each(['85', '85 Q,a', '116', '116 x', '117', '118', '119 0', '119 zz', '174 500'])(
    'is unknown before other checks: %s on five groups',
    (line) => {
      expect(say(talk({ profile: 'b5' }), line)).toMatchObject({ status: UNKNOWN, data: '' })
    },
  )

  it('is unknown with no receipt open and with any data: the free sale', () => {
    const rig = talk({ switches: { freeSale: 'false' } })
    for (const line of ['49', '49 Milk\\tА1.00', '52 x']) expect(say(rig, line).status).toBe(UNKNOWN)
  })

  it.each(['69 6', '73 1,1,PAY', '79 010125,311225,PAY', '51 10$-1.00'])('is malformed on five groups: %s', (line) => {
    expect(say(talk({ profile: 'b5' }), '192 000000', line).status).toBe(SYNTAX)
  })

  it('is 79 with PAY on five groups, which prints on eight groups', () => {
    expect(say(talk(), '79 010125,311225,PAY').error).toBe(0)
  })

  it('is 109 without its 1 on eight groups, which five groups accept', () => {
    expect(say(talk(), ...RECEIPT, '109').status).toBe(SYNTAX)
    expect(say(talk({ profile: 'b5' }), ...RECEIPT, '109').error).toBe(0)
  })
})

describe('the texts of family B', () => {
  it.each([
    [['38'], '42 a\\nb'],
    [['38'], '42 a\\tb'],
    [['48 1,1'], '54 c\\nd'],
    [['48 1,1'], '49 a\\nb\\nc\\tА1.00'],
    [['48 1,1', '58 1'], '53 a\\nb\\nc\\tP2.00'],
    [['48 1,1', '58 1', '53 \\t'], '57 1\\ta\\nb'],
    [['38'], '85 Q,a\\nb'],
    [[], '70 5.00,a\\nb\\nc\\t'],
    [[], '107 PБ11,1.00,a\\tb'],
    [[], '131 P2,a\\tb\\nБ,0'],
    [[], '102 1,1,a\\nb'],
    [[], '43 0a\\nb'],
    [[], '149 P40,a\\tb'],
    [[], '151 P1,a\\nb'],
    [[], '48 1,1,1,Ta\\nb'],
  ] as const)('are malformed after %j: %s', (before, line) => {
    const rig = talk()
    say(rig, ...before)
    const { linesPrinted } = rig.device.mechanism
    const reply = say(rig, line)
    expect(reply.status.slice(0, 2)).toBe('A1')
    expect(rig.device.mechanism.linesPrinted).toBe(linesPrinted)
  })

  it('are two lines if there are two texts, one of them a comment', () => {
    const rig = talk()
    expect(say(rig, '48 1,1', '49 a\\nb\\tА1.00', '53 c\\nd\\tP2.00', '56').error).toBe(0)
    expect(lastLines(rig).every((line) => /^[^\t\n]*$/.test(line))).toBe(true)
  })
})

describe('the settings of family B', () => {
  it('forbid a group with -1 (96) and refuse other negative rates', () => {
    const rig = talk()
    for (const rate of ['-2', '-0.50', '-1.01', '-99']) expect(say(rig, `96 ${rate}`).error).toBe(21)
    expect(say(rig, '97').data).toBe('20.00,20.00,20.00,09.00,00.00,00.00,00.00,00.00')
    expect(say(rig, '96 -1').data).toBe('P')
    expect(say(rig, '97').data).toMatch(/^-1\.00,20\.00,/)
  })

  it('reach lines 10 to 13 if there are 14 (43), and can be read', () => {
    const rig = talk({ profile: 'b5' })
    for (const line of [1, 10, 13]) expect(say(rig, `43 ${line}Line ${line}`).error).toBe(0)
    expect(say(rig, '43 I1').data).toBe('Line 1')
    expect(say(rig, '43 I10').data).toBe('Line 10')
    expect(say(rig, '149 R50').data).toBe('Line 10')
    expect(say(rig, '149 R53').data).toBe('Line 13')
    expect(say(rig, '43 I14').error).toBe(21)
  })

  it('have line numbers of one digit if there are eight lines (43)', () => {
    const rig = talk()
    say(rig, '43 10 High Street')
    expect(say(rig, '43 I1').data).toBe('0 High Street')
    expect(say(rig, '43 8x').error).toBe(21)
    expect(say(rig, '43 :x').status).toBe(SYNTAX)
  })
})

describe('the queries of family B', () => {
  it('report when an article was last sold (107)', () => {
    const rig = talk()
    say(rig, ...RECEIPT)
    rig.clock.advance(60_000)
    say(rig, '48 1,1', '58 2', '53 \\t', '56')
    expect(say(rig, '107 R1').data).toMatch(/^P,1,14-07-25 12:00:00,/)
    expect(say(rig, '107 R2').data).toMatch(/^P,2,14-07-25 12:01:00,/)
    expect(say(rig, '107 R3').data).toMatch(/^P,3,01-01-00 00:00:00,/)
  })

  it('report sums of articles after the discount on the subtotal (107), as in the computed frame', () => {
    const rig = talk()
    say(rig, '107 PБ1,1.23,Test PLU 1\\n96385074,2,1,1000.000', '48 1,1', '58 +1*2.000', '58 +1*1.000', '58 -1*1.000')
    say(rig, '51 10,-5.00', '53 \\tP5.00', '56')
    expect(say(rig, '107 R1').data).toBe('P,1,14-07-25 12:00:00,Б,1.23,2.000,2.34,Test PLU 1\n96385074,2,1,998.000')
    expect(say(rig, '131 R2').data).toContain(',2.000,2.34,')
  })

  it.each([0, 1, 7, 33, 50])(
    'report equal sums of articles and groups after a discount of %i percent and more',
    (percent) => {
      const rig = talk()
      say(
        rig,
        '48 1,1',
        '58 1',
        '58 2*3',
        '58 3*1.377',
        '58 1',
        '58 -1',
        '58 4',
        `51 10,-${percent}.37`,
        '53 \\t',
        '56',
      )
      const sums = [1, 2, 3, 4].map((plu) => rig.device.articles.get(plu)?.turnover ?? 0)
      expect(sums.reduce((all, one) => all + one)).toBe(rig.device.day.total)
    },
  )

  it('report the last document of any kind (116)', () => {
    const rig = talk()
    say(rig, ...RECEIPT)
    expect(say(rig, '116').data).toBe('PF,0,36000001*000001*2025-07-14*12:00:00*1.20')
    rig.clock.advance(1_000)
    say(rig, '38', '39')
    expect(say(rig, '116').data).toBe('PS,14,36000001*000002*2025-07-14*12:00:01*0.00')
    say(rig, '48 1,1', '58 1')
    expect(say(rig, '116').data).toMatch(/\*000002\*/)
    say(rig, '130')
    expect(say(rig, '116').data).toBe('PF,0,36000001*000003*2025-07-14*12:00:01*0.00')
  })

  it('report the sale number and the hash at the end of the receipt (119)', () => {
    const rig = talk()
    say(rig, '48 1,1,DY999636-OP01-1234567', '58 1', '53 \\t', '56')
    const lines = lastLines(rig)
    const fields = say(rig, '119 1,S').data.split('\t')
    expect(fields[6]).toBe('DY999636-OP01-1234567')
    expect(fields[7]).toMatch(/^000000,SHA1:([0-9A-F]{5}-){3}[0-9A-F]{5}\n([0-9A-F]{5}-){3}[0-9A-F]{5}$/)
    const printed = lines.slice(-2).map((line) => line.trim())
    expect(fields[7]).toBe(`000000,SHA1:${printed.join('\n')}`)
    const digest = createHash('sha1').update(lines.slice(0, -2).join('\n')).digest('hex')
    expect(printed.join('').replaceAll('-', '').toLowerCase()).toBe(digest)
  })
})

describe('the customer display of family B', () => {
  const shows = ({ device }: Talk) => device.display.lines.map((line) => line.trimEnd())

  it('has the rows and columns that 150 P5 and P6 say', () => {
    const rig = talk()
    say(rig, '150 P5,1', '150 P6,16')
    expect(say(rig, '35 Second').error).toBe(21)
    expect(say(rig, '46 2,Second').error).toBe(21)
    say(rig, '47 abcdefghijklmnopqrst')
    expect(shows(rig)).toEqual(['abcdefghijklmnop', ''])
    say(rig, '33', '48 1,1', '58 1', '51 01')
    expect(shows(rig)).toEqual(['            1.20', ''])
  })

  it('shows no sale by itself, each sale with 1, and the subtotal 5 s later with 2', () => {
    const rig = talk()
    say(rig, '47 Welcome', '48 1,1', '58 1', '130')
    expect(shows(rig)).toEqual(['Welcome', ''])
    say(rig, '150 P3,1', '48 1,1', '58 1*2.000')
    expect(shows(rig)).toEqual(['Bread', '                2.40'])
    rig.clock.advance(6_000)
    expect(shows(rig)[0]).toBe('Bread')
    say(rig, '130', '150 P3,2', '48 1,1', '58 1', '49 Milk\\tБ1.50')
    rig.clock.advance(4_999)
    expect(shows(rig)).toEqual(['Milk', '                1.50'])
    rig.clock.advance(1)
    expect(shows(rig)).toEqual(['SUBTOTAL', '                2.70'])
    say(rig, '138 2@1.00', '47 Wait')
    rig.clock.advance(6_000)
    expect(shows(rig)[0]).toBe('Wait')
  })
})

describe('the paper of family B', () => {
  it('has document numbers of at least six digits', () => {
    const rig = talk()
    say(rig, ...RECEIPT)
    expect(lastLines(rig).filter((line) => line.endsWith('No 000001'))).toHaveLength(2)
    say(rig, '109 1')
    expect(lastLines(rig)[0]).toContain('DUPLICATE No 000001')
  })

  it('has a hash at the end of a fiscal receipt and a Z report, but not of other documents', () => {
    const rig = talk()
    const hashed = () => lastLines(rig).filter((line) => /^ *[0-9A-F]{5}(-[0-9A-F]{5}){3}$/.test(line)).length
    say(rig, ...RECEIPT)
    expect(hashed()).toBe(2)
    say(rig, '69 2')
    expect(hashed()).toBe(0)
    say(rig, '38', '39')
    expect(hashed()).toBe(0)
    say(rig, '69 0')
    expect(hashed()).toBe(2)
  })

  it('has no barcode that is wider than the paper', () => {
    const rig = talk()
    say(rig, '38')
    for (let kind = 1; kind <= 13; kind++)
      say(rig, `84 ${kind},${'0123456789012345678'.slice(0, [0, 7, 12, 18, 8, 11, 9, 18, 18, 9, 8, 11, 14, 13][kind])}`)
    say(rig, '39')
    expect(lastLines(rig).filter((line) => line.includes('||')).length).toBeGreaterThan(12)
    expect(Math.max(...lastLines(rig).map((line) => line.length))).toBe(32)
  })

  it('has a line about a power cut in an open receipt, but not about a power cut between receipts', () => {
    const rig = talk()
    rig.device.powerOn()
    say(rig, '48 1,1', '58 1')
    rig.device.powerOn()
    expect(say(rig, '76').data).toBe('1,1,0000000120')
    say(rig, '53 \\t', '56')
    expect(lastLines(rig).filter((line) => line.includes('VOLTAGE DROP'))).toHaveLength(1)
  })

  it('has the line about a power cut even if the power fails again while it is printed', async () => {
    const clock = new SimulatedClock(NOON)
    const plan = [{ at: 'paper.line', containing: 'VOLTAGE', do: 'powerCut', times: 1 }] as const
    const emulator = createEmulator({ family: 'B', clock, plan, powerReturnsAfterMs: 100 })
    emulator.device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    emulator.loop.setPower(false)
    emulator.loop.setPower(true)
    clock.advance(50)
    expect(emulator.loop.power).toBe(false)
    clock.advance(100)
    expect(emulator.loop.power).toBe(true)
    const paper = JSON.stringify(emulator.device.openPaper?.operations)
    expect(paper.split('VOLTAGE DROP')).toHaveLength(2)
    await emulator.close()
  })

  it('has other words at the end of receipts before the device is fiscalised', () => {
    const rig = talk()
    say(rig, '38', '39')
    expect(lastLines(rig).join()).toContain('SERVICE RECEIPT')
    const snapshot = JSON.stringify(rig.device.snapshot()).replace('\\"fiscalised\\":true', '\\"fiscalised\\":false')
    rig.device.restore(JSON.parse(snapshot))
    expect(rig.device.fiscalised).toBe(false)
    for (const lines of [['38', '39'], RECEIPT]) {
      say(rig, ...lines)
      expect(lastLines(rig).at(-1)?.trim()).toBe('NON-FISCAL RECEIPT')
      expect(lastLines(rig).join()).not.toContain('SERVICE RECEIPT')
    }
  })
})
