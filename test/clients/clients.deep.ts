/**
 * The recipes of server/docs/guide/recipes.md: each opens the port, queries the status, prints a receipt and closes, at
 * a real 115200 baud.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPrinter } from '../../bin/library.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { TcpLine } from '../../emulator/line/tcp.ts'
import { cents } from '../../scenarios/runner/sum-consistency.ts'
import { startProgram } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { has, needing, PLACES } from '../support/required-program.ts'
import { until } from '../support/wait-until.ts'

const clients = join(import.meta.dirname, '..', '..', 'fixtures', 'clients')
/** Debian's own Python, which finds Debian's python3-serial. */
const PYTHON = '/usr/bin/python3'

interface Ended {
  readonly status: number | null
  readonly out: string
}

async function run(program: string, args: readonly string[]): Promise<Ended> {
  const { status, out, err } = await startProgram(program, args).ended
  return { status, out: out + err }
}

let folder: string
let emulator: Emulator
let link: string
let tcp: TcpLine
const log: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clients-'))
  emulator = createEmulator({ family: 'A', baud: 115_200, log: (line) => log.push(line) })
  link = (await emulator.openPty(join(folder, 'printer'))).link
  tcp = await emulator.listenTcp(0)
})
afterAll(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true, force: true })
})

async function printsAReceipt(client: () => Promise<Ended>): Promise<void> {
  const before = emulator.device.counters.lastReceipt
  const { out, status } = await client()
  expect({ out, status }).toEqual({
    out: `status 80 80 80 80 86 9a 80 80\nreceipt ${before + 1}\nclosed ${before + 1}\n`,
    status: 0,
  })
  expect(emulator.device.counters.lastReceipt).toBe(before + 1)
  expect(emulator.device.receipt).toBeNull()
}

/** ser2net resolves no address, not even 127.0.0.1, if only the loopback interface exists. */
const hasNetwork = Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal))
const hasPyserial = existsSync('/usr/lib/python3/dist-packages/serial')

describe('a POS program', () => {
  needing('python3-serial', hasPyserial)('in Python prints through a pty', () =>
    printsAReceipt(() => run(PYTHON, [join(clients, 'python', 'pos.py'), link, '115200'])),
  )

  needing('python3-serial', hasPyserial)('in Python prints over TCP', () =>
    printsAReceipt(() => run(PYTHON, [join(clients, 'python', 'pos.py'), `socket://127.0.0.1:${tcp.port}`])),
  )

  it('in Node prints through a pty', () =>
    printsAReceipt(() => run(process.execPath, [join(clients, 'node', 'pos.mjs'), link, '115200'])))

  needing('gcc', has('gcc'))('in C prints through a pty', async () => {
    const program = join(folder, 'pos')
    const compiled = await run('gcc', [
      '-O2',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-o',
      program,
      join(clients, 'c', 'pos.c'),
    ])
    expect(compiled).toEqual({ out: '', status: 0 })
    await printsAReceipt(() => run(program, [link, '115200']))
  })

  needing('a Java compiler', has('javac'))('in Java prints over TCP', () =>
    printsAReceipt(() => run('java', [join(clients, 'java', 'Pos.java'), '127.0.0.1', String(tcp.port)])),
  )

  needing('picocom', has('picocom'))('in a shell script prints with picocom', async () => {
    const before = emulator.device.counters.lastReceipt
    const { out, status } = await run('sh', [join(clients, 'picocom', 'pos.sh'), link, '115200'])
    expect(status).toBe(0)
    // A response is a whole frame with the error code 0 (30 09) after the command.
    expect(out).toMatch(/^status: 01 .* 03\nopen: 01 .{26} 30 09 .* 03\nsale: 01 .{26} 30 09 .* 03\npayment: /)
    expect(out).toMatch(/close: 01 .{26} 30 09 .* 03\n$/)
    expect(emulator.device.counters.lastReceipt).toBe(before + 1)
  })

  needing('ser2net, python3-serial or a network', has('ser2net') && hasPyserial && hasNetwork)(
    'on another machine prints over ser2net',
    async () => {
      const port = await freePort()
      const config = join(folder, 'ser2net.yaml')
      const words = readFileSync(join(clients, 'ser2net', 'ser2net.yaml'), 'utf8')
      writeFileSync(
        config,
        words.replace(/^( {2}.*)@PORT@/m, `$1${port}`).replace(/^( {2}.*)@DEVICE@,@BAUD@/m, `$1${link},115200`),
      )
      const server = spawn('ser2net', ['-n', '-c', config], {
        stdio: 'ignore',
        env: { ...process.env, PATH: PLACES.join(delimiter) },
      })
      try {
        await printsAReceipt(() =>
          until(async () => {
            const ended = await run(PYTHON, [join(clients, 'python', 'pos.py'), `socket://127.0.0.1:${port}`])
            if (ended.out.includes('refused')) throw new Error('ser2net does not listen')
            return ended
          }),
        )
      } finally {
        // ser2net ignores SIGTERM while it starts.
        server.kill('SIGKILL')
      }
    },
  )

  it('finds the speed of the device', () => {
    expect(log.filter((line) => line.startsWith('line:'))).toEqual([])
  })
})

describe('a pty instead of a serial port', () => {
  needing('python3-serial', hasPyserial)('does what the table in first-hour-pos.md says', async () => {
    const { out } = await run(PYTHON, [join(clients, 'python', 'calls.py'), link])
    const table = Object.fromEntries(
      out
        .trim()
        .split('\n')
        .map((line) => [line.split(': ')[0], line.split(': ')[1]?.split(',')[0]]),
    )
    expect(table).toEqual({
      speed: 'kept',
      "speed of one's own": 'works',
      'data bits': 'fails',
      parity: 'fails',
      'stop bits': 'kept',
      'RTS/CTS flow control': 'kept',
      'XON/XOFF flow control': 'works',
      'bytes waiting': 'works',
      flush: 'works',
      drain: 'works',
      break: 'works',
      'exclusive use': 'works',
      'set DTR': 'fails',
      'set RTS': 'fails',
      'read CTS': 'fails',
      'read DSR': 'fails',
      'read DCD': 'fails',
      'low latency': 'fails',
    })
  })
})

describe('a till that was written from the protocol specification alone', () => {
  it('works two days on a printer of the edition ro', { timeout: 120_000 }, async () => {
    await using printer = await startPrinter({ family: 'A', profile: 'ro' })
    const { host, port } = await printer.listen({ port: 0 })
    const day = () => run('python3', [join(clients, 'python', 'day_ro.py'), host, String(port)])
    expect(await day()).toEqual({ out: 'day 1: 16 receipts, 5559.39, drawer 694.69\n', status: 0 })
    expect(await day()).toEqual({ out: 'day 2: 16 receipts, 5559.39, drawer 694.69\n', status: 0 })
    expect(printer.zReports().map(({ total }) => total)).toEqual(['5559.39', '5559.39'])
    const sales = printer.receipts().filter(({ cancelled }) => !cancelled)
    expect(sales.reduce((sum, { total }) => sum + cents(total), 0)).toBe(2 * 555_939)
  })
})
