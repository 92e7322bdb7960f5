import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startPrinter } from '../../bin/library.ts'
import { FAMILIES } from '../../drivers/families.ts'
import type { PortOpener } from '../../drivers/link/port.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { ANSWER_MAX_BYTES, LineFlooded } from '../../scenarios/passport/line.ts'
import { recordPassport } from '../../scenarios/passport/passport.ts'
import { passportText, readPassport } from '../../scenarios/passport/passport-format.ts'
import { CertificateStore, leafNames } from '../../server/certificates.ts'
import { openDataFolder } from '../../server/data-folder.ts'
import { passportOf } from '../passport/record-passport.ts'
import { start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-lines-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a device that does not stop sending', () => {
  const CHUNK = 64 * 1024

  function floodingPort(byte: (at: number) => number) {
    let sent = 0
    const opener: PortOpener = async ({ onData }) => ({
      byteMs: 0,
      async write() {
        for (let part = 0; part < 64; part++) {
          onData(Uint8Array.from({ length: CHUNK }, (_nothing, at) => byte(at)))
          sent += CHUNK
        }
      },
      async close() {},
    })
    return { opener, sent: () => sent }
  }

  it.each(
    FAMILIES.flatMap((family) =>
      [
        ['bytes of no frame', () => 0x41],
        ['beginnings of frames', () => 0x01],
        ['busy bytes', () => 0x16],
        ['zeros', () => 0x00],
      ].map(([what, byte]) => [family, what, byte] as const),
    ),
  )('gets an empty passport: family %s, %s', async (family, _what, byte) => {
    const { opener, sent } = floodingPort(byte as () => number)
    const clock = new SimulatedClock(Date.UTC(2026, 0, 1))
    const consent = { depth: 'read', z: false } as const
    const taken = simulate(clock, recordPassport({ family, opener, clock, consent, rig: '0.0.0' }))
    const outcome = await taken.catch((problem: unknown) => problem)
    // The flood is detected either while the edition is determined or in the conversation.
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(LineFlooded)
    else expect(outcome).toMatchObject({ conversation: { isUnanswered: true, isComplete: false } })
    // The port continues to send after the conversation, so only the stored bytes are counted.
    const exchanges = outcome instanceof Error ? [] : (await taken).conversation.exchanges
    const storedLengths = exchanges.flatMap(({ responses }) => responses.map(({ bytes }) => bytes.length))
    expect(storedLengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(ANSWER_MAX_BYTES)
    expect(sent()).toBeGreaterThan(ANSWER_MAX_BYTES)
  })

  describe('over a real line', () => {
    const servers: Server[] = []
    afterEach(() => {
      for (const server of servers.splice(0)) server.close()
    })

    it('is reported with a readable message, and uses little memory', async () => {
      const server = createServer((socket) => {
        const flood = Buffer.alloc(1024 * 1024, 0x41)
        const more = (): void => {
          while (!socket.destroyed && socket.write(flood));
        }
        socket.on('drain', more).on('error', () => undefined)
        socket.once('data', more)
      }).listen(0, '127.0.0.1')
      servers.push(server)
      await new Promise((resolve) => server.once('listening', resolve))
      const device = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
      const output = join(folder, 'flood.yaml')
      // The process has a quarter of the memory that the attack would use.
      const running = start(['passport', '--device', device, '--family', 'A', '--output', output], {
        env: { NODE_OPTIONS: '--max-old-space-size=256' },
      })
      const { status, err } = await running.ended
      expect([status, err]).toEqual([
        3,
        expect.stringContaining(`${device}: the device does not stop sending. The passport was not written.`),
      ])
      expect(err).not.toContain('    at ')
    })
  })
})

