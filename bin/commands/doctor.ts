/** `fiscal-rig doctor`: checks the environment of the rig. The exit status is 3 if there is a problem. */
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { ForeignFileError, HAND_WRITTEN_MAX_BYTES, readForeignBytes } from '../../drivers/host/foreign-file.ts'
import { isHostTrouble, portTrouble } from '../../drivers/host/server-access.ts'
import { formatOptions, rigCommand, shellWord } from '../../drivers/host/shell-command.ts'
import { troubleOf } from '../../drivers/host/sqlite.ts'
import { PORT_IN_USE } from '../../drivers/link/port.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { openPty, PtyError } from '../../emulator/line/pty.ts'
import type { FoundDevice } from '../../scenarios/line/find-device.ts'
import { temporaryFolder } from '../../scenarios/temporary-folder.ts'
import { CertificateStore, isConstrained } from '../../server/certificates.ts'
import { LOG, openStores, type Stores } from '../../server/compose.ts'
import type { Settings } from '../../server/config.ts'
import { DataFolderError, defaultDataFolder, MEMORY, openDataFolder } from '../../server/data-folder.ts'
import { UnusableLog } from '../../server/operations/log/log-tables.ts'
import { openToOthers } from '../../server/private-files.ts'
import { EXIT_ENVIRONMENT, unusableFileText } from '../exit.ts'
import { io } from '../io.ts'
import { brlttyRule, holdersOf, missingGroup, type Program, programsNamed } from '../linux-ports.ts'
import { settingsFrom } from '../options.ts'
import { say } from '../terminal-output.ts'

interface Finding {
  readonly check: string
  /** A `note` prevents no work. */
  readonly state: 'ok' | 'note' | 'problem'
  readonly detail: string
  readonly remedy?: string
}

interface DoctorOptions {
  readonly data?: string
  readonly config?: string
  readonly device?: string
  readonly baud?: number
  readonly probe?: boolean
  readonly json?: boolean
}

export async function doctor({ data, config, device, baud, probe = true, json }: DoctorOptions): Promise<void> {
  const settings = await settingsFrom(config, { data, device, baud })
  const folder = settings.data ?? defaultDataFolder()
  // Certificates are checked first, because opening the data folder makes its files private.
  const certificates = checkCertificates(folder, settings)
  const findings: Finding[] = [
    // A Node version that is too old ends the program before this line.
    ok('node', `Node ${process.versions.node}`),
    checkSocat(),
    await checkPty(),
    checkDataFolder(folder),
    certificates,
    ...(await checkPorts(settings)),
    ...(await checkSerialPorts(settings, probe)),
    ...checkPortGrabbers(),
  ]
  say(json ? `${JSON.stringify(findings)}\n` : `${findings.map(lineOf).join('\n')}\n`)
  if (findings.some(({ state }) => state === 'problem')) io().status = EXIT_ENVIRONMENT
}

const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail })
const problem = (check: string, detail: string, remedy?: string): Finding => ({
  check,
  state: 'problem',
  detail,
  ...(remedy !== undefined && { remedy }),
})
const note = (check: string, detail: string, remedy?: string): Finding => ({
  check,
  state: 'note',
  detail,
  ...(remedy !== undefined && { remedy }),
})

const MARKS = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' } as const
const lineOf = ({ check, state, detail, remedy }: Finding): string =>
  `${MARKS[state]}  ${check.padEnd(16)} ${detail}${remedy === undefined ? '' : `\n${' '.repeat(26)}${remedy}`}`

function checkSocat(): Finding {
  const { status, stdout } = spawnSync('socat', ['-V'], { encoding: 'utf8' })
  const version = /socat version (\S+)/.exec(stdout ?? '')?.[1]
  if (status === 0) return ok('socat', `version ${version ?? 'unknown'}`)
  const detail = 'not found; emulate --link and capture --link need it'
  return problem('socat', detail, 'apt-get install socat, dnf install socat or brew install socat')
}

