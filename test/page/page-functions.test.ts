import { describe, expect, it } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { FrameView, TimelineEntryView } from '../../emulator/panel/contract.ts'
import { readAddress, writeAddress } from '../../emulator/panel/page/src/address.ts'
import { formatValue } from '../../emulator/panel/page/src/labels-and-formats.ts'
import { lineRows, sumRows } from '../../emulator/panel/page/src/parts/document-differences.ts'
import { exchangesOf } from '../../emulator/panel/page/src/parts/exchanges.ts'
import { answeredCommands, matchesFrame } from '../../emulator/panel/page/src/parts/frame-filter.ts'
import {
  lanesOf,
  lineNumbers,
  linesByFrame,
  pastAt,
  timeRows,
} from '../../emulator/panel/page/src/parts/timeline-rows.ts'

describe('an address of the page', () => {
  it.each([
    ['#/documents/16', { view: 'documents', path: ['16'], query: {} }],
    ['#/documents/16?form=text&with=12', { view: 'documents', path: ['16'], query: { form: 'text', with: '12' } }],
    ['#/wire?text=open%20fiscal', { view: 'wire', path: [], query: { text: 'open fiscal' } }],
    ['#/timeline/7', { view: 'timeline', path: ['7'], query: {} }],
  ])('%s is read and written', (hash, address) => {
    expect(readAddress(hash)).toEqual(address)
    expect(readAddress(writeAddress(address))).toEqual(address)
  })

  it('leads to a view even if it is unreadable or has no first slash', () => {
    expect(readAddress('#documents/16')).toEqual({ view: 'documents', path: ['16'], query: {} })
    expect(readAddress('')).toEqual({ view: '', path: [], query: {} })
    expect(readAddress('#scenario=jZBNb4Mw')).toEqual({ view: '', path: [], query: {} })
    expect(readAddress('#/wire/%E0%A4%A')).toEqual({ view: 'wire', path: ['%E0%A4%A'], query: {} })
  })

  it('is written without its empty parts', () => {
    expect(writeAddress({ view: 'wire', query: { text: '', side: 'toHost' } })).toBe('#/wire?side=toHost')
  })
})

it.each(['A', 'B', 'C'] as const)('the filter of the wire keeps the answer of a command, family %s', async (family) => {
  const emulator = createEmulator({ family })
  const printer = openPrinter({ family, device: emulator.path }, { binding: emulator.binding })
  const operator = { code: 1, password: emulator.profile.factoryPassword(1) }
  await printer.openFiscal({ operator, pointOfSale: 1, invoice: false })
  await printer.sellArticle({ plu: 2, quantity: 1000, void: false })
  await printer.disconnect()
  const frames = emulator.frames()
  const answered = answeredCommands(frames)
  const filtered = (...words: readonly string[]) =>
    frames.filter((frame) => matchesFrame(frame, words, { answered: answered.get(frame.id) }))
  expect(filtered('salebyplu').map(({ direction }) => direction)).toEqual(['toDevice', 'toHost'])
  expect(filtered('ping').every(({ command }) => command === 'ping')).toBe(true)
  expect(filtered()).toHaveLength(frames.length)
  await emulator.close()
})

describe('two documents', () => {
  it('are compared by the names of their amounts, even if only one has an amount, or if a name occurs twice', () => {
    const sum = (name: string, amount: string) => ({ name, amount })
    const left = [sum('Total', '12.30'), sum('Bread', '1.20'), sum('Bread', '1.20'), sum('Discount', '-0.05')]
    const right = [sum('Total', '11.10'), sum('Bread', '1.20'), sum('Milk', '0.00'), sum('Discount', '0.00')]
    expect(sumRows(left, right)).toEqual([
      { name: 'Total', left: '12.30', right: '11.10', difference: '−1.20' },
      { name: 'Bread', left: '1.20', right: '1.20', difference: undefined },
      { name: 'Bread (2)', left: '1.20', right: undefined, difference: '−1.20' },
      { name: 'Discount', left: '-0.05', right: '0.00', difference: '+0.05' },
      { name: 'Milk', left: undefined, right: '0.00', difference: '+0.00' },
    ])
  })

  it('are compared line by line: equal lines, lines that differ in money or words, and lines that differ only in a number of the device', () => {
    const left = ['SHOP', 'No 0000012', '2026-07-14 12:30:00', 'Bread    1.20 A', 'Milk     2.00 A', 'THANKS']
    const right = ['SHOP', 'No 0000013', '2026-07-14 12:31:07', 'Bread    1.30 A', 'THANKS', 'BYE']
    expect(lineRows(left, right).map(({ is }) => is)).toEqual([
      'same',
      'numbers',
      'numbers',
      'changed',
      'left',
      'same',
      'right',
    ])
    expect(lineRows(['14.07.2026'], ['15.07.2026'])[0]?.is).toBe('numbers')
    expect(lineRows([], ['BYE'])).toEqual([{ left: undefined, right: 'BYE', is: 'right' }])
  })
})

const frame = (id: number, direction: 'toDevice' | 'toHost', hex = '01 30 30'): FrameView => ({
  ...{ id, at: '2026-07-14T12:30:00.000Z', direction, hex, command: 'sale', fields: {}, status: [] },
})

it('a question and its answers are one exchange; the single bytes of a busy device are not', () => {
  const frames = [
    frame(1, 'toHost'),
    frame(2, 'toDevice'),
    frame(3, 'toHost', '16'),
    frame(4, 'toHost'),
    frame(5, 'toDevice'),
  ]
  expect(exchangesOf(frames).map(({ id, ask, answers }) => [id, ask?.id, answers.map((one) => one.id)])).toEqual([
    [1, undefined, [1]],
    [2, 2, [4]],
    [5, 5, []],
  ])
})

