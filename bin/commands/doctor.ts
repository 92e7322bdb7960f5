/** `fiscal-rig doctor`: is everything here that the rig needs? Exit status 3 when something is missing. */
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { systemClock } from '../../drivers/model/clock.ts'
import { CertificateStore } from '../../server/certificates.ts'
import type { Settings } from '../../server/config.ts'
import { DataFolderError, defaultDataFolder, MEMORY, openDataFolder } from '../../server/data-folder.ts'
import { EXIT_ENVIRONMENT } from '../exit.ts'
import { settingsFrom } from '../options.ts'

export interface Finding {
  readonly check: string
  /** `note` is nothing that hinders. */
  readonly state: 'ok' | 'note' | 'problem'
  readonly detail: string
}

export async function doctor({
  data,
  config,
  json,
}: {
  data?: string
  config?: string
  json?: boolean
}): Promise<void> {
  const settings = await settingsFrom(config, { data })
  const folder = settings.data ?? defaultDataFolder()
  const findings: Finding[] = [
    checkNode(),
    checkSocat(),
    checkDataFolder(folder),
    checkCertificates(folder, settings),
    ...(await checkPorts(settings)),
    ...(await checkSerialPorts(settings)),
  ]
  process.stdout.write(json ? `${JSON.stringify(findings)}\n` : `${findings.map(lineOf).join('\n')}\n`)
  if (findings.some(({ state }) => state === 'problem')) process.exitCode = EXIT_ENVIRONMENT
}

const MARKS = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' } as const
const lineOf = ({ check, state, detail }: Finding): string => `${MARKS[state]}  ${check.padEnd(16)} ${detail}`

function checkNode(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  const detail = `Node ${process.versions.node}${major >= 24 ? '' : '; 24 or later is needed'}`
  return { check: 'node', state: major >= 24 ? 'ok' : 'problem', detail }
}

function checkSocat(): Finding {
  const { status, stdout } = spawnSync('socat', ['-V'], { encoding: 'utf8' })
  const version = /socat version (\S+)/.exec(stdout ?? '')?.[1]
  if (status === 0) return { check: 'socat', state: 'ok', detail: `version ${version ?? 'unknown'}` }
  const detail = 'not found; emulate --link needs it: apt-get install socat, brew install socat'
  return { check: 'socat', state: 'problem', detail }
}

function checkDataFolder(folder: string): Finding {
  if (folder === MEMORY) return { check: 'data folder', state: 'note', detail: 'memory: nothing is kept' }
  try {
    const opened = openDataFolder(folder, 'doctor')
    opened.release()
    return { check: 'data folder', state: 'ok', detail: opened.name }
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    // A service that runs is no illness.
    return {
      check: 'data folder',
      state: / in use by /.test(error.message) ? 'note' : 'problem',
      detail: error.message,
    }
  }
}

function checkCertificates(folder: string, { tls }: Settings): Finding {
  const check = 'certificates'
  const path =
    tls?.certificate ?? (folder === MEMORY ? undefined : new CertificateStore(resolve(folder), systemClock).caPath)
  if (path === undefined || !existsSync(path)) {
    return { check, state: 'note', detail: 'none yet; "fiscal-rig serve" makes one at its first start' }
  }
  try {
    const { validToDate } = new X509Certificate(readFileSync(path))
    const until = validToDate.toISOString().slice(0, 10)
    if (validToDate.getTime() <= systemClock.now())
      return { check, state: 'problem', detail: `${path} ended on ${until}` }
    return { check, state: 'ok', detail: `${path}, valid until ${until}` }
  } catch {
    return { check, state: 'problem', detail: `${path} is not a certificate` }
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

function checkPort(check: string, port: number, host: string): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const detail = error.code === 'EADDRINUSE' ? 'in use by a program that runs now' : error.message
      resolve({ check, state: error.code === 'EADDRINUSE' ? 'note' : 'problem', detail: `${host}:${port} ${detail}` })
    })
    server.listen(port, host, () =>
      server.close(() => resolve({ check, state: 'ok', detail: `${host}:${port} is free` })),
    )
  })
}

async function checkSerialPorts({ device }: Settings): Promise<Finding[]> {
  const configured = device === 'emulator' || device.startsWith('tcp://') ? [] : [device]
  const found = await listSerialPorts()
  const paths = [...new Set([...configured, ...found])]
  if (paths.length === 0) return [{ check: 'serial ports', state: 'note', detail: 'none found' }]
  return paths.map((path) => checkSerialPort(path, configured.includes(path)))
}

async function listSerialPorts(): Promise<readonly string[]> {
  try {
    const { autoDetect } = await import('@serialport/bindings-cpp')
    return (await autoDetect().list()).map(({ path }) => path)
  } catch {
    return []
  }
}

function checkSerialPort(path: string, isConfigured: boolean): Finding {
  const check = 'serial port'
  const bad = isConfigured ? 'problem' : 'note'
  if (process.platform !== 'win32' && !existsSync(path)) return { check, state: bad, detail: `${path} does not exist` }
  try {
    if (process.platform !== 'win32') accessSync(path, constants.R_OK | constants.W_OK)
    return { check, state: 'ok', detail: path }
  } catch {
    return {
      check,
      state: bad,
      detail: `${path}: this user may not open it; on Linux: sudo usermod -aG dialout $USER, then log in again`,
    }
  }
}
