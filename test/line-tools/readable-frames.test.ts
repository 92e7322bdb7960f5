/**
 * Readable frames: a response is decoded with its request, amounts are shown as on the wire, and other data as bytes.
 */
import { expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { buildHostA } from '../frame-builders/frames-a.ts'
import { buildHostB } from '../frame-builders/frames-b.ts'
import { buildMessageC } from '../frame-builders/frames-c.ts'

function framesOf(emulator: Emulator, ...requests: readonly Uint8Array[]) {
  const line = emulator.loop.attach({ send: () => undefined, unplug: () => undefined })
  for (const request of requests) line.receive(request)
  return emulator
    .frames()
    .map(({ direction, command, fields }) => [direction === 'toHost' ? '<' : '>', command, fields])
}

it('decoded frames show amounts, quantities and percentages with their decimals (family A)', () => {
  const frames = framesOf(
    createEmulator({ family: 'A' }),
    buildHostA(0x20, 48, '1\t0000\t1\t\t'),
    buildHostA(0x21, 49, 'Tea\t2\t12.50\t2.000\t2\t10.00\t0\t'),
    buildHostA(0x22, 51, '0\t0\t\t\t'),
  )
  expect(frames[2]).toEqual([
    '>',
    'sale',
    expect.objectContaining({ price: '12.50', quantity: '2.000', modifierValue: '10.00', taxCode: 2, department: 0 }),
  ])
  expect(frames.at(-1)).toEqual(['<', 'subtotal', expect.objectContaining({ subtotal: '22.50' })])
})

it('decoded frames show status bytes as bytes (family B)', () => {
  const frames = framesOf(createEmulator({ family: 'B' }), buildHostB(0x20, 74, ''))
  expect(frames.at(-1)).toEqual(['<', 'status', { status: '80 80 C0 80 80 B8' }])
})

it('decoded frames show the byte of a tax group as its letter (family B)', () => {
  const emulator = createEmulator({ family: 'B' })
  const asked = framesOf(emulator, buildHostB(0x20, 128, ''))
  expect(asked[1]?.[2]).toMatchObject({
    constants: ['384', '144', '5', '8', '', '', 'А', '8', ...Array(18).fill(expect.anything())],
  })
  const frames = framesOf(emulator, buildHostB(0x21, 107, 'P\xc11,1.23,\xd5\xeb\xff\xe1\n96385074,2,1,1000.000'))
  expect(frames.find(([sign, command]) => sign === '>' && command !== 'constants')?.[2]).toMatchObject({
    taxLetter: 'Б',
    name: 'Хляб',
  })
})

it('a decoded answer of family C is read according to its query, because one code has several commands', () => {
  const emulator = createEmulator({ family: 'C' })
  const frames = framesOf(
    emulator,
    buildMessageC(0x20, 0x6e, '0'),
    Buffer.of(0x04),
    buildMessageC(0x21, 0x72, ''),
    buildMessageC(0x22, 0x7c, 'X'),
    buildMessageC(0x23, 0x7c, 'J0;*'),
  )
  const answers = frames.filter(([sign, command]) => sign === '<' && command !== 'ack' && command !== 'ping')
  expect(answers[0]?.[2]).toMatchObject({ payments: expect.arrayContaining(['0.00']) })
  expect(answers[1]).toEqual([
    '<',
    'transactionStatus',
    expect.objectContaining({ open: false, sales: 0, change: '0.00' }),
  ])
  const journal = answers.slice(2)
  expect(journal.length).toBeGreaterThan(10)
  expect(new Set(journal.map(([, command]) => command))).toEqual(new Set(['journalRead']))
})
