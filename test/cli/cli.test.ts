/** The command line as scripts use it (decisions 5): ready lines, exit statuses, clean ends. */
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FREE_PORTS, type Running, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
let folder: string
const running: Running[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-cli-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

function serve(...args: string[]): Running {
  const process = start(['serve', '--json', ...FREE_PORTS, ...args], { cwd: folder })
  running.push(process)
  return process
}

const post = async (url: string, body: object = {}) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { StatusCode: number; Data: string; Message: string }
}

describe('the command serve', () => {
  it('prints its addresses and receipts, ends with 0 within 2 s on SIGTERM, and keeps its state', async () => {
    const started = performance.now()
    const first = serve('--data', 'data')
    const ready = await first.ready()
    const startMs = performance.now() - started
    expect(ready).toEqual({
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/),
      https: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/api$/),
      panel: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      family: 'A',
      pid: first.child.pid,
    })
    expect(await post(`${ready['http']}/print-fiscal-receipt`, RECEIPT)).toEqual({ StatusCode: 200, Data: '1' })
    const began = performance.now()
    first.child.kill('SIGTERM')
    expect((await first.ended).status).toBe(0)
    // The limit is 2 s, or twice the start-up time on a busy machine.
    expect(performance.now() - began).toBeLessThan(Math.max(2000, 2 * startMs))

    const second = await serve('--data', 'data').ready()
    expect((await post(`${second['http']}/print-fiscal-receipt`, RECEIPT)).Data).toBe('2')
  })

  it('ends with 0 on SIGINT, also with an open connection', async () => {
    const service = serve('--data', 'memory')
    const ready = await service.ready()
    const events = await fetch(`${ready['panel']}/events`)
    service.child.kill('SIGINT')
    expect((await service.ended).status).toBe(0)
    await events.body?.cancel().catch(() => undefined)
  })

  it('refuses a second process on the same data folder, and names the first', async () => {
    const first = serve('--data', 'data')
    await first.ready()
    const second = await serve('--data', 'data').ended
    expect(second.status).toBe(3)
    expect(second.err).toContain(`is in use by process ${first.child.pid} (fiscal-rig serve`)
    expect(second.out).toBe('')
  })

  it('starts on a missing port, answers 424, and has no control panel', async () => {
    const ready = await serve('--data', 'memory', '--device', '/dev/no-such-port').ready()
    expect(ready).not.toHaveProperty('panel')
    const { StatusCode, Message } = await post(`${ready['http']}/report-x`)
    expect(StatusCode).toBe(424)
    expect(Message).toContain('/dev/no-such-port')
  })

  it('writes one log line per request to stderr, and no secrets', async () => {
    writeFileSync(join(folder, 'fiscal-rig.json'), '{"apiKey": "top-secret"}')
    const service = serve('--data', 'memory')
    const ready = await service.ready()
    const headers = { Authorization: 'Bearer top-secret', 'Content-Type': 'application/json' }
    const body = JSON.stringify({
      OperatorCode: 1,
      OperatorPassword: 'pass-word',
      PointOfSaleNumber: 1,
      Invoice: false,
    })
    await fetch(`${ready['http']}/open-fiscal-receipt`, { method: 'POST', headers, body })
    service.child.kill('SIGTERM')
    const { err } = await service.ended
    expect(err.split('\n').filter((line) => line.includes('"request"'))).toHaveLength(1)
    expect(err).not.toMatch(/top-secret|pass-word/)
  })
})

describe('a signal', () => {
  it.each([
    ['SIGTERM', ['emulate', '--family', 'C', '--link', './printer', '--data', 'memory', '--panel-port', '0']],
    ['SIGINT', ['emulate', '--family', 'A', '--link', './printer', '--data', 'memory', '--panel-port', '0']],
    ['SIGTERM', ['serve', '--data', 'memory', ...FREE_PORTS]],
    ['SIGINT', ['mock-platform', '--port', '0']],
  ] as const)(
    '%s immediately after the ready line ends the command %j cleanly, however often it is sent',
    async (signal, args) => {
      const device = start([...args, '--json'], { cwd: folder })
      running.push(device)
      await device.ready()
      for (let n = 0; n < 3; n++) device.child.kill(signal)
      expect((await device.ended).status).toBe(0)
      expect(existsSync(join(folder, 'printer'))).toBe(false)
    },
  )
})

