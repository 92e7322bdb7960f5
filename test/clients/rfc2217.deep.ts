/** RFC 2217 with independent programs: pyserial as the client, ser2net as the far end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { type Running, start, startProgram } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { has, needing, PLACES } from '../support/required-program.ts'
import { until } from '../support/wait-until.ts'

const PYTHON = '/usr/bin/python3'
const POS = join(import.meta.dirname, '..', '..', 'fixtures', 'clients', 'python', 'pos.py')
const hasPyserial = existsSync('/usr/lib/python3/dist-packages/serial')
/** ser2net resolves no address, not even 127.0.0.1, if only the loopback interface exists. */
const hasNetwork = Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal))

let folder: string
let emulator: Emulator
const log: string[] = []
const servers: ChildProcess[] = []
const running: Running[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rfc2217-'))
  emulator = createEmulator({ family: 'A', baud: 115_200, log: (line) => log.push(line) })
})
afterEach(async () => {
  // ser2net ignores SIGTERM while it starts.
  for (const server of servers.splice(0)) server.kill('SIGKILL')
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
})
afterAll(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true, force: true })
})

const python = (args: readonly string[]) => startProgram(PYTHON, args).ended

async function ser2net(device: string, baud: number, accepter: string): Promise<number> {
  const port = await freePort()
  const config = join(folder, `${port}.yaml`)
  const lines = [
    'connection: &printer',
    `  accepter: ${accepter},tcp,127.0.0.1,${port}`,
    `  connector: serialdev,${device},${baud}n81,local`,
  ]
  writeFileSync(config, `%YAML 1.1\n---\n${lines.join('\n')}\n`)
  const env = { ...process.env, PATH: PLACES.join(delimiter) }
  servers.push(spawn('ser2net', ['-n', '-c', config], { stdio: 'ignore', env }))
  return port
}

describe('pyserial', () => {
  needing('python3-serial', hasPyserial)('attaches to the emulated device by rfc2217://, and prints', async () => {
    const { port } = await emulator.listenTcp(0)
    const before = emulator.device.counters.lastReceipt
    const { status, out, err } = await python([POS, `rfc2217://127.0.0.1:${port}`, '115200'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(new RegExp(`receipt ${before + 1}\nclosed ${before + 1}\n$`))
    expect((await python([POS, `socket://127.0.0.1:${port}`])).status).toBe(0)
    expect(emulator.device.counters.lastReceipt).toBe(before + 2)
    expect(log.filter((line) => line.startsWith('line:'))).toEqual([])
  })

  needing('python3-serial', hasPyserial)('sets and reads what RFC 2217 has', async () => {
    const { port } = await emulator.listenTcp(0)
    const program = join(folder, 'calls.py')
    writeFileSync(
      program,
      [
        'import serial, sys',
        `line = serial.serial_for_url("rfc2217://127.0.0.1:${port}", baudrate=9600, timeout=3)`,
        'line.baudrate = 115200',
        'line.dtr = False',
        'line.rts = True',
        'line.reset_input_buffer()',
        'line.reset_output_buffer()',
        'print(line.cts, line.dsr, line.cd, line.ri)',
        'try:',
        '    line.bytesize = 7',
        'except ValueError as why:',
        '    print("refused", why)',
        'line.close()',
      ].join('\n'),
    )
    const { status, out, err } = await python([program])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(/^True True True False\nrefused .*\n$/)
  })
})

const needsSer2net = needing('ser2net or a network', has('ser2net') && hasNetwork)

describe('a serial port of ser2net', () => {
  needsSer2net('is set to the speed of the service, and prints', async () => {
    const device = createEmulator({ family: 'A', baud: 9600, log: (line) => log.push(line) })
    try {
      const { link } = await device.openPty(join(folder, 'slow'))
      // ser2net opens the device at another speed than the service requests.
      const port = await ser2net(link, 115_200, 'telnet(rfc2217)')
      const service = start(
        [
          ...['serve', '--device', `tcp://127.0.0.1:${port}?rfc2217`, '--family', 'A', '--baud', '9600'],
          ...['--http-port', '0', '--no-https', '--data', 'memory', '--json'],
        ],
        { cwd: folder },
      )
      running.push(service)
      const { http } = await service.ready()
      await until(async () => {
        const answer = await fetch(`${http}/print-fiscal-receipt`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }),
        })
        expect(await answer.json()).toEqual({ StatusCode: 200, Data: '1' })
      })
      expect(device.device.counters.lastReceipt).toBe(1)
    } finally {
      await device.close()
    }
  })

  needsSer2net('and a telnet port without control of it are named with what to do', async () => {
    const { link } = await emulator.openPty(join(folder, 'printer'))
    const failure = async (port: number, query: string) => {
      const printer = openPrinter({ family: 'A', device: `tcp://127.0.0.1:${port}${query}` })
      let why = ''
      await until(async () => {
        why = await printer.connect().then(
          () => '',
          (error: Error) => error.message,
        )
        if (why.includes('ECONNREFUSED')) throw new Error('ser2net does not listen')
      })
      await printer.disconnect()
      return why
    }
    expect(await failure(await ser2net(link, 115_200, 'telnet(rfc2217)'), '')).toContain(
      'it speaks telnet: add ?rfc2217 to the address',
    )
    expect(await failure(await ser2net(link, 115_200, 'telnet'), '?rfc2217')).toContain('leave ?rfc2217 out')
  })
})
