/** Effects of the commands of sheet 10 on the device's documents and totals, as raw data. */
import { describe, expect, it } from 'vitest'
import { writeRequest } from '../../drivers/family-b/protocol/frame.ts'
import { commands } from '../../drivers/family-b/protocol/index.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { textOf } from '../support/bytes.ts'
import { NOON, RECEIPT, say, talk } from './talk.ts'

const INVOICE = ['48 1,1,DY000001-0001-0000001\\tI', '58 1', '53 \\t'] as const

describe('the receipts of family B', () => {
  it('have the series of published openings: refunds raise the first counter but not the second', () => {
    const rig = talk({ device: { settings: { operators: { 20: { password: '9999' } } } } })
    say(rig, '38', '39')
    expect(say(rig, '48 1,1,DY000694-OP01-0000018').data).toBe('000001,000000')
    say(rig, '58 1', '53 \\t', '56')
    expect(say(rig, ...INVOICE.slice(0, 1)).data).toBe('000002,000001')
    say(rig, '58 1', '53 \\t', '57 123456789', '56')
    expect(say(rig, '48 20,9999,DY000600-OP20-0000003\\tR1,203,10-04-23 21:54:02\\t36940032').data).toBe(
      '000003,000002',
    )
    say(rig, '49 Bread\\tА1.20', '53 \\t', '56')
    expect(say(rig, '48 1,1,X\\tC35,1,17102,18-04-23 01:59:59\\t36999401').data).toBe('000004,000002')
    say(rig, '49 Bread\\tА1.20', '53 \\t', '57 123456789', '56')
    expect(say(rig, '48 20,9999,1,TВарна\\tБургас\\t10\\t31-12-2022 15:59').data).toBe('000005,000002')
  })

  it('have voids that cancel the latest sale of the same article and quantity, with its discount', () => {
    const rig = talk()
    say(rig, '107 PБ101,1.23,Test', '48 1,1', '58 +101*2.000', '58 +101*1.000,-10.00')
    expect(say(rig, '51 00').data).toMatch(/^0000000357,/)
    say(rig, '58 -101*1.000')
    expect(say(rig, '51 11').data).toMatch(/^0000000246,0000000000,0000000246,/)
    expect(say(rig, '51 10,-5.00').data).toMatch(/^0000000234,/)
    expect(say(rig, '53 \\tC1.00').data).toBe('D1.34')
    expect(say(rig, '53 \\tP2.00').data).toBe('R0.66')
    expect(say(rig, '76 T').data).toBe('1,1,0000000234,0000000200,0000000000')
    expect(say(rig, '56').data).toBe('000001,000001')
    expect(say(rig, '76').data).toMatch(/^0,1,0000000234$/)
  })

  it('have a total of 0.00 after voids: 53 answers R0.00 and 56 closes', () => {
    const rig = talk()
    say(rig, '48 1,1', '58 1', '58 -1')
    expect(say(rig, '53 \\t').data).toBe('R0.00')
    expect(say(rig, '56').data).toBe('000001,000001')
  })

  it('may have a price in the sale of an article above 100', () => {
    const rig = talk()
    say(rig, '107 PБ101,1.23,Test', '48 1,1', '58 101@5.00', '58 101')
    expect(say(rig, '51 00').data).toMatch(/^0000000623,/)
  })

  it('find an article by its barcode', () => {
    const rig = talk()
    say(rig, '107 PБ11,1.50,Tea\\n96385074', '48 1,1', '58 96385074*2.000')
    expect(say(rig, '76').data).toBe('1,1,0000000300')
  })

  it('do not sell an article of department 0', () => {
    const rig = talk()
    say(rig, '107 PБ11,1.50,Tea\\n,0', '48 1,1')
    expect(say(rig, '58 11').error).toBe(7)
  })

  it('are issued documents without turnover if they are cancelled', () => {
    const rig = talk()
    say(rig, ...RECEIPT, '48 1,1', '58 1')
    expect(say(rig, '130').data).toBe('000002,000002')
    expect(rig.device.day.total).toBe(120)
  })

  it('are copied only if they were closed: the copy is of the last closed receipt', () => {
    const rig = talk()
    say(rig, '48 1,1', '58 1', '130')
    expect(say(rig, '109 1').error).toBe(50)
    say(rig, ...RECEIPT, '48 1,1', '58 1', '130')
    expect(say(rig, '109 1').error).toBe(0)
    expect(rig.device.documents().map(({ kind }) => kind)).toEqual(['cancelled', 'fiscal', 'cancelled', 'copy'])
    expect(rig.device.documents().at(-1)?.text[0]?.trim()).toBe('DUPLICATE No 000002')
  })

  it('book nothing for too high a payment other than cash, which is answered with F and 21', () => {
    const rig = talk()
    say(rig, '48 1,1', '58 1')
    const reply = say(rig, '53 \\tN5.00')
    expect([reply.data, reply.error]).toEqual(['F', 21])
    expect(say(rig, '103').data).toMatch(/^1,0000000120,/)
  })

  it('pay a refund in cash only', () => {
    const rig = talk()
    say(rig, ...RECEIPT, '48 1,1,X\\tR0,1,14-07-25 12:00\\t36000001', '49 Bread\\tА1.20')
    expect(say(rig, '53 \\tN1.20').error).toBe(7)
    expect(say(rig, '53 \\tP1.20').data).toBe('R0.00')
  })

  it('close an invoice only with its customer', () => {
    const rig = talk()
    say(rig, ...INVOICE)
    expect(say(rig, '56').error).toBe(20)
    expect(say(rig, '57 123456789\\tBG123456789\\tAnna\\tBob\\tShop Ltd\\tStreet 1', '56').error).toBe(0)
    expect(rig.device.day.invoices).toBe(1)
  })

  it('have a sale number in the third field with strictUnp', () => {
    const rig = talk({ switches: { strictUnp: 'true' } })
    expect(say(rig, '48 1,1').error).toBe(120)
    expect(say(rig, '48 1,1,sale-1').error).toBe(119)
    expect(say(rig, '48 1,1,DY000001-OP01-0000001').error).toBe(0)
  })

  it('lock an operator with password 0', () => {
    const rig = talk()
    say(rig, '101 2,2,0')
    expect(say(rig, '48 2,0').error).toBe(118)
  })

  it('have no operations and payments that the parameters 8 and 9 switch off', () => {
    const rig = talk()
    say(rig, '150 P8,6', '150 P9,4', '48 1,1', '58 1')
    expect(say(rig, '58 -1').error).toBe(22)
    expect(say(rig, '58 1,-5.00').error).toBe(22)
    expect(say(rig, '53 \\tC1.00').error).toBe(7)
    expect(say(rig, '150 R8').data).toBe('8,6')
  })
})

