/** `capture`, `decode` and `replay`: the line of a real program, recorded between two ptys, decoded, and replayed. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Binding, openPrinter } from '../../drivers/index.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { type Running, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
let emulator: Emulator
let running: Running
let recording: string
let programPort: string
let devicePort: string
let straightFrames: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'))
  emulator = createEmulator({ family: 'A' })
  devicePort = (await emulator.openPty(join(folder, 'device'))).link
  straightFrames = emulator.frames().at(-1)?.id ?? 0
  recording = join(folder, 'line.jsonl')
  programPort = join(folder, 'program')
  running = start([
    'capture',
    '--device',
    devicePort,
    '--link',
    programPort,
    '--output',
    recording,
    '--family',
    'A',
    '--json',
  ])
  await running.ready()
  await printThrough(programPort, 'A')
})
afterAll(async () => {
  running.child.kill('SIGTERM')
  await running.ended
  await emulator.close()
  rmSync(folder, { recursive: true, force: true })
})

async function printThrough(device: string, family: Family, binding?: Binding): Promise<void> {
  const printer = openPrinter({ family, device }, { random: () => 0.5, ...(binding && { binding }) })
  await printer.connect()
  await printer.openFiscal({ operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false })
  await printer.sellArticle({ plu: 1, quantity: 2000, void: false })
  await printer.pay({ mode: 0, amount: 10_000 })
  await printer.closeFiscal()
  await printer.disconnect()
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const decoded = async (...options: string[]) => (await runToEnd(['decode', recording, ...options])).out

/** The address of a documentation page is removed, because it is present only where the pages are built. */
async function refusalOf(args: readonly string[]): Promise<{ status: number | null; err: string }> {
  const { status, err } = await runToEnd(args)
  return { status, err: err.replace(/^More: file:.*\n/m, '') }
}

describe('the command capture', () => {
  it('records every byte of both directions, as the device has seen it', () => {
    const bytes = (direction: string) =>
      linesOf(readFileSync(recording, 'utf8'))
        .filter((line) => line['direction'] === direction)
        .map((line) => line['hex'])
        .join(' ')
    const seen = (direction: string) =>
      emulator
        .frames(straightFrames)
        .filter((frame) => frame.direction === direction)
        .map(({ hex }) => hex)
        .join(' ')
    expect(bytes('toDevice')).toBe(seen('toDevice'))
    expect(bytes('toHost')).toBe(seen('toHost'))
  })

  it('names what is missing: the device, the path for the program, or an existing family', async () => {
    const absent = ['--device', join(folder, 'none'), '--output', join(folder, 'x.jsonl')]
    expect(await runToEnd(['capture', ...absent, '--tcp', '0'])).toMatchObject({ status: 3 })
    // A recording without traffic would make the next attempt fail.
    expect(existsSync(join(folder, 'x.jsonl'))).toBe(false)
    expect(await refusalOf(['capture', ...absent])).toEqual({
      status: 2,
      err: 'No port for the program: add --link PATH or --tcp PORT.\n',
    })
  })

  it('does not overwrite an existing recording', async () => {
    const before = readFileSync(recording, 'utf8')
    expect(await refusalOf(['capture', '--device', devicePort, '--tcp', '0', '--output', recording])).toEqual({
      status: 2,
      err: `--output ${recording} already exists and is not overwritten: name another file, or delete it\n`,
    })
    expect(readFileSync(recording, 'utf8')).toBe(before)
  })
})

