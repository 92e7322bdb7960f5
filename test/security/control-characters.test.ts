import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { escapeControl, printable } from '../../drivers/model/escape-control.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { createLog } from '../../server/log.ts'
import { buildHostA } from '../frame-builders/frames-a.ts'
import { suiteSeed } from '../model/seed.ts'
import { runToEnd } from '../support/in-process.ts'
import { createPanel } from '../support/panel.ts'
import { startPrinter } from '../support/rig.ts'
import { ATTACKED } from './x-report-frames.ts'

const ESCAPES = '\u001b]0;owned\u0007\u001b[31mred\u001b[2J'
const EIGHT_BITS = '\u009b31m\u0085\u009d0;owned\u009c'
const LINES = 'one\ntwo\rthree\u2028four'
const TURNED = '\u202eevas\u202c\u061c\u200e\u200f'
const HOSTILE = `A${ESCAPES}${EIGHT_BITS}${LINES}${TURNED}`

/** Line feed and tab are allowed, because the program prints them. */
const STEERING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-text-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe.each(ATTACKED)('paper of family %s', (family) => {
  it('has no control characters, and no extra line for a line feed in a text', async () => {
    const clock = new SimulatedClock(Date.UTC(2026, 6, 15, 9))
    const linesOf = async (name: string) => {
      const emulator = createEmulator({ family, clock })
      const { device } = emulator
      device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
      device.sell({ name, taxCode: 1, price: 250, quantity: 2000, void: false })
      device.pay({ mode: 0, amount: 1000 })
      device.closeFiscal()
      const panel = createPanel(emulator)
      const { text } = await request(panel.app).get('/emulator/documents/1.txt').expect(200)
      const picture = await request(panel.app).get('/emulator/documents/1.svg').expect(200)
      const journal = await request(panel.app).get('/emulator/journal').expect(200)
      panel.close()
      await emulator.close()
      return { text, svg: String(picture.body), journal: (journal.body as { line: string }[]).map(({ line }) => line) }
    }
    const hostile = await linesOf('A\n\u001b[31mB\u009b1m\u2028C')
    const plain = await linesOf('A  [31mB 1m C')
    expect(hostile.text).not.toMatch(STEERING)
    expect(hostile.svg).not.toMatch(STEERING)
    for (const line of hostile.journal) expect(line).not.toMatch(/\p{Cc}/u)
    expect(hostile.text.split('\n')).toHaveLength(plain.text.split('\n').length)
    expect(hostile.text).toBe(plain.text)
  })
})

it.each(['\n', '\r', '\x1b', '\x0b', '\x10J', '\x10\n', '\x7f', '\x85'])(
  'a text of family A with %j in it is printed as one line, without it',
  async (sign) => {
    const device = startPrinter({ family: 'A' })
    const line = device.attach(() => undefined)
    const frames: readonly (readonly [number, string])[] = [
      [48, '1\t0000\t1\t\t'],
      [49, `FIRST${sign}SECOND\t1\t1.00\t1.000\t0\t\t0\t`],
      [54, `THIRD${sign}FOURTH\t`],
      [53, '0\t\t'],
      [56, ''],
    ]
    frames.forEach(([command, data], at) => void line.receive(buildHostA(0x21 + at, command, data)))
    const [text = ''] = device.papers().map((paper) => paper.text)
    expect(text).toMatch(/FIRST.{1,2}SECOND/)
    expect(text).toMatch(/THIRD.{1,2}FOURTH/)
    expect(text).not.toMatch(STEERING)
    await device.close()
  },
)

