/** Every command in every state: the table of sheet 5. */
import { describe, expect, it } from 'vitest'
import { OPEN, PART, PAY, RECEIPT, SALE, type Talk, talk } from './talk.ts'

const STATES = ['IDLE', 'NONFISCAL', 'SALE', 'PAY', 'PAID'] as const
type State = (typeof STATES)[number]

const WAY: Readonly<Record<State, readonly (readonly [number, string?])[]>> = {
  IDLE: [],
  NONFISCAL: [[38]],
  SALE: [OPEN, SALE],
  PAY: [OPEN, SALE, PART],
  PAID: [OPEN, SALE, PAY],
}

function deviceIn(state: State): Talk {
  const rig = talk()
  rig.all(...RECEIPT)
  if (WAY[state].length > 0) rig.all(...WAY[state])
  return rig
}

type Row = readonly [command: string, code: number, data: string, ...answers: readonly string[]]

const anywhere = ['0', '0', '0', '0', '0'] as const
const between = ['0', '-111046', '-111047', '-111047', '-111047'] as const
const opening = ['0', '-111046', '-111015', '-111015', '-111015'] as const
const selling = ['-111016', '-111046', '0', '-111018', '-111018'] as const
const element = ['-111016', '0', '0', '0', '0'] as const
const clock = '15-07-25 10:15:30 DST'

const MATRIX: readonly Row[] = [
  ['38 open non-fiscal', 38, '', '0', '-111046', '-111047', '-111047', '-111047'],
  ['39 close non-fiscal', 39, '', '-111016', '0', '-111047', '-111047', '-111047'],
  ['42 text', 42, 'text\t', '-111016', '0', '-111047', '-111047', '-111047'],
  ['43 reversal', 43, `1\t0000\t1\t1\t1\t${clock}\t02000123\t\t\t\t\t`, ...opening],
  ['48 open', 48, '1\t0000\t1\t\t', ...opening],
  ['49 sale', 49, 'Item\t1\t5.00\t\t\t\t\t', ...selling],
  ['58 item sale', 58, '1\t\t\t\t\t', ...selling],
  ['51 subtotal', 51, '1\t0\t\t\t', ...selling],
  ['53 payment', 53, '0\t\t\t', '-111016', '-111046', '0', '0', '-111003'],
  ['54 fiscal text', 54, 'text\t', '-111016', '-111046', '0', '0', '0'],
  ['56 close', 56, '', '-111016', '-111046', '-111050', '-111064', '0'],
  ['57 client data', 57, '\t\tBuyer\t\t\t0\t123456789\t\t', '-111016', '-111046', '-111050', '-111050', '-111051'],
  ['60 cancel', 60, '', '-111016', '-111046', '0', '-111018', '-111018'],
  ['84 barcode', 84, '3\tABC\t', ...element],
  ['92 line', 92, '1\t', ...element],
  ['69 X', 69, 'X\t', ...between],
  ['69 Z', 69, 'Z\t', ...between],
  ['70 cash in', 70, '0\t1.00\t', ...between],
  ['94 memory report', 94, '0\t\t\t', '-100110', '-111046', '-111047', '-111047', '-111047'],
  ['95 memory report', 95, '0\t\t\t', '-100110', '-111046', '-111047', '-111047', '-111047'],
  ['105 operators', 105, '\t\t\t', ...between],
  ['109 copy', 109, '', ...between],
  ['111 items', 111, '0\t\t\t', ...between],
  ['125/3 print from the journal', 125, '3\t1\t0\t', ...between],
  ['61 set clock', 61, `${clock}\t`, ...between],
  ['83 set rates', 83, '20.00\t20.00\t20.00\t9.00\t0.00\t0.00\t0.00\t0.00\t2\t', '-104000', ...between.slice(1)],
  ['98 tax number', 98, '123456789\t', '-104004', ...between.slice(1)],
  ['33 clear display', 33, '', ...anywhere],
  ['35 lower line', 35, 'text\t', ...anywhere],
  ['44 feed', 44, '1\t', ...anywhere],
  ['45 PC mode', 45, '', ...anywhere],
  ['46 cut', 46, '', ...anywhere],
  ['47 upper line', 47, 'text\t', ...anywhere],
  ['50 rates', 50, '', ...anywhere],
  ['62 clock', 62, '', ...anywhere],
  ['63 show clock', 63, '', ...anywhere],
  ['64 last closure', 64, '0\t', '-100005', '-100005', '-100005', '-100005', '-100005'],
  ['65 sums', 65, '0\t', ...anywhere],
  ['68 room', 68, '', ...anywhere],
  ['74 status', 74, '', ...anywhere],
  ['76 transaction', 76, '', ...anywhere],
  ['80 beep', 80, '1000\t10\t', ...anywhere],
  ['86 last record', 86, '', ...anywhere],
  ['87 group', 87, '1\t', ...anywhere],
  ['88 department', 88, '1\t', ...anywhere],
  ['89 memory test', 89, '0\t', ...anywhere],
  ['90 diagnostic', 90, '\t', ...anywhere],
  ['99 tax number', 99, '', ...anywhere],
  ['100 error text', 100, '-111016\t', ...anywhere],
  ['103 current receipt', 103, '', ...anywhere],
  ['106 drawer', 106, '50\t', ...anywhere],
  ['107 read', 107, 'R\t1\t', ...anywhere],
  ['110 counters', 110, '0\t', ...anywhere],
  ['112 operator', 112, '1\t', ...anywhere],
  ['123 information', 123, '1\t', ...anywhere],
  ['124 search', 124, '\t\t0\t', ...anywhere],
  ['125 read', 125, '0\t1\t0\t', ...anywhere],
  ['255 read', 255, 'nBon\t0\t\t', ...anywhere],
  ['107 program', 107, 'P\t77\tA\t0\t1\t0\t1.00\t\t0.000\t\t\t\t\tNew\t0\t', ...between],
  ['255 write', 255, 'Header\t0\tSHOP\t', ...between],
  ['66 read', 66, '', ...anywhere],
  ['101 password', 101, '1\t0000\t1234\t', ...between],
  ['153 unknown', 153, '', '', '', '', '', ''],
]

