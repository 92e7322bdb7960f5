/** A port or a printer that another program uses: every command reports it and says what to do. */
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brlttyRule } from '../../bin/linux-ports.ts'
import { X_REPORTS } from '../security/x-report-frames.ts'
import { FREE_PORTS, type Running, start, startProgram } from '../support/command.ts'
import { until } from '../support/wait-until.ts'

let folder: string
const running: Running[] = []
let sockets: Socket[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-attached-'))
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  for (const { child, ended } of running.splice(0).reverse()) {
    child.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

const command = (...args: string[]) => start(args, { cwd: folder })

function lasting(one: Running): Running {
  running.push(one)
  return one
}

interface Finding {
  readonly check: string
  readonly state: string
  readonly detail: string
  readonly remedy?: string
}

async function diagnosed(...args: string[]): Promise<{ findings: Finding[]; status: number | null }> {
  const { out, status } = await command('doctor', '--data', 'memory', '--json', ...args).ended
  return { findings: JSON.parse(out) as Finding[], status }
}

const ATTACHED = 'another program may be connected to the device, which serves one at a time: end that program'

describe('a printer at an address to which another client is connected', () => {
  async function attached(): Promise<string> {
    const device = lasting(
      command('emulate', '--family', 'A', '--data', 'memory', '--tcp', '0', '--panel-port', '0', '--json'),
    )
    const { tcp } = await device.ready()
    const till = connect(Number(tcp), '127.0.0.1')
    sockets.push(till)
    till.write(X_REPORTS.A)
    await once(till, 'data')
    return `tcp://127.0.0.1:${tcp}`
  }

  it('is reported by passport, capture, doctor and the service', async () => {
    const device = await attached()
    for (const family of [[], ['--family', 'A']]) {
      const passport = await command('passport', '--device', device, ...family, '--depth', 'read').ended
      expect([passport.status, passport.err]).toEqual([3, expect.stringContaining(ATTACHED)])
    }

    const capture = lasting(command('capture', '--device', device, '--tcp', '0', '--output', 'record.jsonl', '--json'))
    await capture.ready()
    while (!capture.log().includes(ATTACHED)) await once(capture.child.stderr as Readable, 'data')

    const { findings, status } = await diagnosed('--device', device)
    const finding = findings.find(({ check }) => check === 'device')
    expect([finding?.state, finding?.detail, status]).toEqual(['problem', expect.stringContaining(ATTACHED), 3])

    const service = lasting(
      command('serve', '--family', 'A', '--device', device, '--data', 'memory', ...FREE_PORTS, '--json'),
    )
    const { http } = await service.ready()
    const answer = await fetch(`${http}/report-x`, { method: 'POST' })
    expect(((await answer.json()) as { Message: string }).Message).toContain(ATTACHED)
  })

  it('is reported as an ordinary printer by doctor after that client has left', async () => {
    const device = await attached()
    for (const socket of sockets) socket.destroy()
    const { findings } = await diagnosed('--device', device)
    expect(findings.find(({ check }) => check === 'device')).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining(`${device}: family A`),
    })
  })
})