async function checkPty(): Promise<Finding> {
  const check = 'pty'
  if (process.platform === 'win32')
    return note(check, 'Windows has none', 'attach programs with --tcp, or with com0com')
  const folder = temporaryFolder('doctor')
  try {
    const attach = () => ({
      receive: () => undefined,
      whenQuiet: (call: () => void) => call(),
      detach: () => undefined,
    })
    const pty = await openPty({ link: join(folder.path, 'port'), attach, log: () => undefined })
    const terminal = realpathSync(pty.link)
    accessSync(terminal, constants.R_OK | constants.W_OK)
    await pty.close()
    return ok(check, `this user can create and open a pty (${terminal})`)
  } catch (error) {
    const detail = messageOf(error)
    const remedy =
      'check that /dev/pts is mounted (mount -t devpts devpts /dev/pts) and that this user may open /dev/ptmx'
    return problem(check, detail, error instanceof PtyError && error.lacksSocat ? 'see socat' : remedy)
  } finally {
    folder.remove()
  }
}

function checkDataFolder(folder: string): Finding {
  const check = 'data folder'
  if (folder === MEMORY) return note(check, 'memory: nothing is stored', '--data DIR stores what is printed')
  try {
    const data = openDataFolder(folder, 'doctor')
    try {
      return checkLog(data.name, data.database(LOG), data.hasFile(LOG)) ?? ok(check, data.name)
    } finally {
      data.release()
    }
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    if (error.isInUse) return note(check, error.message, 'no problem if that process is your service')
    const remedy = `make it writable for this user (chown $USER ${shellWord(folder)}), or choose another: --data DIR`
    return problem(check, error.message, error.isUnwritable ? remedy : undefined)
  }
}

/** Unreadable records in the operation log would otherwise be reported only when their request is retried. */
function checkLog(folder: string, log: string, existedBefore: boolean): Finding | undefined {
  if (!existsSync(log)) return undefined
  let aside: ReturnType<Stores['answers']['setAside']>
  try {
    const stores = openStores(systemClock, { journal: log, existedBefore })
    aside = stores.answers.setAside()
    stores.close()
  } catch (error) {
    if (error instanceof UnusableLog) return problem('data folder', `${log}: ${error.message}`)
    const trouble = troubleOf(error)
    return problem('data folder', trouble ? unusableFileText(log, trouble) : `${log}: ${messageOf(error)}`)
  }
  if (aside.length === 0) return undefined
  const which = aside.map(({ name, key, why }) => `${name}${key === undefined ? '' : ` with key ${key}`} (${why})`)
  return problem(
    'data folder',
    `${folder}: requests were interrupted, and their records cannot be read: ${which.join(', ')}`,
    'check on the paper which requests were printed, and send the others again with a new key',
  )
}

function checkCertificates(folder: string, { tls }: Settings): Finding {
  const check = 'certificates'
  const path =
    tls?.certificate ?? (folder === MEMORY ? undefined : new CertificateStore(resolve(folder), systemClock).caPath)
  const correctIt = 'correct tls.certificate in the configuration'
  if (path === undefined || !existsSync(path)) {
    const remedy = '"fiscal-rig serve" creates one at its first start, "fiscal-rig trust" prints how to trust it'
    return tls ? problem(check, `${path} does not exist`, correctIt) : note(check, 'none yet', remedy)
  }
  try {
    const certificate = new X509Certificate(readForeignBytes(path, { maxBytes: HAND_WRITTEN_MAX_BYTES }))
    const { validToDate } = certificate
    const until = validToDate.toISOString().slice(0, 10)
    const [open] = openToOthers(
      tls ? [tls.key] : [dirname(path), join(dirname(path), 'ca.key'), join(dirname(path), 'leaf.key')],
    )
    if (open)
      return problem(check, `${open.path} can be used by others (mode ${open.mode})`, `chmod go= "${open.path}"`)
    if (!tls && !isConstrained(certificate)) {
      const remedy = 'remove it from every trust store; the next start of "fiscal-rig serve" creates a constrained one'
      return problem(check, `${path} can sign for every host`, remedy)
    }
    if (validToDate.getTime() <= systemClock.now()) {
      const remedy = tls
        ? 'renew it where it was issued'
        : `delete ${path}; the next start of "fiscal-rig serve" creates a new one`
      return problem(check, `${path} expired on ${until}`, remedy)
    }
    return ok(check, `${path}, valid until ${until}`)
  } catch (error) {
    if (error instanceof ForeignFileError)
      return problem(
        check,
        `${path} cannot be read: ${error.why}`,
        tls ? correctIt : 'make it a file that this user may read',
      )
    const remedy = tls ? correctIt : 'delete it; the next start of "fiscal-rig serve" creates one'
    return problem(check, `${path} is not a certificate`, remedy)
  }
}