const cases = MATRIX.flatMap(([name, code, data, ...answers]) =>
  STATES.map((state, index) => [name, state, answers[index] ?? '', code, data] as const),
)

describe('in the reaction matrix of family A (sheet 5),', () => {
  it.each(cases)('command %s in the state %s answers %j', (_, state, expected, code, data) => {
    expect(deviceIn(state).code(code, data)).toBe(expected)
  })

  it.each(cases.filter(([, , expected]) => expected.startsWith('-')))(
    'command %s in the state %s, which is refused with %s, leaves everything unchanged',
    (_, state, __, code, data) => {
      const rig = deviceIn(state)
      const before = [rig.device.receipt, rig.device.day, rig.device.counters.lastDocument]
      rig.ask(code, data)
      expect([rig.device.receipt, rig.device.day, rig.device.counters.lastDocument]).toEqual(before)
    },
  )

  it('the state is reported in byte 2 of the status and by 76', () => {
    const shown = STATES.map((state) => {
      const answer = deviceIn(state).ask(76)
      return [state, answer.status.slice(4, 6), answer.fields[0]]
    })
    expect(shown).toEqual([
      ['IDLE', '80', '0'],
      ['NONFISCAL', 'a0', '5'],
      ['SALE', '88', '1'],
      ['PAY', '88', '1'],
      ['PAID', '88', '1'],
    ])
  })

  it('an invoice is closed only with data of the client, which are accepted once', () => {
    const rig = talk()
    rig.all([48, '1\t0000\t1\tI\t'], SALE, PAY)
    expect(rig.code(56)).toBe('-111049')
    expect(rig.code(57, '\t\tBuyer\t\t\t0\t123456789\t\t')).toBe('0')
    expect(rig.code(57, '\t\tBuyer\t\t\t0\t123456789\t\t')).toBe('-111048')
    expect(rig.code(56)).toBe('0')
  })

  it('a payment is refused without a sale, and accepted as 0.00 for a total of 0.00', () => {
    const rig = talk()
    rig.all(OPEN)
    expect(rig.code(53, '0\t\t')).toBe('-111020')
    rig.all(SALE, [49, 'Item\t1\t-5.00\t1.000\t\t\t0\t'])
    expect(rig.code(53, '0\t\t')).toBe('-111065')
    expect(rig.code(60)).toBe('0')
  })
})