describe('the service exits with 3 and', () => {
  it.each(['device-a-bg.sqlite', 'answers.sqlite'])('reports that %s is damaged', async (file) => {
    writeFileSync(join(folder, file), 'this is no database, and long enough to be seen as none'.repeat(100))
    const { status, err } = await runToEnd(['serve', '--data', folder, ...FREE_PORTS])
    expect(err).toContain(`${join(folder, file)} cannot be used: file is not a database. Restore a backup`)
    expect(status).toBe(3)
  })

  it('reports that answers.sqlite is of a version that was never released', async () => {
    const path = join(folder, 'answers.sqlite')
    const old = new DatabaseSync(path)
    old.exec('CREATE TABLE opened_receipts (serial TEXT PRIMARY KEY, number INTEGER)')
    old.close()
    const { status, err } = await runToEnd(['serve', '--data', folder, ...FREE_PORTS])
    expect(err).toContain(
      `${path} cannot be used: it was written by a version of fiscal-rig that was never released. Start that version. Or choose a new folder with --data, and check on the paper before you retry a request.`,
    )
    expect(status).toBe(3)
  })

  it('reports that answers.sqlite is locked by another program, and does not recommend to move it away', async () => {
    const path = join(folder, 'answers.sqlite')
    const other = new DatabaseSync(path)
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    const { status, err } = await runToEnd(['serve', '--data', folder, ...FREE_PORTS])
    other.close()
    expect(err).toContain(`${path} cannot be used: database is locked. Stop the program that uses it, and start again.`)
    expect(status).toBe(3)
  })
})

it('a file that cannot be written is named, and the command exits with 3', async () => {
  const args = ['run', 'scenarios/basic', '--family', 'A', '--reporter', 'json', '--output', '/dev/full']
  const { status, err } = await runToEnd(args)
  expect(err).toContain('/dev/full cannot be written: the disk is full')
  expect(status).toBe(3)
})