describe('the command decode', () => {
  it('shows each frame with its meaning', async () => {
    const frames = linesOf(await decoded('--json'))
    const host = frames.filter(({ direction }) => direction === 'toDevice').map(({ command }) => command)
    expect(host).toEqual(expect.arrayContaining(['openFiscal', 'saleByPlu', 'payment', 'closeFiscal']))
    expect(frames.findLast(({ command }) => command === 'closeFiscal')).toMatchObject({
      direction: 'toHost',
      kind: 'frame',
      fields: { code: 0 },
    })
  })

  it('prints readable text with times and bytes', async () => {
    expect(await decoded()).toMatch(/^\d\d:\d\d:\d\d\.\d{3} +0\.00 ms {2}> \w+.*\n +01 30/)
  })

  it('makes a fixture with entries in the form of fixtures/frames', async () => {
    const entries = JSON.parse(await decoded('--as', 'fixture')) as Record<string, unknown>[]
    expect(entries.find(({ id }) => /-closeFiscal$/.test(String(id)))).toMatchObject({
      id: expect.stringMatching(/^recorded-\d{4}-closeFiscal$/),
      provenance: { ask: 'captured', answer: 'captured' },
      ask: { command: 'closeFiscal', code: 56, bytes: expect.stringMatching(/^01 .* 03$/) },
      answer: { command: 'closeFiscal', bytes: expect.stringMatching(/^01 .* 03$/) },
    })
  })

  it('makes a scenario that passes', async () => {
    const scenario = join(folder, 'recorded.yaml')
    await decoded('--as', 'scenario', '--output', scenario)
    const { out, status } = await runToEnd(['run', scenario])
    expect({ out, status }).toMatchObject({ out: expect.stringContaining('1 passed'), status: 0 })
  })

  it('asks for the family if the recording does not contain it', async () => {
    const bare = join(folder, 'bare.jsonl')
    writeFileSync(bare, '{"at": 1, "direction": "toDevice", "hex": "15"}\n')
    expect(await refusalOf(['decode', bare])).toEqual({
      status: 2,
      err: `${bare} does not name its family: add --family A, B or C.\n`,
    })
  })

  it('reads the complete part of a truncated recording', async () => {
    const cut = join(folder, 'cut.jsonl')
    writeFileSync(cut, readFileSync(recording, 'utf8').trimEnd().slice(0, -5))
    const { out, err, status } = await runToEnd(['decode', cut])
    expect({ err, status }).toEqual({ err: `${cut}: skipped the last line, which is incomplete\n`, status: 0 })
    expect(out).toContain('openFiscal')
    expect(await runToEnd(['replay', cut])).toMatchObject({
      status: 0,
      err: `${cut}: skipped the last line, which is incomplete\n`,
    })
  })

  it.each(['decode', 'replay'])(
    'does not mistake a recording for one of another family (command %s)',
    async (command) => {
      const { err, status } = await refusalOf([command, recording, '--family', 'C'])
      expect([err, status]).toEqual([`${recording} was recorded on family A, not C: omit --family\n`, 2])
    },
  )

  it('names every line that is not part of a recording', async () => {
    const wrong = join(folder, 'wrong.jsonl')
    writeFileSync(
      wrong,
      'text\n{"at": 1, "direction": "up", "hex": "15"}\n{"at": 1, "direction": "toHost", "hex": "1"}\n',
    )
    expect(await runToEnd(['decode', wrong, '--family', 'A'])).toMatchObject({
      status: 2,
      err: [
        `${wrong}:1: expected a line of JSON, as capture records it, or bytes with their direction, such as "> 01 30 30"`,
        `${wrong}:2: expected "direction", toDevice or toHost`,
        `${wrong}:3: expected "hex", bytes such as "01 30 30"`,
        '',
      ].join('\n'),
    })
  })
})

describe('the command replay', () => {
  it('finds no difference on a new device, whose clock is set to the recorded time', async () => {
    const { out, status } = await runToEnd(['replay', recording])
    expect(out).toMatch(/^(\d+) exchanges played, \1 answered as recorded\.\n$/)
    expect(status).toBe(0)
  })

  it('finds no difference over its own pty', async () => {
    const { out, status } = await runToEnd(['replay', recording, '--target', 'pty', '--json'])
    expect({ out: JSON.parse(out) as unknown, status }).toMatchObject({ out: { differences: [] }, status: 0 })
  })

  it('shows the first difference in bytes and in meaning, and exits with 1', async () => {
    // The receipt number of the close changes from 1 to 7 in the recording, so that the checksum is wrong, too.
    const altered = join(folder, 'altered.jsonl')
    const lines = readFileSync(recording, 'utf8').split('\n')
    const at = lines.findLastIndex((line) => line.includes('"toHost","hex":"01 30') && line.includes('30 09 31 09 04'))
    lines[at] = (lines[at] as string).replace('30 09 31 09 04', '30 09 37 09 04')
    writeFileSync(altered, lines.join('\n'))
    const { out, status } = await runToEnd(['replay', altered])
    expect(status).toBe(1)
    expect(out).toMatch(
      /in bytes {4}byte \d+: 37 was recorded, 31 was answered\n {2}in meaning {2}damaged was recorded/,
    )
  })

  it('reports a missing target', async () => {
    const { status, err } = await runToEnd(['replay', recording, '--target', join(folder, 'none')])
    expect({ status, err }).toMatchObject({ status: 3, err: expect.stringContaining('No such file') })
  })
})

