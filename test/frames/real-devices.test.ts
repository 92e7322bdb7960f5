/**
 * The emulated device in the state of a real device: its response to a captured request equals the captured response.
 */
import { describe, expect, it } from 'vitest'
import { familyA } from '../../emulator/family-a/index.ts'
import { familyB } from '../../emulator/family-b/index.ts'
import { familyC } from '../../emulator/family-c/index.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { EmulatedFamily } from '../../emulator/wire.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import { startWire, type WireOptions } from '../support/rig.ts'
import { framesA } from './family-a.ts'
import { framesB } from './family-b.ts'
import { framesC } from './family-c.ts'
import type { FamilyFrames } from './frame-fixtures.suite.ts'

const opened = (device: FiscalDevice) =>
  device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
const sold = (device: FiscalDevice) => {
  opened(device)
  device.sell({ name: 'Bread', taxCode: 2, price: 1, quantity: 1_000, void: false })
}
const storno = (device: FiscalDevice) => {
  device.openFiscal({ kind: 'reversal', invoice: false, operator: 1, pointOfSale: 1, reason: 'refund' } as never)
  device.sell({ name: 'Bread', taxCode: 2, price: 1, quantity: 1_000, void: false })
}
const covered = (device: FiscalDevice) => device.mechanism.setCover(true)

interface State extends WireOptions {
  readonly prepare?: (device: FiscalDevice) => unknown
}

const answers = (family: FamilyFrames, emulated: EmulatedFamily, id: string, { prepare, ...options }: State) => {
  const frame = family.frames.find((one) => one.id === id)
  if (!frame?.answer) throw new Error(`no frame ${id} with an answer`)
  const { device, hear } = startWire(emulated, options)
  prepare?.(device)
  const single = frame.answer.single?.join(' ') ?? ''
  const expected =
    single === '' || !frame.answer.flags ? frame.answer.bytes : frame.answer.bytes.slice(single.length + 1)
  return { answer: textOf(hear(bytesOf(frame.ask.bytes))), expected }
}

describe('the emulated device answers like a captured real device:', () => {
  it.each<readonly [string, State]>([
    ['a-053-cap-no-receipt', {}],
    ['a-049-obs-letter', { prepare: opened }],
  ])('A: %s', (id, state) => {
    const { answer, expected } = answers(framesA, familyA, id, state)
    expect(answer).toBe(expected)
  })

  // The status bytes of this response were not published; only the code was captured.
  it('A: a quantity of sixteen decimals is refused with -112104', () => {
    const { answer, expected } = answers(framesA, familyA, 'a-049-obs-quantity', { prepare: opened })
    const dataOf = (frame: string) => frame.slice(0, frame.indexOf(' 04 '))
    expect(dataOf(answer)).toBe(dataOf(expected))
  })

  it('A: a frame with nibbles at offset 20h, and one of the classic form, are answered by NAK', () => {
    const { hear } = startWire(familyA, { profile: 'ro' })
    expect(textOf(hear(bytesOf('01 20 20 20 2E 20 20 20 23 20 31 09 30 30 30 30 09 31 05 20 21 2D 2C 03')))).toMatch(
      /15$/,
    )
    const classic = startWire(familyA, {})
    expect(textOf(classic.hear(bytesOf('01 24 24 3C 05 30 30 38 39 03')))).toMatch(/15$/)
  })

  it('A ro: 48 with two empty fields opens a receipt', () => {
    const { device, hear } = startWire(familyA, { profile: 'ro' })
    const frame = framesA.frames.find(({ id }) => id === 'a-048-cap-ro')
    hear(bytesOf(frame?.ask.bytes ?? ''))
    expect(device.receipt?.kind).toBe('fiscal')
  })

  it('B: 48 with a number of five digits as its third field opens a receipt', () => {
    const { device, hear } = startWire(familyB)
    const frame = framesB.frames.find(({ id }) => id === 'b-048-cap')
    hear(bytesOf(frame?.ask.bytes ?? ''))
    expect(device.receipt?.kind).toBe('fiscal')
  })

  const c6 = { profile: 'c6' } as const
  it.each<readonly [string, State]>([
    ['c-7C-cap-X', c6],
    ['c-39-cap-none', c6],
    ['c-7F-cap', c6],
    ['c-61-obs-cover', { ...c6, switches: { coverOpen: 'refusesAll' }, prepare: covered }],
    ['c-38-obs-storno', { ...c6, prepare: storno }],
    ['c-31-obs', { ...c6, prepare: opened }],
    ['c-34-obs', { ...c6, prepare: opened }],
    ['c-35-obs', { ...c6, prepare: sold }],
    ['c-48-obs', c6],
  ])('C: %s', (id, state) => {
    const { answer, expected } = answers(framesC, familyC, id, state)
    expect(answer).toBe(expected)
  })

  it('C: with an open cover the device reports its status like that real device', () => {
    const { device, hear } = startWire(familyC, { ...c6, switches: { coverOpen: 'refusesAll' } })
    covered(device)
    expect(textOf(hear(bytesOf('02 23 21 20 32 32 0A')))).toMatch(/^02 2A 21 20 80 [89A-F]1/)
  })

  it('C: a reversal reduces the amounts on hand, or keeps them as on one real device', () => {
    const onHand = (stornoOnHand: string) => {
      const { device, hear } = startWire(familyC, { ...c6, switches: { stornoOnHand } })
      sold(device)
      device.pay({ mode: 0 })
      device.closeFiscal()
      storno(device)
      device.pay({ mode: 0 })
      device.closeFiscal()
      return Buffer.from(hear(bytesOf('02 24 2B 6E 30 35 31 0A')))
        .toString('latin1')
        .split(';')[1]
        ?.trim()
    }
    expect({ reduces: onHand('reduces'), keeps: onHand('keeps') }).toEqual({ reduces: '0.00', keeps: '0.01' })
  })
})