describe('the command decode', () => {
  const heading = { capture: 1, device: 'x', family: 'A', startedAt: '2026-01-01T00:00:00.000Z' }
  const piece = { at: 1, direction: 'toDevice', hex: '01' }

  it.each([
    ['a time beyond all dates', heading, { ...piece, at: 1e308 }],
    ['a time before all dates', heading, { ...piece, at: -1e308 }],
    ['a time of five digits for the year', heading, { ...piece, at: 8.64e15 }],
    ['a heading without a device', { ...heading, device: { a: 1 } }, piece],
    ['a heading with a number for its date', { ...heading, startedAt: 1e308 }, piece],
    ['an unknown family', { ...heading, family: '__proto__' }, piece],
    ['an unknown direction', heading, { ...piece, direction: 'constructor' }],
    ['invalid bytes', heading, { ...piece, hex: '0g' }],
    ['no object', heading, null],
  ])('refuses %s with its line and a readable message', async (_what, first, second) => {
    const file = join(folder, 'hostile.jsonl')
    writeFileSync(file, `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`)
    for (const as of [[], ['--as', 'scenario'], ['--as', 'fixture'], ['--json']]) {
      const { status, err } = await runToEnd(['decode', file, ...as])
      expect([status, err]).toEqual([2, expect.stringMatching(/hostile\.jsonl:[12]: expected /)])
      expect(err).not.toContain('    at ')
    }
  })

  it('reads valid times, up to their limits', async () => {
    const file = join(folder, 'good.jsonl')
    const pieces = [0, Date.UTC(9999, 11, 30)].map((at) => JSON.stringify({ ...piece, at }))
    writeFileSync(file, `${[JSON.stringify(heading), ...pieces].join('\n')}\n`)
    for (const as of [[], ['--as', 'scenario'], ['--as', 'fixture'], ['--json']])
      expect((await runToEnd(['decode', file, ...as])).status).toBe(0)
  })
})

describe('the file of a passport', () => {
  it('contains no control character that a device has sent, and is read unchanged', async () => {
    const { passport } = await passportOf({ family: 'A' })
    const steering = 'A\u009b31m\u0085B\u061c\u202e\u2028C\u001b[2J'
    const hostile = {
      ...passport,
      device: { ...passport.device, model: steering },
      facts: { ...passport.facts, header: [steering, 'plain'], payments: { [`0${steering}`]: steering } },
    }
    const text = passportText(hostile)
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u061c\u2028\u202e]/u)
    const read = readPassport('x.yaml', text)
    expect([read.device.model, read.facts.header]).toEqual([steering, [steering, 'plain']])
    expect(read.facts.payments).toEqual({ [`0${steering}`]: steering })
  })
})

/**
 * A passport may contain control characters of 8 bits with or without escapes. Both forms are accepted, because all
 * outputs make such characters visible.
 */