describe('a recording of a busy family C device', () => {
  // The program queries three times whether the device is ready, with two pings and a RETRY, and the device is not.
  const LINES = [
    ['toDevice', '09'],
    ['toHost', '41'],
    ['toDevice', '09'],
    ['toHost', '43'],
    ['toDevice', '09'],
    ['toHost', '40'],
    ['toDevice', '02 23 20 20 32 33 0A'],
    ['toHost', '0E'],
    ['toDevice', '02 23 20 20 32 33 0A'],
    ['toHost', '02 2A 20 20 80 80 80 F0 80 80 80 3D 3A 0A'],
  ]
  const fileOf = (): string => {
    const file = join(folder, 'busy.jsonl')
    const at = Date.UTC(2026, 0, 5, 12)
    writeFileSync(
      file,
      LINES.map(([direction, hex], n) => `${JSON.stringify({ at: at + n, direction, hex })}\n`).join(''),
    )
    return file
  }

  it('is played without the postponed requests', async () => {
    const { out, status } = await runToEnd(['replay', fileOf(), '--family', 'C'])
    expect({ out, status }).toEqual({ out: '2 exchanges played, 2 answered as recorded.\n', status: 0 })
  })

  it('waits for a target that is busy', async () => {
    const clock = new SimulatedClock(Date.UTC(2026, 6, 15, 9))
    const own = createEmulator({ family: 'C', clock, durationMs: (command) => (command === 'deviceInfo' ? 2000 : 0) })
    // The device stays busy until it has reported that once, however late the program starts.
    own.subscribe((event) => {
      if (event.type === 'frame' && event.entry.bytes[0] === 0x41) setImmediate(() => clock.advance(2000))
    })
    const { port } = await own.listenTcp(0)
    const other = await own.binding.open({ path: own.path, baudRate: 115_200 })
    await other.write(Buffer.from('0223212132330A', 'hex'))
    const { out, status } = await runToEnd(['replay', fileOf(), '--family', 'C', '--target', `tcp://127.0.0.1:${port}`])
    expect({ out, status }).toEqual({ out: '2 exchanges played, 2 answered as recorded.\n', status: 0 })
    expect(own.frames().filter(({ hex }) => hex === '41').length).toBeGreaterThan(0)
    await own.close()
  })
})

describe.each(['B', 'C'] as const)('a recording of family %s', (family) => {
  it('is played without a difference', async () => {
    const own = createEmulator({ family })
    const file = join(folder, `${family}.jsonl`)
    const tcp = await own.listenTcp(0)
    const recorder = start([
      'capture',
      '--device',
      `tcp://127.0.0.1:${tcp.port}`,
      '--tcp',
      '0',
      '--output',
      file,
      '--family',
      family,
      '--json',
    ])
    const ready = await recorder.ready()
    const printer = openPrinter({ family, device: `tcp://127.0.0.1:${ready['tcp']}` })
    await printer.connect()
    await printer.reportX()
    await printer.disconnect()
    recorder.child.kill('SIGTERM')
    expect(await recorder.ended).toMatchObject({ status: 0 })
    const { out, status } = await runToEnd(['replay', file])
    expect({ out, status }).toMatchObject({
      out: expect.stringMatching(/^(\d+) exchanges played, \1 answered/),
      status: 0,
    })
    await own.close()
  })
})
