/** `fiscal-rig doctor`: is everything here that the rig needs? Exit status 3 when something is missing. */
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { systemClock } from '../../drivers/model/clock.ts'
import { openPty } from '../../emulator/line/pty.ts'
import { CertificateStore, isConstrained } from '../../server/certificates.ts'
import type { Settings } from '../../server/config.ts'
import { DataFolderError, defaultDataFolder, MEMORY, openDataFolder } from '../../server/data-folder.ts'
import { openToOthers } from '../../server/private-files.ts'
import { EXIT_ENVIRONMENT } from '../exit.ts'
import type { FoundDevice } from '../line/probe.ts'
import { settingsFrom } from '../options.ts'
import { say } from '../say.ts'

export interface Finding {
  readonly check: string
  /** `note` is nothing that hinders. */
  readonly state: 'ok' | 'note' | 'problem'
  readonly detail: string
  /** What to do about it, where there is something to do. */
  readonly remedy?: string
}

export interface DoctorOptions {
  readonly data?: string
  readonly config?: string
  /** One port to look at besides those that are found. */
  readonly device?: string
  readonly baud?: number
  /** False: ports are found, and nobody is asked. */
  readonly ask?: boolean
  readonly json?: boolean
}

export async function doctor({ data, config, device, baud, ask = true, json }: DoctorOptions): Promise<void> {
  const settings = await settingsFrom(config, { data, device, baud })
  const folder = settings.data ?? defaultDataFolder()
  // Looked at first: who opens the data folder closes its files to others.
  const certificates = checkCertificates(folder, settings)
  const findings: Finding[] = [
    checkNode(),
    checkSocat(),
    await checkPty(),
    checkDataFolder(folder),
    certificates,
    ...(await checkPorts(settings)),
    ...(await checkSerialPorts(settings, ask)),
  ]
  say(json ? `${JSON.stringify(findings)}\n` : `${findings.map(lineOf).join('\n')}\n`)
  if (findings.some(({ state }) => state === 'problem')) process.exitCode = EXIT_ENVIRONMENT
}

const MARKS = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' } as const
const lineOf = ({ check, state, detail, remedy }: Finding): string =>
  `${MARKS[state]}  ${check.padEnd(16)} ${detail}${remedy === undefined ? '' : `\n${' '.repeat(26)}${remedy}`}`

function checkNode(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  const detail = `Node ${process.versions.node}`
  if (major >= 24) return { check: 'node', state: 'ok', detail }
  const remedy = 'Node 24 or later is needed: "npm ci" in a checkout brings it, or https://nodejs.org'
  return { check: 'node', state: 'problem', detail, remedy }
}

function checkSocat(): Finding {
  const { status, stdout } = spawnSync('socat', ['-V'], { encoding: 'utf8' })
  const version = /socat version (\S+)/.exec(stdout ?? '')?.[1]
  if (status === 0) return { check: 'socat', state: 'ok', detail: `version ${version ?? 'unknown'}` }
  return {
    check: 'socat',
    state: 'problem',
    detail: 'not found; emulate --link and capture --link need it',
    remedy: 'apt-get install socat, dnf install socat or brew install socat',
  }
}

