/** Written files contain receipts, passwords and the fiscal memory of a device, so only their owner may read them. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { CertificateStore, leafNames } from '../../server/certificates.ts'
import { FREE_PORTS, type Running, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
const running: Running[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-private-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

function program(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const process = start([...args, '--json'], { cwd: folder, env })
  running.push(process)
  return process
}

async function end(process: Running): Promise<void> {
  process.child.kill('SIGTERM')
  expect((await process.ended).status).toBe(0)
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

function modes(path: string): Record<string, string> {
  const all: Record<string, string> = {}
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name)
    all[place.slice(path.length + 1)] = `${entry.isDirectory() ? 'folder' : 'file'} ${modeOf(place)}`
  }
  return all
}

const open = (path: string) =>
  Object.entries(modes(path)).filter(([, mode]) => !['file 600', 'folder 700'].includes(mode))

const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
const post = (http: unknown, path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${http}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('files of a device', () => {
  it('of the command serve are closed to other users, also earlier files', async () => {
    const data = join(folder, 'data')
    mkdirSync(data)
    // An earlier version created files that every user could read.
    await createEmulator({ family: 'A', data }).close()
    for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644)
    writeFileSync(join(data, 'owner.json'), '{}')
    const certificates = join(data, 'certificates')
    await new CertificateStore(data, systemClock).material(leafNames())
    for (const name of readdirSync(certificates)) chmodSync(join(certificates, name), 0o644)
    chmodSync(certificates, 0o755)
    chmodSync(data, 0o755)
    const service = program(['serve', '--data', data, ...FREE_PORTS, '--record', 'cases/record.yaml'])
    const { http } = await service.ready()
    expect((await post(http, '/print-fiscal-receipt', RECEIPT)).status).toBe(200)
    await expect.poll(() => readFileSync(join(folder, 'cases/record.yaml'), 'utf8')).toContain('print-fiscal-receipt')
    expect(modeOf(data)).toBe('700')
    expect(open(data)).toEqual([])
    expect(Object.keys(modes(data))).toEqual(
      expect.arrayContaining(['device-a-bg.sqlite', 'answers.sqlite', 'owner.json']),
    )
    expect(modeOf(join(folder, 'cases'))).toBe('700')
    expect(open(join(folder, 'cases'))).toEqual([])
    await end(service)
    expect(open(data)).toEqual([])
  })

  it('of the command emulate are closed to other users in a folder with other files, which remain unchanged', async () => {
    const data = join(folder, 'shared')
    mkdirSync(data)
    chmodSync(data, 0o755)
    const other = join(data, 'other.txt')
    writeFileSync(other, 'mine')
    chmodSync(other, 0o644)
    const device = program(['emulate', '--family', 'C', '--tcp', '0', '--panel-port', '0', '--data', data])
    await device.ready()
    expect(modeOf(data)).toBe('755')
    expect(open(data)).toEqual([['other.txt', 'file 644']])
    await end(device)
  })

  it('of the commands capture, decode and memory export are closed to other users', async () => {
    const data = join(folder, 'data')
    const device = program(['emulate', '--family', 'A', '--tcp', '0', '--panel-port', '0', '--data', data])
    const { tcp } = await device.ready()
    const recording = join(folder, 'line.jsonl')
    const args = ['--device', `tcp://127.0.0.1:${tcp}`, '--tcp', '0', '--output', recording, '--family', 'A']
    const capture = program(['capture', ...args])
    await capture.ready()
    await end(capture)
    await end(device)
    expect(modeOf(recording)).toBe('600')
    const outputs = [join(folder, 'decoded.txt'), join(folder, 'memory.jsonl')]
    for (const output of outputs) {
      writeFileSync(output, '')
      chmodSync(output, 0o644)
    }
    const [decoded = '', exported = ''] = outputs
    expect((await runToEnd(['decode', recording, '--output', decoded])).status).toBe(0)
    expect((await runToEnd(['memory', 'export', data, '--output', exported])).status).toBe(0)
    expect(outputs.map(modeOf)).toEqual(['600', '600'])
  })
})

describe('a recording of the service', () => {
  const SECRET = 'a-password-of-the-environment'

  it('skips refused requests, because a replay would print them', async () => {
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ apiKey: { env: 'RIG_KEY' } }))
    const file = join(folder, 'record.yaml')
    const args = ['serve', '--data', 'memory', '--config', 'config.json', ...FREE_PORTS, '--record', file]
    const service = program(args, { RIG_KEY: SECRET })
    const { http } = await service.ready()
    const key = { Authorization: `Bearer ${SECRET}` }
    const named = (name: string) => ({
      ReceiptItems: [{ Type: 3, FiscalText: { Text: name } }, ...RECEIPT.ReceiptItems],
    })
    const refused = [
      await post(http, '/print-fiscal-receipt', named('NOKEY')),
      await post(http, '/print-fiscal-receipt', named('WRONGKEY'), { Authorization: 'Bearer wrong' }),
      await post(http, '/print-fiscal-receipt', named('FOREIGN'), { ...key, Origin: 'https://evil.example' }),
      await post(http, '/no-such-path', named('NOPATH')),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 403, 404])
    // The service refuses these requests before it reads their bodies. A replay would send no body, and a Z report
    // needs none.
    const unread = [
      await fetch(`${http}/report-z`, { method: 'POST', headers: key, body: Buffer.alloc(1024 * 1024 + 1, 0x20) }),
      await post(http, '/report-z', {}, { ...key, 'Content-Encoding': 'gzip' }),
      await post(http, '/report-z', {}, { ...key, 'Content-Type': 'text/plain' }),
    ]
    expect(unread.map(({ status }) => status)).toEqual([413, 415, 415])
    expect((await post(http, '/print-fiscal-receipt', RECEIPT, key)).status).toBe(200)
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('print-fiscal-receipt')
    const text = readFileSync(file, 'utf8')
    expect(text).not.toMatch(/NOKEY|WRONGKEY|FOREIGN|NOPATH/)
    expect(text.match(/^ {2}- post /gm)).toHaveLength(1)
    expect(text).not.toContain(SECRET)
    await end(service)
  })

  it('refers to the secrets of the configuration and does not contain them', async () => {
    writeFileSync(join(folder, 'secret.txt'), `${SECRET}-of-a-file\n`)
    const config = {
      operators: { 1: { password: { env: 'RIG_OPERATOR' } } },
      defaults: { operator: 1, password: { env: 'RIG_OPERATOR' } },
    }
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
    const file = join(folder, 'record.yaml')
    const args = ['serve', '--data', 'memory', '--config', 'config.json', ...FREE_PORTS, '--record', file]
    const service = program(args, { RIG_OPERATOR: '87654321' })
    const { http } = await service.ready()
    expect((await post(http, '/print-fiscal-receipt', RECEIPT)).status).toBe(200)
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('print-fiscal-receipt')
    await end(service)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('87654321')
    expect(text).toContain('password: { env: "RIG_OPERATOR" }')
    // A replay reads the secret from the environment variable that the configuration names.
    const played = await runToEnd(['run', file], { env: { RIG_OPERATOR: '87654321' } })
    expect({ status: played.status, out: played.out }).toEqual({ status: 0, out: expect.stringContaining('1 passed') })
  })
})