describe('command 84 for barcodes', () => {
  it.each([
    ['1,9638507', 0],
    ['1,96385074', 16],
    ['2,400638133393', 0],
    ['3,Hello', 0],
    ['4,01234565', 0],
    ['4,11234565', 21],
    ['5,01234567890', 0],
    ['6,123456789', 0],
    ['6,1234567890', 16],
    ['6,12345A', 14],
    ['7,123456789012345678', 0],
    ['8,1234', 0],
    ['9,CODE39', 0],
    ['10,CODE39', 0],
    ['11,CODE93', 0],
    ['12,A123B', 0],
    ['13,12345', 0],
    ['14,12345', 21],
  ])('is answered with the error number: 84 %s, error %i', (data, error) => {
    const rig = talk()
    say(rig, '38')
    expect(say(rig, `84 ${data}`).error).toBe(error)
  })
})

describe('the registers of family B', () => {
  it('are read by 107 article by article, programmed and sold', () => {
    const rig = talk()
    say(rig, ...RECEIPT)
    expect(say(rig, '107 R1').data).toBe('P,1,14-07-25 12:00:00,А,1.20,1.000,1.20,Bread\n,1,1,999999.999')
    expect(say(rig, '107 F1').data).toMatch(/^P,1,/)
    expect(say(rig, '107 N').data).toBe('F')
    expect(say(rig, '107 F').data).toMatch(/^P,1,/)
    expect(say(rig, '107 N').data).toMatch(/^P,2,/)
    expect(say(rig, '107 R500').data).toBe('F')
    expect(say(rig, '107 D10').data).toBe('P,29991')
    expect(say(rig, '107 D1').data).toBe('F')
    expect(say(rig, '107 PБ2,1.23,Milk\\n,4').data).toBe('P,29991')
    expect(say(rig, '107 R2').data).toMatch(/^P,2,01-01-00 00:00:00,Г,1\.23,0\.000,0\.00,Milk\n,4,1,/)
  })

  it('count the stock of an article down', () => {
    const rig = talk()
    say(rig, '107 PБ11,1.00,Tea\\n,2,1,5.000', '48 1,1', '58 11*2.000', '53 \\t', '56')
    expect(say(rig, '107 R11').data).toMatch(/,3\.000$/)
  })

  it('answer the commands 131, 151, 101 and 96', () => {
    const rig = talk()
    expect(say(rig, '131 P9,Dairy\\nВ,0,4').data).toBe('P')
    expect(say(rig, '131 R9').data).toBe('P,9,Dairy\nВ,0.00,0.000,0.00,0.000,0.00,4')
    say(rig, '48 1,1', '138 9@3.00*1.500', '53 \\t', '56')
    expect(say(rig, '131 R9').data).toBe('P,9,Dairy\nВ,0.00,1.500,4.50,1.500,4.50,4')
    say(rig, '69 0')
    say(rig, '151 P1,CARD')
    expect(say(rig, '151 R1').data).toBe('1,CARD')
    say(rig, '101 3,3,777')
    expect(say(rig, '48 3,777').error).toBe(0)
    say(rig, '130', '69 0')
    expect(say(rig, '96 19.00,-1').data).toBe('P')
    expect(say(rig, '97').data).toBe('19.00,-1.00,20.00,09.00,00.00,00.00,00.00,00.00')
  })
})

