import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DatabaseSync } from '../../drivers/host/sqlite.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { openPty, type PtyLine } from '../../emulator/line/pty.ts'
import { CertificateStore } from '../../server/certificates.ts'
import { openStores } from '../../server/compose.ts'
import { NOT_BEGUN } from '../../server/operations/operation.ts'
import { runToEnd } from '../support/in-process.ts'

interface Finding {
  readonly check: string
  readonly state: 'ok' | 'note' | 'problem'
  readonly detail: string
  readonly remedy?: string
}

let folder: string
const emulators: Emulator[] = []
const ptys: PtyLine[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'doctor-'))
})
afterAll(async () => {
  await Promise.all([...emulators, ...ptys].map((one) => one.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function diagnose(...options: string[]): Promise<{ findings: Finding[]; status: number | null }> {
  const { out, status } = await runToEnd(['doctor', '--data', join(folder, 'data'), '--json', ...options], {
    cwd: folder,
  })
  return { findings: JSON.parse(out) as Finding[], status }
}

const about = (findings: readonly Finding[], check: string) => findings.filter((finding) => finding.check === check)

it('an interrupted request whose record cannot be read is named', async () => {
  const data = join(folder, 'data-aside')
  const stores = openStores(systemClock, { journal: join(makeFolder(data), 'answers.sqlite') })
  stores.answers.begin({ name: '/report-x', key: 'lost', fingerprint: 'f' }, NOT_BEGUN)
  stores.close()
  const file = new DatabaseSync(join(data, 'answers.sqlite'))
  file.exec("UPDATE requests SET record = '{'")
  file.close()
  const { findings, status } = await diagnose('--data', data, '--no-probe')
  expect(about(findings, 'data folder')).toEqual([
    {
      check: 'data folder',
      state: 'problem',
      detail: `${data}: requests were interrupted, and their records cannot be read: /report-x with key lost (it is damaged)`,
      remedy: 'check on the paper which requests were printed, and send the others again with a new key',
    },
  ])
  expect(status).toBe(3)
})

const makeFolder = (path: string): string => {
  mkdirSync(path, { recursive: true })
  return path
}

describe('the device on a serial port', () => {
  it.each([
    ['A', 9600],
    ['B', 19_200],
    ['C', 38_400],
  ] as const)('is found: family %s at %i baud, with model and serial number', async (family, baud) => {
    const emulator = createEmulator({ family, baud })
    emulators.push(emulator)
    const { link } = await emulator.openPty(join(folder, `printer-${family}`))
    const { findings, status } = await diagnose('--device', link)
    expect(about(findings, 'serial port')[0]).toEqual({
      check: 'serial port',
      state: 'ok',
      detail: expect.stringMatching(new RegExp(`^${link}: family ${family} at ${baud} baud, .+, serial number \\S+$`)),
      remedy: expect.stringContaining(`npx fiscal-rig passport --device ${link} --family ${family} --baud ${baud}`),
    })
    expect(status).toBe(0)
    expect(emulator.device.counters).toMatchObject({ lastDocument: 0, fiscalReceipts: 0, nonFiscal: 0 })
  })

  async function silentPty(): Promise<PtyLine> {
    const attach = () => ({
      receive: () => undefined,
      whenQuiet: (call: () => void) => call(),
      detach: () => undefined,
    })
    const pty = await openPty({ link: join(folder, `silent-${ptys.length}`), attach, log: () => undefined })
    ptys.push(pty)
    return pty
  }

  it('is reported as missing if no device answers at any speed', async () => {
    const pty = await silentPty()
    const { findings, status } = await diagnose('--device', pty.link)
    expect(about(findings, 'serial port')[0]).toMatchObject({
      state: 'problem',
      detail: `${pty.link}: no response`,
      remedy: expect.stringContaining('check that the printer is on'),
    })
    expect(status).toBe(3)
  })

  it('is not probed with --no-probe', async () => {
    const { link } = await silentPty()
    const { findings } = await diagnose('--device', link, '--no-probe')
    expect(about(findings, 'serial port')[0]).toEqual({ check: 'serial port', state: 'ok', detail: link })
  })
})

describe('doctor gives a remedy', () => {
  it('for a missing port', async () => {
    const { findings, status } = await diagnose('--device', '/dev/ttyUSB99')
    expect(about(findings, 'serial port')[0]).toEqual({
      check: 'serial port',
      state: 'problem',
      detail: '/dev/ttyUSB99 does not exist',
      remedy: 'plug the device in, or name an existing port',
    })
    expect(status).toBe(3)
  })

  it('for a port of the service that another program uses', async () => {
    const server = await taken()
    const { port } = server.address() as { port: number }
    const config = join(folder, 'ports.yaml')
    writeFileSync(config, `listen: {httpPort: ${port}, httpsPort: 0, panelPort: 0}\n`)
    const { findings } = await diagnose('--config', config, '--no-probe')
    server.close()
    expect(about(findings, 'http port')[0]).toEqual({
      check: 'http port',
      state: 'note',
      detail: `127.0.0.1:${port} is in use by a running program`,
      remedy: 'choose another one: --http-port N, or listen.httpPort in the configuration',
    })
  })

  it('for a key that others can read, and for a CA that can sign for every host', async () => {
    const certificates = join(folder, 'data', 'certificates')
    const store = new CertificateStore(join(folder, 'data'), systemClock)
    await store.material(['localhost'])
    const finding = async () => about((await diagnose('--no-probe')).findings, 'certificates')[0]
    expect(await finding()).toMatchObject({ state: 'ok' })
    for (const name of ['ca.key', 'leaf.key', '']) {
      const path = name === '' ? certificates : join(certificates, name)
      const right = statSync(path).mode & 0o777
      chmodSync(path, right | 0o044)
      expect(await finding()).toMatchObject({ state: 'problem', remedy: `chmod go= "${path}"` })
      chmodSync(path, right)
    }
    const files = ['-keyout', join(certificates, 'ca.key'), '-out', join(certificates, 'ca.crt')]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    execFileSync('openssl', ['req', '-x509', ...curve, '-subj', '/CN=wide', ...files], { stdio: 'ignore' })
    chmodSync(join(certificates, 'ca.key'), 0o600)
    expect(await finding()).toMatchObject({ state: 'problem', detail: expect.stringContaining('every host') })
    rmSync(certificates, { recursive: true })
  })

  it('for an invalid certificate', async () => {
    const config = join(folder, 'tls.yaml')
    writeFileSync(join(folder, 'broken.pem'), 'text')
    writeFileSync(config, `tls: {certificate: ${join(folder, 'broken.pem')}, key: ${join(folder, 'broken.pem')}}\n`)
    const { findings, status } = await diagnose('--config', config, '--no-probe')
    expect(about(findings, 'certificates')[0]).toMatchObject({
      state: 'problem',
      remedy: 'correct tls.certificate in the configuration',
    })
    expect(status).toBe(3)
  })

  it('for every finding that is not ok', async () => {
    const { findings } = await diagnose('--no-probe')
    expect(findings.filter(({ state, remedy }) => state !== 'ok' && remedy === undefined)).toEqual([])
  })

  it('for a missing socat, without which there is no pty', async () => {
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    chmodSync(empty, 0o755)
    const { out, status } = await runToEnd(['doctor', '--data', 'memory', '--json', '--no-probe'], {
      cwd: folder,
      env: { PATH: empty },
    })
    const findings = JSON.parse(out) as Finding[]
    expect(about(findings, 'socat')[0]?.remedy).toContain('apt-get install socat')
    expect(about(findings, 'pty')[0]).toMatchObject({ state: 'problem', remedy: 'see socat' })
    expect(status).toBe(3)
  })
})

function taken(): Promise<Server> {
  const server = createServer()
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
