/**
 * The oracle's arithmetic against receipts computed by hand (fixtures/receipts-oracle), and its day totals against
 * conversations of the published and computed frames of the protocol specifications.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decimal, money } from '../scenarios/oracle/decimal.ts'
import type { Piece } from '../scenarios/oracle/ledger.ts'
import { replayA } from '../scenarios/oracle/replay-a.ts'
import { replayB } from '../scenarios/oracle/replay-b.ts'
import { replayC } from '../scenarios/oracle/replay-c.ts'
import {
  type Adjustment,
  daySums,
  type Entry,
  type Receipt,
  roundHalfAway,
  spread,
  sumsOf,
  taxOf,
} from '../scenarios/oracle/totals.ts'
import { buildDeviceA, buildHostA } from './frame-builders/frames-a.ts'
import { buildDeviceB, buildHostB } from './frame-builders/frames-b.ts'
import { buildAckC, buildMessageC } from './frame-builders/frames-c.ts'

interface WorkedEntry {
  readonly row?: [string, string, string]
  readonly void?: [string, string]
  readonly subtotal?: boolean
  readonly percent?: string
  readonly amount?: string
}
interface Worked {
  readonly name: string
  readonly words: string[]
  readonly rates: string[]
  readonly entries: WorkedEntry[]
  readonly payments: [number, string][]
  readonly expect: Record<string, unknown>
}

const worked = JSON.parse(
  readFileSync(new URL('../fixtures/receipts-oracle/receipts.json', import.meta.url), 'utf8'),
) as Worked[]

const two = (text: string): bigint => decimal(text, 2) ?? 0n
const groupNumber = (letter: string): number => 'ABCDEFGH'.indexOf(letter)

function entryOf(line: WorkedEntry): Entry {
  const adjustment: Adjustment | undefined = line.percent
    ? { percent: two(line.percent) }
    : line.amount
      ? { amount: two(line.amount) }
      : undefined
  if (line.subtotal && adjustment) return { what: 'subtotal', adjustment }
  if (line.void) return { what: 'void', group: groupNumber(line.void[0]), amount: two(line.void[1]) }
  const [group, price, quantity] = line.row ?? ['A', '0', '0']
  return {
    what: 'row',
    group: groupNumber(group),
    price: two(price),
    quantity: decimal(quantity, 3) ?? 0n,
    ...(adjustment ? { adjustment } : {}),
  }
}

describe('the oracle computes as by hand', () => {
  it.each(worked.map((one) => [one.name, one] as const))('%s', (_name, one) => {
    const payments = one.payments.map(([mode, amount]) => ({ mode, amount: two(amount) }))
    const sums = sumsOf({ entries: one.entries.map(entryOf), payments }, one.rates.map(two))
    const byLetter = (values: readonly bigint[]): Record<string, string> =>
      Object.fromEntries(
        values.flatMap((value, group) => (sums.groups[group] === 0n ? [] : [['ABCDEFGH'.charAt(group), money(value)]])),
      )
    expect({
      rows: sums.rows.map(money),
      groups: byLetter(sums.groups),
      total: money(sums.total),
      change: money(sums.change),
      paid: Object.fromEntries(Array.from(sums.paid, ([mode, amount]) => [String(mode), money(amount)])),
      taxes: byLetter(sums.taxes),
      discounts: [sums.discounts.count, money(sums.discounts.amount)],
      surcharges: [sums.surcharges.count, money(sums.surcharges.amount)],
      voids: [sums.voids.count, money(sums.voids.amount)],
    }).toEqual(one.expect)
    expect(sums.impossible).toEqual([])
    expect(sums.due).toBe(0n)
  })

  it('the sums of a day: turnover, payments without change, drawer, and the cancelled receipt separately', () => {
    const rates = ['20.00', '20.00', '20.00', '9.00', '0.00', '0.00', '0.00', '0.00'].map(two)
    const receipts: Receipt[] = worked.slice(0, 4).map((one, index) => ({
      number: 100 + index,
      kind: 'sale',
      entries: one.entries.map(entryOf),
      payments: one.payments.map(([mode, amount]) => ({ mode, amount: two(amount) })),
      cancelled: false,
    }))
    const cancelled: Receipt = {
      number: 104,
      kind: 'sale',
      entries: [entryOf({ row: ['A', '8.00', '1.000'] })],
      payments: [],
      cancelled: true,
    }
    const day = daySums([...receipts, cancelled], [{ cash: 5000n }, { cash: -1000n }], rates)
    // A 2.50 + 0.13 + 0.66, B 5.40 + 0.13 + 0.67, C 1.40, D 0.13 + 0.67.
    expect(day.groups.map(money)).toEqual(['3.29', '6.20', '1.40', '0.80', '0.00', '0.00', '0.00', '0.00'])
    expect(money(day.total)).toBe('11.69')
    // The day's tax is computed from the day's groups: A 3.29 x 20 / 120 = 0.5483, while the receipts alone give 0.42 +
    // 0.02 + 0.11 = 0.55.
    expect(day.taxes.map(money)).toEqual(['0.55', '1.03', '0.23', '0.07', '0.00', '0.00', '0.00', '0.00'])
    expect(Object.fromEntries(day.payments)).toEqual({ 0: 669n, 1: 500n })
    expect(money(day.drawer)).toBe('46.69')
    expect(day.cancelled).toEqual({ count: 1, amount: 800n })
    expect([day.receipts, day.firstReceipt, day.lastReceipt]).toEqual([4, 100, 103])
    expect(day.discounts).toEqual({ count: 4, amount: 169n })
    expect(day.voids).toEqual({ count: 1, amount: 250n })
  })

  it.each([
    [5n, 10n, 1n],
    [-5n, 10n, -1n],
    [4n, 10n, 0n],
    [15n, 10n, 2n],
    [25n, 10n, 3n],
    [-25n, 10n, -3n],
  ])('the rounding of %s / %s, which is %s', (numerator, denominator, rounded) => {
    expect(roundHalfAway(numerator, denominator)).toBe(rounded)
  })

  it('the shares of an amount, which always add up to the amount', () => {
    for (let first = 1n; first < 40n; first++) {
      for (let second = 0n; second < 40n; second += 3n) {
        for (const amount of [-1n, 1n, 7n, -7n, 10n]) {
          const shares = spread([first, second, 5n, 0n, 0n, 0n, 0n, 0n], { amount })
          expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(amount)
        }
      }
    }
  })

  it('the tax within a gross amount', () => {
    expect(taxOf(12000n, 2000n)).toBe(2000n)
    expect(taxOf(100n, 0n)).toBe(0n)
  })
})

describe('the books that the oracle keeps from frames', () => {
  const rates = [2000n, 2000n, 2000n, 900n, 0n, 0n, 0n, 0n]

  type Line = [command: number, data: string, answer: string, status2: number]
  const speakA = (lines: readonly Line[]): Piece[] =>
    lines.flatMap(([command, data, answer, status2], index) => {
      const status = [0x80, 0x80, status2, 0x80, 0x86, 0x9a, 0x80, 0x80]
      return [
        { direction: 'toDevice' as const, bytes: buildHostA(0x30 + index, command, data) },
        { direction: 'toHost' as const, bytes: buildDeviceA(0x30 + index, command, answer, status) },
      ]
    })
  const zeros = (count: number): string => '0.00\t'.repeat(count)
  // The receipt of the sheet's computed frames: 2 coffees, bread with 10 % off, one coffee voided, part payment.
  const sheetReceipt: Line[] = [
    [48, '1\t0000\t1\t\t', '0\t102\t', 0x88],
    [49, 'coffee\t1\t2.50\t2.000\t\t\t0\t', '0\t102\t', 0x88],
    [49, 'Paine\t2\t4.00\t1.500\t2\t10.00\t1\tkg\t', '0\t102\t', 0x88],
    [49, 'coffee\t1\t-2.50\t1.000\t\t\t0\t', '0\t102\t', 0x88],
    [51, '1\t1\t\t\t', `0\t102\t7.90\t2.50\t5.40\t${zeros(6)}`, 0x88],
    [76, '', '0\t1\t102\t3\t7.90\t0.00\t', 0x88],
    [53, '1\t5.00\t\t', '0\tD\t2.90\t', 0x88],
    [53, '0\t10.00\t\t', '0\tR\t7.10\t', 0x88],
    [54, 'Multumim!\t0\t0\t0\t0\t1\t', '0\t', 0x88],
    [56, '', '0\t102\t', 0x80],
    [110, '0\t', '0\t2.90\t5.00\t0.00\t0.00\t0.00\t0.00\t0.00\t', 0x80],
    [70, '0\t50.00\t', '0\t52.90\t50.00\t-0.00\t', 0x80],
    [69, 'Z\t', `0\t8\t2.50\t5.40\t${zeros(6)}${zeros(8)}`, 0x80],
  ]

  it('agree with the computed receipt of family A frame by frame', () => {
    const books = replayA(speakA(sheetReceipt), { rates })
    expect(books.disagreements).toEqual([])
    expect(books.closedDays.map((day) => [day.number, day.sums.groups.slice(0, 2)])).toEqual([[8, [250n, 540n]]])
    expect(books.closedDays[0]?.sums.drawer).toBe(5290n)
    expect(books.day().total).toBe(0n)
  })

  it('count in cash the amount that a card with cash advance pays above the remaining amount (sheet A 9.1, mode 7)', () => {
    const answer = '0\t1\t1\t1\t'
    const lines = (drawer: string): Line[] => [
      [70, '0\t300.00\t', '0\t300.00\t300.00\t-0.00\t', 0x80],
      [48, '1\t0001\t1\t', answer, 0x88],
      [49, 'Television\t1\t1000.00\t\t\t\t\t', answer, 0x88],
      [53, '1\t200.00\t\t', '0\tD\t800.00\t', 0x88],
      [53, '7\t1000.00\t\t', '0\tR\t200.00\t', 0x88],
      [56, '', answer, 0x80],
      [70, '0\t0.00\t', `0\t${drawer}\t300.00\t-0.00\t`, 0x80],
    ]
    const books = replayA(speakA(lines('100.00')), { rates })
    expect(books.disagreements).toEqual([])
    expect([...books.day().payments]).toEqual([
      [1, 20000n],
      [7, 100000n],
      [0, -20000n],
    ])
    expect(replayA(speakA(lines('300.00')), { rates }).disagreements).toEqual([expect.stringContaining('drawer')])
  })

  it.each([
    ['a wrong subtotal', 4, `0\t102\t7.91\t2.50\t5.41\t${zeros(6)}`],
    ['a wrong change', 7, '0\tR\t7.11\t'],
    ['another number at close', 9, '0\t103\t'],
    ['a drawer that forgot the sale', 11, '0\t50.00\t50.00\t-0.00\t'],
    ['a Z with the voided coffee', 12, `0\t8\t5.00\t5.40\t${zeros(6)}${zeros(8)}`],
  ])('show %s', (_what, at, answer) => {
    const lines = sheetReceipt.map((line, index): Line => (index === at ? [line[0], line[1], answer, line[3]] : line))
    expect(replayA(speakA(lines), { rates }).disagreements).not.toEqual([])
  })

  it('count a repeated frame once, and a refused frame not at all', () => {
    const pieces = speakA(sheetReceipt)
    const repeated = [...pieces.slice(0, 4), ...pieces.slice(2, 4), ...pieces.slice(4)]
    expect(replayA(repeated, { rates }).disagreements).toEqual([])
    // A read may contain a late response and its retransmission.
    const [request, answer] = pieces as [Piece, Piece]
    const joined = { ...answer, bytes: Uint8Array.from([...answer.bytes, ...answer.bytes]) }
    expect(replayA([request, request, joined, ...pieces.slice(2)], { rates }).disagreements).toEqual([])
    const refusedLine: Line = [49, 'late\t1\t1.00\t\t\t\t0\t', '-111018\t', 0x88]
    const withRefusal = [...sheetReceipt.slice(0, 7), refusedLine, ...sheetReceipt.slice(7)]
    expect(replayA(speakA(withRefusal), { rates }).disagreements).toEqual([])
  })

  it('show a wrong status bit', () => {
    const lines = sheetReceipt.map((line, index): Line => (index === 9 ? [line[0], line[1], line[2], 0x88] : line))
    expect(replayA(speakA(lines), { rates }).disagreements).toContain(
      'bit 2.3 after 56: the device says on, the books say off',
    )
  })

  it('agree with the computed receipt of family B', () => {
    const status = (byte2: number): number[] => [0x80, 0x80, byte2, 0x80, 0x80, 0xb8]
    const none = ',0000000000'
    const lines: Line[] = [
      [107, 'P\xc11,1.23,Test PLU 1\n96385074,2,1,1000.000', 'P,29999', 0xc0],
      [48, '1,1', '000001,000000', 0x88],
      [58, '+1*2.000', '', 0x88],
      [58, '+1*1.000,-10.00', '', 0x88],
      [58, '-1*1.000', '', 0x88],
      [51, '11', `0000000246,0000000000,0000000246${none.repeat(6)}`, 0x88],
      [51, '10,-5.00', `0000000234,0000000000,0000000234${none.repeat(6)}`, 0x88],
      [53, '\tC1.00', 'D1.34', 0x88],
      [53, '\tP2.00', 'R0.66', 0x88],
      [56, '', '000002,000001', 0xc0],
      [70, '10.00,Float\n\t', 'P,11.34,10.00,0.00', 0xc0],
      [69, '0', `0014,0000000000,0000000234${none.repeat(6)}${none.repeat(8)}`, 0xc0],
    ]
    const pieces = lines.flatMap(([command, data, answer, byte2], index): Piece[] => [
      { direction: 'toDevice', bytes: buildHostB(0x40 + index, command, data) },
      { direction: 'toHost', bytes: buildDeviceB(0x40 + index, command, answer, status(byte2)) },
    ])
    const books = replayB(pieces, { rates })
    expect(books.disagreements).toEqual([])
    expect(books.closedDays[0]?.sums.total).toBe(234n)
    expect(books.closedDays[0]?.sums.discounts).toEqual({ count: 2, amount: 24n })
  })

  it('agree with the frames of family C', () => {
    const name = (text: string): string => text.padEnd(36)
    const lines: [number, string, string | undefined][] = [
      [0x30, '1;0000;1;1;0', undefined],
      [0x31, `${name('Paine alba')};A;2.50*3`, undefined],
      [0x31, `${name('Lapte 1L')};B;7.20*2:-1.40`, undefined],
      [0x31, `${name('Paine alba')};A;-2.50*3`, undefined],
      [0x33, '1;1', '     13.00'],
      [0x33, '1;0,-10.00%', '     13.00'],
      [0x35, '0;0;50.00', undefined],
      [0x38, '', undefined],
      [0x3b, '1;0000;0;100.00', undefined],
      [
        0x6d,
        '',
        [
          '       0.00',
          '      11.70',
          '       0.00',
          '       0.00',
          '       0.00',
          '       0.00',
          '       0.00',
          '       0.00',
          '      11.70',
        ].join(';'),
      ],
      [0x6e, '0', '0;     111.70;       0.00;       0.00;       0.00;       0.00;'],
      [0x7c, 'Z', undefined],
    ]
    const pieces = lines.flatMap(([command, data, answer], index): Piece[] => [
      { direction: 'toDevice', bytes: buildMessageC(0x20 + index, command, data) },
      {
        direction: 'toHost',
        bytes: answer === undefined ? buildAckC(0x20 + index, 0, 0) : buildMessageC(0x20 + index, command, answer),
      },
    ])
    const books = replayC(pieces, { rates })
    expect(books.disagreements).toEqual([])
    expect(books.closedDays[0]?.sums.total).toBe(1170n)
    expect(books.closedDays[0]?.sums.drawer).toBe(11170n)
  })
})