describe('a scenario with hostile texts', () => {
  const source = JSON.stringify([
    {
      name: `passes ${HOSTILE}`,
      families: ['A'],
      steps: [{ 'post /is-ready': null }],
    },
  ])

  it.each([
    ['pretty', false],
    ['junit', false],
    ['json', false],
    ['html', false],
    ['pretty', true],
    ['junit', true],
  ])('is reported by the reporter %s without control characters, failing: %s', async (reporter, fails) => {
    const steps = fails
      ? [
          {
            'post /print-fiscal-receipt': { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] },
            expect: { Data: HOSTILE },
          },
        ]
      : [{ 'post /report-x': null }]
    const file = fileOf(
      `hostile-${reporter}-${fails}.yaml`,
      JSON.stringify({ name: `text ${HOSTILE}`, families: ['A'], steps }),
    )
    const output = join(folder, `${reporter}-${fails}.out`)
    const toStdout = await runToEnd(['run', file, '--reporter', reporter])
    await runToEnd(['run', file, '--reporter', reporter, '--output', output])
    expect(toStdout.out.length).toBeGreaterThan(0)
    expect(toStdout.status).toBe(fails ? 1 : 0)
    for (const text of [toStdout.out, toStdout.err]) expect(text).not.toMatch(STEERING)
    if (reporter !== 'json' && reporter !== 'html') expect(readFileSync(output, 'utf8')).not.toMatch(STEERING)
    if (reporter === 'junit') {
      const names = [...toStdout.out.matchAll(/<testcase name="([^"]*)"/g)].map(([, name = '']) => name)
      expect(names).toHaveLength(1)
      expect(names[0]).toContain('u001b')
    }
  })

  it('with a mistake is refused without control characters', async () => {
    const { out, err, status } = await runToEnd(['run', fileOf('wrong.yaml', source.replace('is-ready', HOSTILE))])
    expect(status).toBe(2)
    expect(out + err).not.toMatch(STEERING)
    const missing = await runToEnd(['run', `no-such-${ESCAPES}.yaml`])
    expect(missing.out + missing.err).not.toMatch(STEERING)
  })
})

describe('a recording with hostile texts', () => {
  it.each([[[]], [['--json']], [['--as', 'fixture']], [['--as', 'scenario']]])(
    'is decoded without control characters, with the options %j',
    async (how) => {
      const bytes = Buffer.from(HOSTILE, 'latin1').toString('latin1')
      const frames = [
        buildHostA(0x25, 42, `${bytes.replace(/[\x01-\x05]/g, '')}\t`),
        buildHostA(0x26, 42, '\x1b[2J\x9b31m\t'),
      ]
      const lines = frames.map((frame, at) =>
        JSON.stringify({
          at: at + 1,
          direction: 'toDevice',
          hex: Buffer.from(frame)
            .toString('hex')
            .replace(/(..)(?=.)/g, '$1 '),
        }),
      )
      const file = fileOf('hostile.jsonl', `${lines.join('\n')}\n`)
      const { out, err, status } = await runToEnd(['decode', file, '--family', 'A', ...how])
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(out).not.toMatch(STEERING)
    },
  )
})

it('a log of the service has one line for each message, and no control characters', () => {
  const sink = new PassThrough()
  const log = createLog({ level: 'debug', destination: sink })
  log.note(HOSTILE)
  log.warn(HOSTILE)
  log.trouble(new Error(HOSTILE), HOSTILE)
  log.request({ id: HOSTILE, method: HOSTILE, path: HOSTILE, status: 200, ms: 1, printed: false })
  const text = String(sink.read())
  expect(text.trimEnd().split('\n')).toHaveLength(4)
  expect(text).not.toMatch(STEERING)
  for (const line of text.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
})

it('a log for people has one line for each message too', () => {
  const sink = new PassThrough()
  const log = createLog({ level: 'debug', format: 'pretty', destination: sink })
  log.note(HOSTILE)
  log.warn(HOSTILE)
  log.trouble(new Error(HOSTILE), HOSTILE)
  log.request({ id: HOSTILE, method: HOSTILE, path: HOSTILE, status: 200, ms: 1, printed: false })
  const text = String(sink.read())
  expect(text.trimEnd().split('\n')).toHaveLength(4)
  expect(text).not.toMatch(STEERING)
})

it('for any text, the output has no control characters, and JSON stays the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeControl(text)).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
      expect(printable(text)).toHaveLength(text.length)
      expect(JSON.parse(escapeControl(JSON.stringify(text)))).toBe(text)
    }),
    { seed: suiteSeed() },
  )
})