it('a single byte after a single byte is an answer, as in a ping of family C', () => {
  const frames = [
    frame(1, 'toDevice', '09'),
    frame(2, 'toHost', '40'),
    frame(3, 'toDevice', '03'),
    frame(4, 'toDevice'),
  ]
  expect(exchangesOf(frames).map(({ id, answers }) => [id, answers.map((one) => one.id)])).toEqual([
    [1, [2]],
    [3, []],
    [4, []],
  ])
})

it.each([
  ['b\x02', 'b\\x02'],
  [null, 'none'],
  [12, '12'],
  [['0.00', '', null], '0.00, "", none'],
  [[{ mode: 1 }], '[{"mode":1}]'],
])('a value of a frame %j is shown as %s', (value, shown) => expect(formatValue(value)).toBe(shown))

describe('the timeline', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 6, 14, 12, 0, second)).toISOString()
  const idle = { power: true, paper: 'ok', cover: false, cable: true, receipt: null } as const
  const moments: readonly TimelineEntryView[] = [
    { id: 1, at: at(0), is: 'state', ...idle },
    { id: 2, at: at(0), is: 'display', lines: ['WELCOME', ''] },
    { id: 3, at: at(10), frame: 7, is: 'frame', direction: 'toDevice' },
    { id: 4, at: at(10), frame: 7, is: 'line', document: 12, line: 1, text: 'SHOP' },
    { id: 5, at: at(10), frame: 7, is: 'line', document: 12, line: 2, text: 'Bread' },
    { id: 6, at: at(10), frame: 7, is: 'display', lines: ['BREAD', '1.20'] },
    { id: 7, at: at(10), frame: 7, is: 'fault', time: '2026-07-14T12:00:10', point: 'link.toHost', what: 'drop' },
    { id: 8, at: at(11), frame: 8, is: 'frame', direction: 'toHost' },
    { id: 9, at: at(20), is: 'state', ...idle, paper: 'out' },
    { id: 10, at: at(20), is: 'hand', call: 'POST /emulator/paper', body: { state: 'out' } },
    { id: 11, at: at(20), is: 'state', ...idle, paper: 'out', cover: true },
    { id: 12, at: at(20), is: 'hand', call: 'POST /emulator/cover', body: { open: true } },
    { id: 13, at: at(30), is: 'line', document: 12, line: 3, text: 'TOTAL' },
    { id: 14, at: at(30), is: 'document', document: 4, kind: 'fiscal', number: 12 },
    { id: 15, at: at(30), is: 'hand', call: 'POST /emulator/sample', body: undefined },
  ]

  it('has one row for request, answer, lines, display and fault of a command, and one for each manual action', () => {
    const rows = timeRows(moments)
    expect(rows.map((row) => [row.first, row.last, lanesOf(row).join(' ')])).toEqual([
      [1, 2, 'display'],
      [3, 8, 'wire paper display faults'],
      [9, 10, 'hands'],
      [11, 12, 'hands'],
      [13, 15, 'paper hands'],
    ])
    expect(rows.map(({ actions: hands }) => hands.join())).toEqual([
      '',
      '',
      'paper out',
      'cover opened',
      'sample receipt',
    ])
    expect(rows[1]).toMatchObject({ ask: 7, answers: [8], faults: [{ id: 7 }] })
  })

  it('shows a fault of a request in transit in the row of that request, even if the request never arrives', () => {
    const triggered = { at: at(40), is: 'fault', time: '2026-07-14T12:00:40', point: 'link.toDevice' } as const
    const rows = timeRows([
      { ...triggered, id: 20, what: 'drop' },
      { ...triggered, id: 21, what: 'delayMs 500', frame: 9 },
      { id: 22, at: at(41), frame: 9, is: 'frame', direction: 'toDevice' },
      { id: 23, at: at(41), frame: 10, is: 'frame', direction: 'toHost' },
      { ...triggered, id: 24, point: 'link.toHost', what: 'flip 3', frame: 10 },
    ])
    expect(rows.map((row) => [row.ask, row.answers, row.faults.map(({ id }) => id)])).toEqual([
      [undefined, [], [20]],
      [9, [10], [21, 24]],
    ])
  })

  it('marks a manual action that changes nothing', () => {
    const hand = { at: at(50), is: 'hand' } as const
    const rows = timeRows([
      { id: 30, at: at(50), is: 'state', ...idle },
      { ...hand, id: 31, call: 'POST /emulator/paper', body: { state: 'ok' } },
      { ...hand, id: 32, call: 'POST /emulator/cover', body: { open: false } },
      { ...hand, id: 33, call: 'POST /emulator/session', body: undefined },
    ])
    expect(rows.flatMap(({ actions: hands }) => hands)).toEqual([
      'paper loaded (as before)',
      'cover closed (as before)',
      'a session begins',
    ])
  })

  it('shows the device as it was then: display, state and the paper so far', () => {
    expect(pastAt(moments, 2)).toMatchObject({ display: ['WELCOME', ''], state: { paper: 'ok' }, paper: undefined })
    expect(pastAt(moments, 8)).toMatchObject({ display: ['BREAD', '1.20'], paper: { number: 12, lines: 2 } })
    expect(pastAt(moments, 12)).toMatchObject({ state: { paper: 'out', cover: true } })
    expect(pastAt(moments, 0)).toEqual({ display: undefined, state: undefined, paper: undefined })
  })

  it('knows the lines that a frame has printed', () => {
    const lines = linesByFrame(moments)
    expect(lineNumbers(lines.get(7) ?? [])).toBe('lines 1 to 2')
    expect(lineNumbers(moments.slice(3, 4).flatMap((one) => (one.is === 'line' ? [one] : [])))).toBe('line 1')
    expect(lineNumbers([])).toBe('')
  })
})