/** Makes one, as `emulate --link` does. */
async function checkPty(): Promise<Finding> {
  const check = 'pty'
  if (process.platform === 'win32')
    return { check, state: 'note', detail: 'Windows has none', remedy: 'attach programs with --tcp, or with com0com' }
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-doctor-'))
  try {
    const attach = () => ({
      receive: () => undefined,
      whenQuiet: (call: () => void) => call(),
      detach: () => undefined,
    })
    const pty = await openPty({ link: join(folder, 'port'), attach, log: () => undefined })
    const terminal = realpathSync(pty.link)
    accessSync(terminal, constants.R_OK | constants.W_OK)
    await pty.close()
    return { check, state: 'ok', detail: `this user may make and open one (${terminal})` }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const remedy = 'is /dev/pts mounted (mount -t devpts devpts /dev/pts), and may this user open /dev/ptmx?'
    return { check, state: 'problem', detail, remedy: /not installed/.test(detail) ? 'see socat' : remedy }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function checkDataFolder(folder: string): Finding {
  if (folder === MEMORY)
    return {
      check: 'data folder',
      state: 'note',
      detail: 'memory: nothing is kept',
      remedy: '--data DIR keeps what is printed',
    }
  try {
    const opened = openDataFolder(folder, 'doctor')
    opened.release()
    return { check: 'data folder', state: 'ok', detail: opened.name }
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    // A service that runs is no illness.
    const isInUse = / in use by /.test(error.message)
    const remedy = isInUse
      ? 'stop that process, or give the next one its own folder: --data DIR'
      : `make it writable for this user (chown $USER ${folder}), or take another: --data DIR`
    return { check: 'data folder', state: isInUse ? 'note' : 'problem', detail: error.message, remedy }
  }
}

function checkCertificates(folder: string, { tls }: Settings): Finding {
  const check = 'certificates'
  const path =
    tls?.certificate ?? (folder === MEMORY ? undefined : new CertificateStore(resolve(folder), systemClock).caPath)
  if (path === undefined || !existsSync(path)) {
    const remedy = '"fiscal-rig serve" makes one at its first start, "fiscal-rig trust" says how to trust it'
    return tls
      ? {
          check,
          state: 'problem',
          detail: `${path} is not there`,
          remedy: 'correct tls.certificate in the configuration',
        }
      : { check, state: 'note', detail: 'none yet', remedy }
  }
  try {
    const certificate = new X509Certificate(readFileSync(path))
    const { validToDate } = certificate
    const until = validToDate.toISOString().slice(0, 10)
    const [open] = openToOthers(
      tls ? [tls.key] : [dirname(path), join(dirname(path), 'ca.key'), join(dirname(path), 'leaf.key')],
    )
    if (open) {
      const detail = `${open.path} can be used by others (mode ${open.mode})`
      return { check, state: 'problem', detail, remedy: `chmod go= "${open.path}"` }
    }
    if (!tls && !isConstrained(certificate)) {
      const remedy = 'take it out of every trust store; the next start of "fiscal-rig serve" makes a narrow one'
      return { check, state: 'problem', detail: `${path} can sign for every host`, remedy }
    }
    if (validToDate.getTime() <= systemClock.now()) {
      const remedy = tls
        ? 'renew it where it was issued'
        : `delete ${path}; the next start of "fiscal-rig serve" makes a new one`
      return { check, state: 'problem', detail: `${path} ended on ${until}`, remedy }
    }
    return { check, state: 'ok', detail: `${path}, valid until ${until}` }
  } catch {
    const remedy = tls
      ? 'correct tls.certificate in the configuration'
      : 'delete it; the next start of "fiscal-rig serve" makes one'
    return { check, state: 'problem', detail: `${path} is not a certificate`, remedy }
  }
}

function checkPorts({ listen }: Settings): Promise<Finding[]> {
  const ports = [
    ['http port', listen.httpPort, listen.host],
    ['https port', listen.httpsPort, listen.host],
    ['panel port', listen.panelPort, '127.0.0.1'],
  ] as const
  return Promise.all(ports.map(([check, port, host]) => checkPort(check, port, host)))
}

const OPTION_OF: Readonly<Record<string, string>> = {
  'http port': 'httpPort',
  'https port': 'httpsPort',
  'panel port': 'panelPort',
}

function checkPort(check: string, port: number, host: string): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === 'EADDRINUSE'
      resolve({
        check,
        state: isInUse ? 'note' : 'problem',
        detail: `${host}:${port} ${isInUse ? 'is in use by a program that runs now' : error.message}`,
        remedy: `take another one: --${check.replace(' ', '-')} N, or listen.${OPTION_OF[check]} in the configuration`,
      })
    })
    server.listen(port, host, () =>
      server.close(() => resolve({ check, state: 'ok', detail: `${host}:${port} is free` })),
    )
  })
}

async function checkSerialPorts({ device, baud }: Settings, ask: boolean): Promise<Finding[]> {
  const configured = device === 'emulator' || device.startsWith('tcp://') ? [] : [device]
  const found = await listSerialPorts()
  const paths = [...new Set([...configured, ...found])]
  const none = { check: 'serial ports', state: 'note', detail: 'none found' } as const
  if (paths.length === 0)
    return [{ ...none, remedy: 'plug the device in; on Linux it is then a /dev/ttyUSB0 or /dev/ttyACM0' }]
  const findings = await Promise.all(paths.map((path) => checkSerialPort(path, configured.includes(path), ask, baud)))
  return findings.filter((finding) => finding !== undefined)
}

async function listSerialPorts(): Promise<readonly string[]> {
  try {
    const { autoDetect } = await import('@serialport/bindings-cpp')
    return (await autoDetect().list()).map(({ path }) => path)
  } catch {
    // Without udev the adapters are still files.
    return existsSync('/dev')
      ? readdirSync('/dev')
          .filter((name) => /^tty(USB|ACM)\d+$/.test(name))
          .map((name) => `/dev/${name}`)
      : []
  }
}

/** undefined: a name that the system keeps for a port that this machine does not have. */
async function checkSerialPort(
  path: string,
  isConfigured: boolean,
  ask: boolean,
  baud: number | undefined,
): Promise<Finding | undefined> {
  const check = 'serial port'
  const state = isConfigured ? 'problem' : 'note'
  if (process.platform !== 'win32') {
    if (!existsSync(path))
      return {
        check,
        state,
        detail: `${path} does not exist`,
        remedy: 'plug the device in, or name the port that is there',
      }
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch {
      const remedy = 'on Linux: sudo usermod -aG dialout $USER, then log in again'
      return { check, state, detail: `${path}: this user may not open it`, remedy }
    }
  }
  if (!ask) return { check, state: 'ok', detail: path }
  const { probe } = await import('../line/probe.ts')
  const finding = await probe(path, baud === undefined ? {} : { baud })
  if ('family' in finding) return { check, state: 'ok', detail: `${path}: ${deviceWords(finding)}` }
  if ('silent' in finding) {
    const remedy = 'is the device switched on, in PC mode, and connected? Another speed: --baud N'
    return { check, state, detail: `${path}: nobody answers`, remedy }
  }
  if (/lock|busy/i.test(finding.closed)) {
    const remedy = 'fine if it is the service; otherwise stop that program'
    return { check, state: 'note', detail: `${path} is in use by another program`, remedy }
  }
  if (!isConfigured && /input\/output|inappropriate/i.test(finding.closed)) return undefined
  return {
    check,
    state,
    detail: `${path} cannot be opened: ${finding.closed}`,
    remedy: 'unplug the adapter and plug it in again',
  }
}

function deviceWords({ family, baud, identity }: FoundDevice): string {
  const what = identity ? `, ${identity.model}, serial number ${identity.serialNumber}` : ''
  return `family ${family} at ${baud} baud${what}`
}