const PORTS = { 'http port': 'httpPort', 'https port': 'httpsPort', 'panel port': 'panelPort' } as const

const checkPorts = ({ listen }: Settings): Promise<Finding[]> =>
  Promise.all(
    Object.entries(PORTS).map(([check, member]) =>
      checkPort(check, member, listen[member], member === 'panelPort' ? listen.panelHost : listen.host),
    ),
  )

function checkPort(check: string, member: string, port: number, host: string): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const remedy = `choose another one: --${check.replace(' ', '-')} N, or listen.${member} in the configuration`
      const [option, key] = member === 'panelPort' ? ['--panel-host', 'panelHost'] : ['--host', 'host']
      const otherHost = `choose another address: ${option} ADDR, or listen.${key} in the configuration`
      const why = portTrouble(error.code) ?? error.message
      if (isHostTrouble(error.code)) resolve(problem(check, `${host}:${port} cannot be opened: ${why}`, otherHost))
      else if (error.code !== 'EADDRINUSE') resolve(problem(check, `${host}:${port} cannot be opened: ${why}`, remedy))
      else resolve(note(check, `${host}:${port} is in use by a running program`, remedy))
    })
    server.listen(port, host, () => server.close(() => resolve(ok(check, `${host}:${port} is free`))))
  })
}

type ChosenDevice = Pick<Settings, 'device' | 'baud'>

async function checkSerialPorts({ device, baud }: ChosenDevice, ask: boolean): Promise<Finding[]> {
  if (/^tcp:/i.test(device))
    return [await checkAddress(device, ask, baud), ...(await checkSerialPorts({ device: 'emulator', baud }, ask))]
  const configured = device === 'emulator' ? [] : [device]
  const ports = await listSerialPorts()
  const paths = [...new Set([...configured, ...ports])]
  if (paths.length === 0)
    return [
      note('serial ports', 'none found', 'plug the device in; on Linux it is then a /dev/ttyUSB0 or /dev/ttyACM0'),
    ]
  const findings = await Promise.all(paths.map((path) => checkSerialPort(path, configured.includes(path), ask, baud)))
  return findings.filter((finding) => finding !== undefined)
}

async function listSerialPorts(): Promise<readonly string[]> {
  try {
    const { autoDetect } = await import('@serialport/bindings-cpp')
    return (await autoDetect().list()).map(({ path }) => path)
  } catch {
    // Without udev, the adapters still exist as files.
    return existsSync('/dev')
      ? readdirSync('/dev')
          .filter((name) => /^tty(USB|ACM)\d+$/.test(name))
          .map((name) => `/dev/${name}`)
      : []
  }
}