describe('the command emulate', () => {
  it('opens a pty and a port, and removes the link and ends socat at its end', async () => {
    const device = start(
      [
        'emulate',
        '--family',
        'A',
        '--link',
        './printer-a',
        '--tcp',
        '0',
        '--panel-port',
        '0',
        '--data',
        'memory',
        '--json',
      ],
      { cwd: folder },
    )
    running.push(device)
    const ready = await device.ready()
    expect(ready).toMatchObject({ link: './printer-a', tcp: expect.any(Number), family: 'A', pid: device.child.pid })
    expect(existsSync(join(folder, 'printer-a'))).toBe(true)
    const service = await serve('--data', 'memory', '--device', `tcp://127.0.0.1:${ready['tcp']}`).ready()
    expect(await post(`${service['http']}/print-fiscal-receipt`, RECEIPT)).toEqual({ StatusCode: 200, Data: '1' })
    device.child.kill('SIGTERM')
    expect((await device.ended).status).toBe(0)
    expect(existsSync(join(folder, 'printer-a'))).toBe(false)
  })

  it('imitates particular firmware, which recognizes a retransmission only by the same bytes', async () => {
    const device = start(
      'emulate --family A --tcp 0 --panel-port 0 --data memory --json --switch duplicateMatch=frame --switch unknownCommand=code'.split(
        ' ',
      ),
    )
    running.push(device)
    const socket = connect(Number((await device.ready())['tcp']), '127.0.0.1')
    const answer = async (frame: string) => {
      socket.write(Buffer.from(frame, 'hex'))
      return ((await once(socket, 'data')) as [Buffer])[0].toString('latin1')
    }
    // Two commands have the same sequence number: the status query, then an unknown command.
    expect(await answer('013030323a203030343a0530313b3f03')).not.toContain('-112000')
    expect(await answer('013030323a2030303c370530313c3403')).toContain('-112000')
    socket.destroy()
  })

  it('uses the family of the configuration, unless an option names one', async () => {
    writeFileSync(join(folder, 'own.yaml'), 'family: C\nprofile: c6\n')
    const emulate = async (...args: string[]) => {
      const device = start(
        ['emulate', '--tcp', '0', '--panel-port', '0', '--data', 'memory', '--json', '--config', 'own.yaml', ...args],
        {
          cwd: folder,
        },
      )
      running.push(device)
      const { panel } = await device.ready()
      const { family, profile } = (await (await fetch(`${panel}/emulator`)).json()) as Record<string, string>
      return [family, profile]
    }
    expect(await emulate()).toEqual(['C', 'c6'])
    expect(await emulate('--family', 'A', '--profile', 'ro')).toEqual(['A', 'ro'])
    writeFileSync(join(folder, 'none.yaml'), 'data: memory\n')
    const { status, err } = await runToEnd(['emulate', '--config', 'none.yaml', '--tcp', '0'], { cwd: folder })
    expect([status, err]).toEqual([2, expect.stringContaining('--family')])
  })

  it('lists the commands of a family with their codes', async () => {
    const { status, out } = await runToEnd(['emulate', '--family', 'A', '--list-commands'])
    expect(status).toBe(0)
    expect(out).toMatch(/^ code {2}hex {3}name +section of the protocol specification\n/)
    expect(out).toMatch(/^ +48 {2}0x30 {2}openFiscal /m)
  })
})

it('the command serve names a configured certificate if it has no data folder with a CA', async () => {
  const first = serve('--data', 'data')
  await first.ready()
  const tls = { certificate: 'data/certificates/leaf.crt', key: 'data/certificates/leaf.key' }
  writeFileSync(join(folder, 'fiscal-rig.json'), JSON.stringify({ tls }))
  const second = start(['serve', ...FREE_PORTS, '--data', 'memory'], { cwd: folder })
  running.push(second)
  await expect.poll(() => second.said() + second.log(), { timeout: 20_000 }).toContain('End with Ctrl+C.')
  expect(second.said()).toMatch(/HTTPS .*\(with the certificate \S*leaf\.crt\)/)
})

describe('a command for the set-up', () => {
  it('lists its findings as JSON: doctor', async () => {
    const { status, out } = await runToEnd(['doctor', '--data', 'data', '--json'], { cwd: folder })
    const findings = JSON.parse(out) as { check: string; state: string }[]
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['node', 'socat', 'data folder', 'certificates', 'http port', 'https port', 'panel port']),
    )
    expect(status).toBe(findings.some(({ state }) => state === 'problem') ? 3 : 0)
  })

  it('ends with 3 without socat: doctor', async () => {
    const { status, out } = await runToEnd(['doctor', '--data', 'memory'], { cwd: folder, env: { PATH: folder } })
    expect([status, /PROBLEM +socat/.test(out)]).toEqual([3, true])
  })

  it('explains the steps after a CA exists: trust', async () => {
    expect((await runToEnd(['trust', '--data', 'data'], { cwd: folder })).status).toBe(3)
    const service = serve('--data', 'data')
    await service.ready()
    const { status, out } = await runToEnd(['trust', '--data', 'data'], { cwd: folder })
    expect(status).toBe(0)
    expect(out).toContain(join(folder, 'data', 'certificates', 'ca.crt'))
    // The meaning comes first, then the ways for one program, then those for the whole system.
    const inOrder = ['What trusting it means', 'curl --cacert', 'NODE_EXTRA_CA_CERTS=', 'update-ca-certificates']
    const places = inOrder.map((words) => out.indexOf(words))
    expect(places).toEqual(places.filter((at) => at > 0).toSorted((a, b) => a - b))
  })
})