describe('the fiscal memory and the journal of family B', () => {
  const closed = () => {
    const rig = talk()
    say(rig, ...RECEIPT, '69 0', ...RECEIPT, ...RECEIPT, '69 0')
    return rig
  }

  it.each([
    ['114 1,0', /^P,0000000120,/],
    ['114 1,1', /^P,0000000100,/],
    ['114 1,2', /^P,0000000020,/],
    ['114 1,3', /^P,20\.00,20\.00,20\.00,09\.00,00\.00/],
    ['114 1,4,2', /^P,0000000360,/],
    ['114 1,6,2', /^P,0000000060,/],
    ['114 3,0', /^E$/],
    ['146 140725,4,140725', /^P,0000000360,/],
    ['146 130725,0', /^E$/],
    ['64 T', /^0002,0000000240,.*,140725$/],
    ['64', /^0002,0000000200,/],
    ['68', /^1198,1198$/],
    ['50', /^P,20\.00,.*,\d{6}$/],
    ['50 010100', /^F$/],
    ['174 66', /^66,the password/],
    ['119 1,S', /^P000001\t14\.07\.2025 12:00:00\t/],
    ['119 99', /^F$/],
    ['117', /^F$/],
  ])('answer the command %s', (line, data) => {
    expect(say(closed(), line).data).toMatch(data)
  })

  it('send the next report after 153 as lines instead of paper, for 5 seconds', () => {
    const rig = closed()
    const documents = rig.device.counters.lastDocument
    say(rig, '153')
    const sent = say(rig, '79 010125,311225')
    expect(sent.stream[0]).toMatch(/^\x1a000001\t[NB]\t.*\r\n$/)
    expect(sent.stream.at(-1)).toBe('\x1a\tE\r\n')
    expect([sent.data, rig.device.counters.lastDocument]).toEqual(['', documents])
    say(rig, '153')
    expect(say(rig, '166').stream.length).toBeGreaterThan(10)
    say(rig, '153')
    rig.clock.advance(5_001)
    expect(say(rig, '79 010125,311225').stream).toEqual([])
    expect(rig.device.counters.lastDocument).toBe(documents + 1)
  })

  it('return documents by number, Z report and date (195)', () => {
    const rig = closed()
    const text = (line: string) => say(rig, line).stream.join('')
    expect(text('195 R12,2,2,A')).toContain('Z REPORT 0002')
    expect(text('195 R12,2,2,A')).not.toContain('Bread')
    expect(text('195 R1,1,1,1')).toContain('Bread')
    expect(text('195 R22,2,2,1')).not.toContain('Z REPORT')
    expect(text('195 R3,140725,140725,1')).toContain('Z REPORT 0001')
    expect(text('195 R3,150725,160725,1')).toBe('')
    // Without its last field the command prints the journal.
    const { lastDocument } = rig.device.counters
    expect(say(rig, '195 R1,1,1')).toMatchObject({ stream: [], error: 0, data: '' })
    expect(rig.device.counters.lastDocument).toBe(lastDocument + 1)
    expect(rig.device.journal.linesOf(lastDocument + 1).join()).toContain('Bread')
    expect(say(rig, '195 R7,1,1').error).toBe(21)
  })

  it('are unchanged by a Z report, which clears what parameter 13 says; with N the operators remain', () => {
    const rig = talk()
    say(rig, ...RECEIPT, '69 0N')
    expect(say(rig, '112 1').data).toMatch(/^000001,/)
    say(rig, ...RECEIPT, '69 0')
    expect(say(rig, '112 1').data).toMatch(/^000000,/)
    expect(say(rig, '107 F1').data).toMatch(/^P,1,/)
    say(rig, '150 P13,3', '69 0')
    expect(say(rig, '107 F1').data).toBe('F')
  })

  it('contain a document for each report of registers', () => {
    const rig = closed()
    const before = rig.device.counters.lastDocument
    say(rig, '105', '111', '165', '166', '71', '108 2', '73 1,2', '94 010125,311225', '95 1,2', '79 010125,311225')
    expect(rig.device.counters.lastDocument).toBe(before + 11)
    expect(say(rig, '111 1').data).toBe('P')
    expect(say(rig, '107 F1').data).toBe('F')
  })
})