describe.runIf(process.platform === 'linux')('a serial port', () => {
  async function port(): Promise<string> {
    const link = join(folder, 'printer')
    const device = lasting(
      command('emulate', '--family', 'A', '--data', 'memory', '--link', link, '--panel-port', '0', '--json'),
    )
    await device.ready()
    return link
  }

  it('that another program has open is named with the program, and is not probed', async () => {
    const link = await port()
    const other = lasting(startProgram('cat', [link]))
    await until(async () => {
      const { findings } = await diagnosed('--device', link)
      expect(findings.find(({ check }) => check === 'serial port')).toEqual({
        check: 'serial port',
        state: 'note',
        detail: `${link} is in use by cat (process ${other.child.pid})`,
        remedy: `fine if it is the service; otherwise stop it: kill ${other.child.pid}`,
      })
    })
    other.child.kill()
    await other.ended
    // The emulated device holds its own terminal open, which must not count as another program.
    const { findings } = await diagnosed('--device', link)
    expect(findings.find(({ check }) => check === 'serial port')?.detail).toContain('family A')
  })

  it('that another program has locked is reported by every command that opens it', async () => {
    const link = await port()
    const service = lasting(
      command('serve', '--family', 'A', '--device', link, '--data', 'memory', ...FREE_PORTS, '--json'),
    )
    const { http } = await service.ready()
    await fetch(`${http}/report-x`, { method: 'POST' })
    const inUse = 'another program uses the port: end that program'
    const passport = await command('passport', '--device', link, '--family', 'A', '--depth', 'read').ended
    expect([passport.status, passport.err]).toEqual([3, expect.stringContaining(inUse)])
    const capture = await command('capture', '--device', link, '--tcp', '0', '--output', 'record.jsonl').ended
    expect([capture.status, capture.err]).toEqual([3, expect.stringContaining(inUse)])
    const second = lasting(
      command('serve', '--family', 'A', '--device', link, '--data', 'memory', ...FREE_PORTS, '--json'),
    )
    const { http: other } = await second.ready()
    const answer = await fetch(`${other}/report-x`, { method: 'POST' })
    expect(((await answer.json()) as { Message: string }).Message).toContain(inUse)
    const { findings } = await diagnosed('--device', link)
    expect(findings.find(({ check }) => check === 'serial port')?.detail).toContain(`(process ${service.child.pid})`)
  })

  it.runIf(process.getuid?.() === 0)('that this user may not open is reported with the group that may', async () => {
    const link = await port()
    const terminal = realpathSync(link)
    chownSync(terminal, 0, 20)
    chmodSync(terminal, 0o660)
    const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath]
    const program = join(import.meta.dirname, '..', '..', 'bin', 'fiscal-rig.ts')
    const args = ['doctor', '--data', 'memory', '--json', '--device', terminal]
    const { out } = await startProgram('setpriv', [...nobody, program, ...args], {
      cwd: '/',
      env: { TMPDIR: '/tmp' },
    }).ended
    const finding = (JSON.parse(out) as Finding[]).find(({ check }) => check === 'serial port')
    expect(finding).toEqual({
      check: 'serial port',
      state: 'problem',
      detail: `${terminal}: this user may not open it`,
      remedy: 'sudo usermod -aG dialout nobody, then log in again',
    })
  })

  it('may be probed by ModemManager, which doctor names with the command that stops ModemManager', async () => {
    const program = join(folder, 'ModemManager')
    copyFileSync('/bin/sleep', program)
    const manager = lasting(startProgram(program, ['600']))
    const { findings } = await diagnosed('--no-probe')
    expect(findings.find(({ check }) => check === 'adapters')).toEqual({
      check: 'adapters',
      state: 'note',
      detail: `ModemManager (process ${manager.child.pid}) probes every new serial port for a modem: a printer may print the probe, or not respond`,
      remedy: 'sudo systemctl disable --now ModemManager',
    })
  })
})

describe("brltty's rule of udev", () => {
  const RULE = [
    '# ENV{PRODUCT}=="403/de58/*"',
    'ENV{PRODUCT}=="1a86/7523/*", ATTRS{manufacturer}=="", ENV{BRLTTY_BRAILLE_DRIVER}="bm"',
    'ENV{PRODUCT}=="10c4/ea60/*", ENV{BRLTTY_BRAILLE_DRIVER}="sk"',
  ].join('\n')

  function system(adapters: readonly (readonly [string, string])[]) {
    const [own, packaged, usb] = ['own', 'packaged', 'usb'].map((name) => join(folder, name))
    for (const path of [own, packaged, usb]) mkdirSync(path as string)
    writeFileSync(join(packaged as string, '85-brltty.rules'), RULE)
    for (const [index, [vendor, product]] of adapters.entries()) {
      mkdirSync(join(usb as string, `1-${index}`))
      writeFileSync(join(usb as string, `1-${index}`, 'idVendor'), `${vendor}\n`)
      writeFileSync(join(usb as string, `1-${index}`, 'idProduct'), `${product}\n`)
    }
    return { own: own as string, rule: () => brlttyRule([own as string, packaged as string], usb as string) }
  }

  it('is found, with the adapters that it claims', () => {
    const { rule } = system([
      ['1a86', '7523'],
      ['0403', 'de58'],
      ['067b', '2303'],
    ])
    expect(rule()).toEqual({ file: join(folder, 'packaged', '85-brltty.rules'), matchedAdapters: ['1a86:7523'] })
  })

  it('that is disabled by a link to /dev/null is ignored', () => {
    const { own, rule } = system([['1a86', '7523']])
    symlinkSync('/dev/null', join(own, '85-brltty.rules'))
    expect(rule()).toBeUndefined()
  })
})
