import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openWarning } from '../../bin/beyond-loopback.ts'
import { FREE_PORTS, type Running, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'
import { X_REPORTS } from './x-report-frames.ts'

let folder: string
const running: Running[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-listening-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const MEMORY = ['serve', '--data', 'memory', ...FREE_PORTS]

async function served(...args: string[]) {
  const service = start([...args, '--json'], { cwd: folder })
  running.push(service)
  return { service, line: await service.ready() }
}

function config(name: string, content: object): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

describe('a service beyond loopback', () => {
  it.each(['0.0.0.0', '::', '', '127.1', 'somewhere.localhost', '::ffff:0.0.0.0'])(
    'without a key and without --open on "%s" exits with status 2, and says why',
    async (host) => {
      const { status, err, out } = await runToEnd([...MEMORY, '--host', host], { cwd: folder })
      expect([status, out]).toEqual([2, ''])
      expect(err).toMatch(/can be reached from the network, and without apiKey every client there can print/)
      expect(err).toContain('--open')
    },
  )

  it('can be opened in the configuration too, which causes a warning in the start line and the log', async () => {
    const closed = config('closed.json', { listen: { host: '0.0.0.0' } })
    expect((await runToEnd([...MEMORY, '--config', closed])).status).toBe(2)
    const { service, line } = await served(
      ...MEMORY,
      '--config',
      config('o.json', { listen: { host: '0.0.0.0', open: true } }),
    )
    const warning = 'open: without apiKey every client that reaches 0.0.0.0 can print on this device'
    expect(line).toMatchObject({ warning })
    expect(service.log()).toContain(warning)
  })

  it('has a warning that names an empty option', () => {
    const places = [{ host: '', option: '--host', does: 'print on this device' }] as const
    expect(openWarning(places, { apiKey: undefined, open: true })).toBe(
      'open: without apiKey every client that can reach this machine (empty --host) can print on this device',
    )
  })

  it('causes a warning with --open, and no warning with a key or on loopback', async () => {
    expect((await served(...MEMORY, '--host', '0.0.0.0', '--open')).line['warning']).toContain('every client')
    const key = config('key.json', { apiKey: 'a-key-of-some-length' })
    expect((await served(...MEMORY, '--host', '0.0.0.0', '--config', key)).line).not.toHaveProperty('warning')
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.2']) {
      expect((await served(...MEMORY, '--host', host)).line).not.toHaveProperty('warning')
    }
  })
})

function statusOf(url: string, host: string, authorization?: string): Promise<number | undefined> {
  const { port } = new URL(url)
  const headers = { host: `${host}:${port}`, ...(authorization !== undefined && { authorization }) }
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: new URL(url).pathname, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    outgoing.on('error', reject).end()
  })
}

const EMULATE = ['emulate', '--family', 'A', '--data', 'memory', '--panel-port', '0']
const KEY = 'a-key-of-some-length'
const basic = (key: string) => `Basic ${Buffer.from(`anybody:${key}`).toString('base64')}`