/** Returns `undefined` for a name that the system reserves for a port that this machine does not have. */
async function checkSerialPort(
  path: string,
  isConfigured: boolean,
  ask: boolean,
  baud: number | undefined,
): Promise<Finding | undefined> {
  const check = 'serial port'
  const finding = isConfigured ? problem : note
  if (process.platform !== 'win32') {
    if (!existsSync(path))
      return finding(check, `${path} does not exist`, 'plug the device in, or name an existing port')
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch {
      return finding(check, `${path}: this user may not open it`, groupRemedy(path))
    }
  }
  const [holder] = holdersOf(path)
  if (holder)
    return note(
      check,
      `${path} is in use by ${describeProgram(holder)}`,
      `fine if it is the service; otherwise stop it: kill ${holder.pid}`,
    )
  if (!ask) return ok(check, path)
  const { probe } = await import('../../scenarios/line/find-device.ts')
  const port = await probe(path, baud === undefined ? {} : { baud })
  if ('family' in port) return { ...ok(check, `${path}: ${describeDevice(port)}`), remedy: passportAdvice(path, port) }
  if ('silent' in port) {
    const remedy = 'check that the printer is on, connected and in PC mode; to try another speed, use --baud N'
    return finding(check, `${path}: no response`, remedy)
  }
  if (port.closed === PORT_IN_USE || /busy/i.test(port.closed)) {
    const remedy = `find it with: sudo fuser -v ${path}; fine if it is the service, otherwise stop it`
    return note(check, `${path} is in use by another program`, remedy)
  }
  if (!isConfigured && /input\/output|inappropriate/i.test(port.closed)) return undefined
  if (/inappropriate/i.test(port.closed))
    return finding(check, `${path} is not a serial port`, 'name a serial port, such as /dev/ttyUSB0')
  return finding(check, `${path} cannot be opened: ${port.closed}`, 'unplug the adapter and plug it in again')
}

async function checkAddress(address: string, ask: boolean, baud: number | undefined): Promise<Finding> {
  const check = 'device'
  if (!ask) return ok(check, address)
  const { probe } = await import('../../scenarios/line/find-device.ts')
  const device = await probe(address, baud === undefined ? {} : { baud })
  if ('family' in device) return ok(check, `${address}: ${describeDevice(device)}`)
  const remedy = 'check that the device is switched on, and that this is its address and port'
  if ('silent' in device) return problem(check, `${address}: no response`, remedy)
  return problem(check, `${address}: ${device.closed}`, remedy)
}

/** The group that may open the port is `dialout` on Debian and `uucp` elsewhere. */
function groupRemedy(path: string): string {
  const user = userInfo().username
  const group = missingGroup(path, user)
  if (!group) return `see which user may open it: ls -l ${path}`
  if (group.isMember) return `this user belongs to the group ${group.name} since its last login: log in again`
  return `sudo usermod -aG ${group.name} ${user}, then log in again`
}

const describeProgram = ({ name, pid }: Program): string => `${name} (process ${pid})`

/** Some programs occupy every serial adapter, so that the check does not depend on adapters that are plugged in now. */
function checkPortGrabbers(): Finding[] {
  if (process.platform !== 'linux') return []
  const check = 'adapters'
  const findings = programsNamed('ModemManager').map((program) =>
    note(
      check,
      `${describeProgram(program)} probes every new serial port for a modem: a printer may print the probe, or not respond`,
      'sudo systemctl disable --now ModemManager',
    ),
  )
  const rule = brlttyRule()
  if (!rule) return findings
  const remedy = `sudo apt-get remove brltty, or sudo ln -sf /dev/null /etc/udev/rules.d/${basename(rule.file)}; then plug it in again`
  const takes = 'a rule of brltty claims USB adapters, and their serial ports then disappear'
  if (rule.matchedAdapters.length === 0) return [...findings, note(check, `${takes} (${rule.file})`, remedy)]
  return [
    ...findings,
    problem(check, `${takes} (${rule.file}): ${rule.matchedAdapters.join(', ')} is plugged in`, remedy),
  ]
}

const passportAdvice = (path: string, { family, baud }: FoundDevice): string =>
  `to record how it behaves: ${rigCommand(['passport', ...formatOptions({ device: path, family, baud })])}`

function describeDevice({ family, baud, identity }: FoundDevice): string {
  const what = identity ? `, ${identity.model}, serial number ${identity.serialNumber}` : ''
  return `family ${family} at ${baud} baud${what}`
}