describe('on the line, a device of family B', () => {
  it('sends SYN every 60 ms while a command runs, one answer to two requests, and acknowledged lines', () => {
    const clock = new SimulatedClock(NOON)
    const emulator = createEmulator({ family: 'B', clock, durationMs: (command) => (command === 'reportX' ? 200 : 0) })
    const answers: string[] = []
    const line = emulator.loop.attach({ send: (bytes) => answers.push(textOf(bytes)), unplug: () => undefined })
    const report = writeRequest({ seq: 0x5b, command: 69, data: '2' })
    line.receive(report)
    clock.advance(100)
    line.receive(report)
    clock.advance(200)
    expect(answers.slice(0, 3)).toEqual(['16', '16', '16'])
    expect(answers).toHaveLength(4)
    line.receive(report)
    expect(answers[4]).toBe(answers[3])
    answers.length = 0
    line.receive(writeRequest({ seq: 0x5c, command: 153, data: '' }))
    line.receive(writeRequest({ seq: 0x5d, command: 71, data: '' }))
    for (const byte of [0x11, 0x1a, 0x11]) line.receive(Uint8Array.of(byte))
    expect(answers.slice(1).map((text) => text.slice(0, 20))).toEqual([
      '1A 30 30 30 30 30 31',
      '1A 30 30 30 30 30 32',
      '1A 30 30 30 30 30 33',
      '1A 30 30 30 30 30 34',
    ])
    void emulator.close()
  })

  it('delays its answer while paper runs out in a document, and then reports success', () => {
    let once = true
    const rig = talk({
      device: {
        points: {
          memoryWrite: () => undefined,
          paperLine: (text) => {
            if (once && text.includes('THANK YOU')) {
              once = false
              rig.device.mechanism.setPaper('out')
            }
          },
        },
      },
    })
    say(rig, '38', '42 Hello')
    const event = { kind: 'frame', frame: { seq: 0x90, command: 39, data: '' }, bytes: Uint8Array.of() } as const
    const meeting = rig.wire.meet(event)
    const answer = meeting.kind === 'run' ? meeting.run() : undefined
    expect(answer?.waitsForPaper).toBe(true)
    expect(textOf(answer?.frames[0] ?? Uint8Array.of())).toContain('04 80 80 C0 80 80 B8')
    expect(rig.device.mechanism.blocked).toBe(true)
    expect(say(rig, '74').status).toBe('A0 80 81 80 80 B8')
    rig.device.mechanism.setPaper('ok')
    expect(rig.device.mechanism.blocked).toBe(false)
    expect(say(rig, '38').data).toBe('000001')
  })

  it('has a name for every command, for fault rules', () => {
    const { wire } = talk()
    const names = wire.commands.map(({ name }) => name)
    for (const name of 'openNonFiscal nonFiscalText closeNonFiscal openFiscal sale saleByPlu subtotal payment fiscalText closeFiscal cancelFiscal openReversal invoiceData duplicate reportX reportZ cashInOut displayUpper displayLower displayClear displayText barcode status deviceInfo transactionStatus daySums lastDocument archivedZ memoryReport journalRead setClock readClock programArticle readArticle feed cut drawer'.split(
      ' ',
    )) {
      expect(names).toContain(name)
    }
    expect(new Set(wire.commands.map(({ code }) => code)).size).toBe(commands.length)
  })
})