describe('an emulated device beyond loopback', () => {
  it.each([
    [['--tcp', '0', '--host', '0.0.0.0'], /no key.* every client there can print on this device: allow it with --open/],
    [['--count', '2', '--tcp', '0', '--host', '0.0.0.0'], /every client there can print on this device: allow it/],
    [['--panel-host', '0.0.0.0'], /without apiKey every client there can operate this device: set apiKey/],
    [['--host', '0.0.0.0'], /--host applies only to a TCP port: add --tcp PORT/],
  ])('without --open exits with status 2, and says why: %j', async (args, why) => {
    const { status, err, out } = await runToEnd([...EMULATE, ...args], { cwd: folder })
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(why)
  })

  it('listens there with --open, says so in the start line, and answers the names of --name only', async () => {
    const { line } = await served(
      ...[...EMULATE, '--tcp', '0', '--host', '0.0.0.0', '--panel-host', '0.0.0.0', '--open', '--name', 'printer.test'],
    )
    expect(line['warning']).toBe(
      'open: every client that reaches 0.0.0.0 can print on this device; ' +
        'without apiKey every client that reaches 0.0.0.0 can operate this device',
    )
    const outside = new URL(String(line['panel'])).hostname
    const socket = connect(Number(line['tcp']), outside)
    socket.write(X_REPORTS.A)
    await once(socket, 'data')
    socket.destroy()
    const state = `${line['panel']}/emulator`
    expect((await fetch(state)).status).toBe(200)
    const hosts = ['printer.test', 'PRINTER.test', 'localhost', hostname(), outside, 'other.test', 'printer.test.evil']
    const statuses = await Promise.all(hosts.map((host) => statusOf(state, host)))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 403, 403])
  })

  it('with a key needs no --open for its control panel, which requires the key; its documentation requires no key', async () => {
    const key = config('panel-key.json', { apiKey: KEY })
    const { line } = await served(...EMULATE, '--panel-host', '0.0.0.0', '--config', key)
    expect(line).not.toHaveProperty('warning')
    const state = `${line['panel']}/emulator`
    const credentials = [undefined, 'Bearer wrong', basic('wrong'), `Bearer ${KEY}`, basic(KEY)]
    const statuses = await Promise.all(credentials.map((one) => statusOf(state, 'localhost', one)))
    expect(statuses).toEqual([401, 401, 401, 200, 200])
    expect((await fetch(state)).headers.get('www-authenticate')).toMatch(/^Basic /)
    expect((await fetch(`${line['panel']}/docs`)).status).toBe(200)
    // The wire protocol of a device has no keys.
    const lines = await runToEnd([...EMULATE, '--tcp', '0', '--host', '0.0.0.0', '--config', key], { cwd: folder })
    expect([lines.status, lines.err]).toEqual([2, expect.stringContaining('no key')])
  })

  it('on loopback causes no warning, also with a key and with a configuration that opens the service', async () => {
    const open = config('open-service.json', { apiKey: KEY, listen: { host: '0.0.0.0', open: true } })
    const { line } = await served(...EMULATE, '--tcp', '0', '--config', open)
    expect(line).toMatchObject({ host: '127.0.0.1', panel: expect.stringContaining('http://127.0.0.1:') })
    expect(line).not.toHaveProperty('warning')
    expect((await fetch(`${line['panel']}/emulator`)).status).toBe(200)
    expect(await statusOf(`${line['panel']}/emulator`, hostname())).toBe(403)
  })

  it('of a fleet opens lines and fleet overview by the same options', async () => {
    const many = ['--count', '2', '--tcp', '0', '--host', '0.0.0.0', '--panel-host', '0.0.0.0', '--open']
    const { line } = await served(...EMULATE, ...many)
    expect(line['warning']).toContain('every client that reaches 0.0.0.0')
    const outside = new URL(String(line['panel'])).hostname
    const [first] = line['printers'] as readonly { readonly tcp: number }[]
    const socket = connect(Number(first?.tcp), outside)
    socket.write(X_REPORTS.A)
    await once(socket, 'data')
    socket.destroy()
    const printers = (await (await fetch(`${line['panel']}/emulator/fleet`)).json()) as { line: string }[]
    expect(printers.map((row) => new URL(row.line.replace('tcp:', 'http:')).hostname)).toEqual([outside, outside])
  })
})