describe('the file of a passport with raw control characters of 8 bits', () => {
  const RAW = 'A\u009b31mB\u0085C\u009d0;owned\u009c'
  const STEERING = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

  async function rawPassport() {
    const { passport } = await passportOf({ family: 'A' })
    const hostile = {
      ...passport,
      device: { ...passport.device, model: RAW },
      facts: { ...passport.facts, header: [RAW, 'plain'], payments: { ...passport.facts.payments, '0': RAW } },
    }
    const escaped = passportText(hostile)
    const raw = escaped.replace(/\\u(00[89][0-9a-f])/g, (_whole, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    expect(raw).toMatch(/\u009b/)
    const file = join(folder, 'raw.yaml')
    writeFileSync(file, raw)
    return { file, raw, escaped }
  }

  it('is read like escaped characters, and written with escapes', async () => {
    const { raw, escaped } = await rawPassport()
    expect(readPassport('raw.yaml', raw)).toEqual(readPassport('escaped.yaml', escaped))
    expect(passportText(readPassport('raw.yaml', raw))).toBe(escaped)
  })

  it('controls nothing: not the terminal, reports, paper or messages', async () => {
    const { file, raw } = await rawPassport()
    const scenario = join(folder, 'with-passport.yaml')
    writeFileSync(
      scenario,
      'name: raw\nsteps:\n  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }\n    expect: { Data: other }\n',
    )
    const reports = ['junit', 'html', 'json', 'gitlab'].map((name) => [name, join(folder, `raw.${name}`)] as const)
    const options = reports.flatMap(([name, path]) => ['--reporter', `${name}=${path}`])
    const played = await runToEnd(['run', scenario, '--passport', file, '--family', 'A', ...options])
    expect(played.status).toBe(1)
    expect(played.out + played.err).not.toMatch(STEERING)
    for (const [name, path] of reports) {
      const text = readFileSync(path, 'utf8')
      // No terminal shows the texts of JSON and HTML files, so those may contain control characters.
      if (name === 'junit') expect(text).not.toMatch(STEERING)
    }
    const wrong = join(folder, 'raw-wrong.yaml')
    writeFileSync(wrong, raw.replace('same:', `"${RAW}": 1\nsame:`))
    const refused = await runToEnd(['run', scenario, '--passport', wrong, '--family', 'A'])
    expect([refused.status, refused.err]).toEqual([2, expect.stringMatching(/raw-wrong\.yaml:\d+: .*\\u009b/)])
    expect(refused.out + refused.err).not.toMatch(STEERING)
    const device = start([
      'emulate',
      '--passport',
      file,
      '--tcp',
      '0',
      '--panel-port',
      '0',
      '--data',
      'memory',
      '--json',
    ])
    try {
      const { panel } = (await device.ready()) as { panel: string }
      const text = await (await fetch(`${panel}/emulator`)).text()
      expect(text.length).toBeGreaterThan(10)
      expect(device.said() + device.log()).not.toMatch(STEERING)
    } finally {
      device.child.kill('SIGKILL')
      await device.ended
    }
  })
})

describe.skipIf(process.getuid?.() !== 0)('a data folder of another user', () => {
  const NOBODY = 65_534

  it('is rejected with a readable message, which doctor prints too', async () => {
    const data = join(folder, 'of-another')
    mkdirSync(data)
    chownSync(data, NOBODY, NOBODY)
    const sentence = `The data folder ${data} belongs to another user (number 65534; this is number 0)`
    for (const command of [
      ['serve', '--data', data],
      ['emulate', '--family', 'A', '--tcp', '0', '--data', data],
    ]) {
      const { status, err } = await runToEnd(command)
      expect([command[0], status, err]).toEqual([command[0], 3, expect.stringContaining(sentence)])
    }
    const { status, out } = await runToEnd(['doctor', '--data', data, '--no-probe', '--json'])
    const findings = JSON.parse(out) as { check: string; state: string; detail: string }[]
    expect(status).toBe(3)
    expect(findings.find(({ check }) => check === 'data folder')).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining(sentence),
    })
    expect(() => readFileSync(join(data, 'lock.sqlite'))).toThrow()
  })

  it.each(['createEmulator', 'startPrinter'] as const)(
    'is refused by %s of the library, which writes nothing',
    async (name) => {
      const data = join(folder, `of-another-${name}`)
      mkdirSync(data)
      chownSync(data, NOBODY, NOBODY)
      const begin = { createEmulator: async () => createEmulator({ family: 'A', data }), startPrinter: () => startPrinter({ family: 'A', data }) } // biome-ignore format: one table
      await expect(begin[name]()).rejects.toThrow(
        new RangeError(
          `The data folder ${data} belongs to another user (number 65534; this is number 0): choose a folder of your own.`,
        ),
      )
      expect(readdirSync(data)).toEqual([])
    },
  )

  it('has no CA that the command trust names', async () => {
    const data = join(folder, 'authority-of-another')
    await new CertificateStore(data, new SimulatedClock(Date.UTC(2026, 0, 1))).material(leafNames())
    expect((await runToEnd(['trust', '--data', data])).out).toContain('SHA-256')
    chownSync(data, NOBODY, NOBODY)
    const { status, out, err } = await runToEnd(['trust', '--data', data])
    expect([status, out, err]).toEqual([3, '', expect.stringContaining('belongs to another user')])
  })

  it('is not used as the folder of the service', () => {
    openDataFolder(join(folder, 'own'), 'test').release()
  })
})
