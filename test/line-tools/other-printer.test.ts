/** Recordings replayed to another printer: a retransmitted frame is one step, and running numbers may differ. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differenceOf } from '../../scenarios/line/difference.ts'
import { asScenario } from '../../scenarios/line/export.ts'
import { exchangesOf, meaningOf } from '../../scenarios/line/frames.ts'
import type { Piece } from '../../scenarios/line/piece.ts'
import { differences } from '../../scenarios/runner/match.ts'
import { stepText } from '../../scenarios/runner/request-steps.ts'
import { failures, play } from '../scenarios/play.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'

const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }

describe.each(['A', 'B'] as const)('a recording of family %s', (family) => {
  const meaning = meaningOf(family, undefined)
  let rig: KillableService
  let pieces: readonly Piece[]
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'other-printer-'))
    rig = startKillableService(family)
    // The recorded printer has printed before, so its numbers differ from those of a new printer.
    for (let count = 0; count < 3; count++) await rig.post('/print-fiscal-receipt', RECEIPT)
    const before = rig.emulator.frames().length
    await rig.post('/print-fiscal-receipt', RECEIPT)
    pieces = rig.emulator
      .frames()
      .slice(before)
      .map(({ direction, hex }, at) => ({ at, direction, bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex') }))
  })
  afterAll(async () => {
    await rig.close()
    rmSync(folder, { recursive: true })
  })

  const closing = () => {
    const codes = exchangesOf(pieces, meaning)
    return codes.findLast(({ ask }) => meaning.describe('toDevice', ask).command === 'closeFiscal')
  }
  const repeated = (): Piece[] => {
    const ask = closing()?.ask ?? Buffer.alloc(0)
    return pieces.flatMap((piece) => (Buffer.compare(piece.bytes, ask) === 0 ? [piece, piece] : [piece]))
  }

  it('has one exchange for a frame that was retransmitted', () => {
    const [plain, others] = [exchangesOf(pieces, meaning), exchangesOf(repeated(), meaning)]
    expect(others).toHaveLength(plain.length)
    expect(
      others.filter(({ retransmissions }) => retransmissions).map(({ retransmissions }) => retransmissions),
    ).toEqual([1])
    expect(others.map(({ answer }) => Buffer.from(answer).toString('hex'))).toEqual(
      plain.map(({ answer }) => Buffer.from(answer).toString('hex')),
    )
  })

  it('becomes a scenario that passes on a new printer', async () => {
    const recording = { pieces: repeated(), heading: undefined, isCut: false } as never
    const text = asScenario(recording, meaning, undefined)
    expect(text).toContain('note: closeFiscal, retransmitted once')
    expect(text).toContain('number: true')
    const file = join(folder, 'recorded.yaml')
    writeFileSync(file, text)
    const again = await play([file], { families: [family] })
    expect([failures(again), again.passed]).toEqual([[], 1])
  })

  it('accepts another document number, and not another sum', () => {
    const exchange = closing()
    if (!exchange) throw new Error('nothing was closed')
    const first = rig.emulator
      .frames()
      .find(({ direction, command }) => direction === 'toHost' && command === 'closeFiscal')
    const answer = Buffer.from(String(first?.hex).replaceAll(' ', ''), 'hex')
    expect(Buffer.compare(answer, exchange.answer)).not.toBe(0)
    expect(differenceOf(exchange, 1, answer, meaning)).toBeUndefined()
    expect(differenceOf(exchange, 1, exchange.ask, meaning)).toBeDefined()
  })
})

describe('a recorded request', () => {
  const step = (path: string, answer: object) =>
    stepText({
      ...{
        method: 'post',
        path,
        url: `/api${path}`,
        name: path,
        type: 'application/json',
        key: undefined,
        hasSession: false,
        isReplay: false,
        body: '{}',
        tookMs: 1,
      },
      end: { status: 200, answer: JSON.stringify({ StatusCode: 200, ...answer }) },
    })

  it.each([
    ['The device does not respond. Check that it is switched on.', 'expect: { StatusCode: 424 }'],
    ['Outcome unknown: The device did not respond after closeFiscal.', 'expect: { StatusCode: 424 }'],
    [
      'Completed as receipt 7: The text was cut.',
      'expect: { StatusCode: 424, Message: { matches: "^Completed as receipt " } }',
    ],
  ])('that failed on the device expects only what does not depend on earlier requests: %s', (Message, expected) => {
    expect(step('/print-fiscal-receipt', { StatusCode: 424, Message })).toContain(expected)
  })

  it.each([
    ['/close-fiscal-receipt', { Data: '17' }, '{ StatusCode: 200, Data: { number: true } }'],
    ['/copy-of-last-fiscal-receipt', { Data: { ReceiptNumber: '17', Raw: '0\t17' } }, '{ number: true }'],
    ['/open-fiscal-receipt', { Data: '17' }, 'matches: "^\\\\d+$$"'],
    ['/display-line-one', { Data: '17' }, 'Data: "17"'],
    [
      '/status',
      { Data: { Device: { SerialNumber: 'DY1' }, LastError: { Request: 'a1b2', At: '2026-11-28T14:00:00.648Z' } } },
      '{ Device: { SerialNumber: { present: true } }, LastError: { Request: { present: true }, At: { present: true } } }',
    ],
  ])('%s has matchers instead of running numbers', (path, answer, expected) => {
    expect(step(path, answer)).toContain(expected)
  })

  it('is matched by any whole number', () => {
    expect(differences({ number: true }, '18', 'Data')).toEqual([])
    expect(differences({ number: true }, 18, 'Data')).toEqual([])
    expect(differences({ number: true }, '1.8', 'Data')).toEqual(['Data: expected a whole number, it is "1.8"'])
    expect(differences({ number: false }, 'none', 'Data')).toEqual([])
  })
})