describe('the control panel of a service beyond loopback', () => {
  it('needs --open or the key, as the service does, and answers the names of --name', async () => {
    const refused = await runToEnd([...MEMORY, '--panel-host', '0.0.0.0'], { cwd: folder })
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('can operate this device')])
    const key = config('service-key.json', { apiKey: KEY })
    const { line } = await served(...MEMORY, '--panel-host', '0.0.0.0', '--name', 'shop.test', '--config', key)
    const state = `${line['panel']}/emulator`
    expect([await statusOf(state, 'shop.test'), await statusOf(state, 'shop.test', basic(KEY))]).toEqual([401, 200])
    expect(await statusOf(`${line['http']}/get-local-api-address`, 'shop.test', `Bearer ${KEY}`)).toBe(200)
    expect(await statusOf(`${line['http']}/get-local-api-address`, 'other.test', `Bearer ${KEY}`)).toBe(403)
  })
})

describe('the command capture beyond loopback', () => {
  it('needs --open, and can then be reached', async () => {
    const { line: device } = await served(...EMULATE, '--tcp', '0')
    const between = ['capture', '--device', `tcp://127.0.0.1:${device['tcp']}`, '--tcp', '0', '--host', '0.0.0.0']
    const refused = await runToEnd([...between, '--output', join(folder, 'refused.jsonl')], { cwd: folder })
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('--open')])
    expect(existsSync(join(folder, 'refused.jsonl'))).toBe(false)
    const { line } = await served(...between, '--open', '--output', join(folder, 'open.jsonl'))
    expect(line).toMatchObject({
      host: '0.0.0.0',
      warning: expect.stringContaining('every client that reaches 0.0.0.0'),
    })
    const socket = connect(Number(line['tcp']), '127.0.0.2')
    socket.write(X_REPORTS.A)
    await once(socket, 'data')
    socket.destroy()
  })
})

describe('a port of the control panel that is in use', () => {
  it('prevents the start if it was chosen, like a port of the service', async () => {
    const { line } = await served(...EMULATE)
    const { port } = new URL(String(line['panel']))
    const why = `Port ${port} of the panel on 127.0.0.1 cannot be opened: it is already in use. Choose another with --panel-port (0: any free one).`
    for (const command of [EMULATE.slice(0, -2), [...EMULATE.slice(0, -2), '--count', '2']]) {
      const { status, err } = await runToEnd([...command, '--panel-port', port], { cwd: folder })
      expect([status, err]).toEqual([3, expect.stringContaining(why)])
    }
    const [till, only] = ['exit 1', 'answerLost@closeFiscal']
    const exam = await runToEnd(['exam', '--family', 'A', '--till', till, '--only', only, '--panel-port', port], {
      cwd: folder,
    })
    expect([exam.status, exam.err]).toEqual([3, expect.stringContaining(why)])
  })

  it('is replaced by a free port if it was not chosen, and the start line and the log say so', async () => {
    const { line: other } = await served(...EMULATE)
    const { port } = new URL(String(other['panel']))
    const usual = config('usual-port.json', { listen: { panelPort: Number(port) } })
    const note = `port ${port} is already in use, so the panel uses a free one: choose one with --panel-port`
    const own = ['--data', 'memory', '--config', usual]
    const { service, line } = await served('serve', ...own, '--http-port', '0', '--no-https')
    expect(line).toMatchObject({ warning: note })
    expect(service.log()).toContain(note)
    expect((await fetch(String(line['panel']))).status).not.toBe(404)
    expect((await served('emulate', '--family', 'A', ...own)).line).toMatchObject({ warning: note })
  })
})

describe('the option --no-https', () => {
  it('opens no HTTPS port, creates no certificate, and says so in the answer to a query for the address', async () => {
    const data = join(folder, 'data')
    const { line } = await served('serve', '--data', data, '--no-https', ...FREE_PORTS)
    expect(line).not.toHaveProperty('https')
    expect(existsSync(join(data, 'certificates'))).toBe(false)
    const answer = await fetch(`${line['http']}/get-secure-api-address`)
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { StatusCode: 500, Message: 'HTTPS is switched off in this service (--no-https).' },
    ])
    const { line: other } = await served(...MEMORY, '--config', config('no.json', { listen: { https: false } }))
    expect(other).not.toHaveProperty('https')
  })
})
