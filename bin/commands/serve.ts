import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { RequestHandler } from 'express'
import { formatOptions, rigCommand } from '../../drivers/host/shell-command.ts'
import { openPrinter, type PrinterConfig } from '../../drivers/index.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { type Emulator, factorySettings } from '../../emulator/emulator.ts'
import { WrongCall } from '../../emulator/panel/call-input.ts'
import type { CallListener, ControlOptions } from '../../emulator/panel/controls.ts'
import type { Till } from '../../emulator/panel/till.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import { admitted } from '../../scenarios/runner/http-exchange.ts'
import type { RecordedFiles, Recorder } from '../../scenarios/runner/request-recorder.ts'
import { CertificateStore, leafNames, readPair, type TlsMaterial } from '../../server/certificates.ts'
import { type ComposedService, compose, LOG, openStores, printerConfig } from '../../server/compose.ts'
import type { Overrides, Settings } from '../../server/config.ts'
import type { DataFolder } from '../../server/data-folder.ts'
import { ListenError, type Listening, listen } from '../../server/listen.ts'
import { createLog, type Log } from '../../server/log.ts'
import { LOG_LEVELS, type LogFormat, type LogLevel } from '../../server/log-options.ts'
import { openWarning, warningLine, warningOf } from '../beyond-loopback.ts'
import { docsAt } from '../docs-address.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, endWithParent, openStore, StartedParts, untilSignal } from '../exit.ts'
import { observedRequests } from '../observed-requests.ts'
import { dataFolderOf, settingsFrom } from '../options.ts'
import { chosenPassport } from '../passport-file.ts'
import { chosenIdentity, systemRandom } from '../serial-number.ts'
import type { OpenPanel } from '../start-device.ts'
import { notifySystemd, type UnitKind, unitAdvice, unitText } from '../systemd.ts'
import { say, writeLine } from '../terminal-output.ts'

interface ServeOptions extends Overrides {
  readonly config?: string
  readonly deviceName?: string
  readonly serial?: string
  readonly notFiscalised?: boolean
  readonly family?: Family
  readonly profile?: string
  readonly passport?: string
  readonly record?: string
  readonly withPasswords?: boolean
  readonly logLevel?: LogLevel
  readonly logFormat?: LogFormat
  readonly json?: boolean
  readonly printUnit?: UnitKind
  readonly exitWithParent?: boolean
}

interface ReadyReport {
  readonly http: string
  readonly https?: string
  readonly warning?: string
  readonly panel?: string
  readonly family: Family
  readonly pid: number
}

/**
 * Time limit in ms for requests when the service stops: enough for the receipt on the device, and below the promised
 * 2 s.
 */
const END_OF_REQUESTS_MS = 1200
const CERTIFICATE_CHECK_MS = 12 * 60 * 60 * 1000

/**
 * Without this flag, V8's space for new objects doubles under load, and a service that prints all day uses a third
 * more memory without being faster (`npm run bench`).
 */
const keepYoungSpace = (): void => setFlagsFromString('--semi-space-growth-factor=1')

export async function serve(options: ServeOptions): Promise<void> {
  const passport = chosenPassport(options)
  const device = passport && { family: passport.device.family, profile: passport.device.profile }
  const settings = await settingsFrom(options.config, { ...options, ...device })
  if (passport && settings.device !== 'emulator')
    throw new Exit(EXIT_USAGE, `--passport is for the emulated device, not for ${settings.device}: omit it`)
  if (options.serial !== undefined && settings.device !== 'emulator')
    throw new Exit(EXIT_USAGE, `--serial is for the emulated device, not for ${settings.device}: omit it`)
  if (options.notFiscalised && settings.device !== 'emulator')
    throw new Exit(EXIT_USAGE, `--not-fiscalised is for the emulated device, not for ${settings.device}: omit it`)
  if (options.withPasswords && options.record === undefined)
    throw new Exit(EXIT_USAGE, 'error: --with-passwords requires --record')
  if (options.printUnit !== undefined) return printUnit(options.printUnit)
  if (options.exitWithParent) endWithParent()
  const started = new StartedParts()
  try {
    const ready = await start(settings, options, started, passport)
    keepYoungSpace()
    if (options.json) say(`${JSON.stringify(ready.line)}\n`)
    else say(greeting(ready.line, settings, options, ready.data, ready.recorded))
    started.add(notifySystemd(process.env, writeLine))
  } catch (error) {
    await started.end()
    throw error
  }
  await untilSignal(started)
}

function printUnit(kind: UnitKind): void {
  const [program = '', , ...words] = process.argv.slice(1)
  const args = words.filter((word, index) => {
    const isKind = words[index - 1] === '--print-unit' && ['system', 'user'].includes(word)
    return !isKind && !/^--print-unit(?:=|$)/.test(word)
  })
  const unit = unitText({ kind, program: [process.execPath, resolve(program)], args, folder: process.cwd() })
  say(`${unitAdvice(kind)}${unit}`)
}

async function start(
  settings: Settings,
  options: ServeOptions,
  started: StartedParts,
  passport: Passport | undefined,
): Promise<{ line: ReadyReport; data: DataFolder; recorded: RecordedFiles }> {
  const format = options.logFormat ?? (process.stderr.isTTY ? 'pretty' : 'json')
  const log = createLog({ level: options.logLevel ?? logLevel(options.json === true), format })
  const warning = warningFor(settings)
  if (warning !== undefined) log.warn(warning)
  const data = dataFolderOf(settings, 'serve')
  started.add(data.release)
  // A recording must contain manual actions that precede the start of the service.
  let recorder: Recorder | undefined
  const carriedOut: CallListener = (name, body) => recorder?.noteCall(name, body)
  let service: ComposedService | undefined
  const till: Till = async (path, body) => {
    if (!service) throw new WrongCall('Nothing was printed: the service is starting. Retry in a moment.')
    const { tillOver } = await import('../till-over-service.ts')
    return tillOver(service.app, settings)(path, body)
  }
  const requests = observedRequests(settings, () => service?.app)
  let listening: Listening | undefined
  const controlOptions = { carriedOut, till, requests, service: () => listening?.httpUrl }
  const { printer, panel, emulator } = await openDevice(
    settings,
    { ...options, passport },
    data,
    log,
    started,
    controlOptions,
  )
  started.add(() => printer.disconnect())
  const journal = data.database(LOG)
  const stores = openStore(journal, () => {
    const opened = openStores(systemClock, { journal, existedBefore: data.hasFile(LOG), why: data.why })
    data.keep(LOG)
    return opened
  })
  started.add(() => stores.close())
  const addresses = {
    secure: async () => listening?.addresses.secure(),
    local: () => listening?.addresses.local() ?? '',
  }
  recorder =
    options.record === undefined
      ? undefined
      : await recording(options.record, settings, emulator, options.withPasswords)
  // Parts are ended in reverse order, so that this line is written after the last request.
  started.add(() => {
    if (recorder && listening && !options.json) say(`${recordedTo(recorder.files())}\n`)
  })
  const observed: RequestHandler = (request, response, next) =>
    requests.observed(request, response, () => (recorder ? recorder.observed(request, response, next) : next()))
  const panelAddress =
    panel !== undefined && emulator ? { panel: panel.url, serialNumber: emulator.profile.serialNumber } : undefined
  const seams = { clock: systemClock, stores, addresses, log, observed, admitted }
  service = compose({ settings, printer, ...seams, panel: panelAddress })
  listening = await open(service, settings, data, log, trustCommand(options, data), started)
  const composed = service
  void composed.service.start().then(() => composed.checkTaxCodes())
  const line = {
    http: listening.httpUrl,
    ...omitUndefined({ https: listening.httpsUrl, warning: warningOf(warning, panel), panel: panel?.url }),
    family: settings.family,
    pid: process.pid,
  }
  return { line, data, recorded: recorder?.files() ?? [] }
}

function warningFor({ listen, apiKey, device }: Settings): string | undefined {
  const { host, panelHost, open } = listen
  const panel = { host: panelHost, option: '--panel-host', does: 'operate this device' } as const
  return openWarning(
    [{ host, option: '--host', does: 'print on this device' }, ...(device === 'emulator' ? [panel] : [])],
    { apiKey, open },
  )
}

function logLevel(quiet: boolean): LogLevel {
  const name = process.env['FISCAL_RIG_LOG']
  if (name === undefined) return quiet ? 'info' : 'warn'
  const level = LOG_LEVELS.find((one) => one === name)
  if (level) return level
  throw new Exit(EXIT_USAGE, `FISCAL_RIG_LOG: expected one of ${LOG_LEVELS.join(', ')}`)
}

async function openDevice(
  settings: Settings,
  options: Pick<ServeOptions, 'deviceName' | 'serial' | 'panelPort' | 'notFiscalised'> & {
    readonly passport: Passport | undefined
  },
  data: DataFolder,
  log: Log,
  started: StartedParts,
  controlOptions: Pick<ControlOptions, 'carriedOut' | 'till' | 'requests' | 'service'>,
): Promise<{ printer: FiscalPrinter; panel?: OpenPanel; emulator?: Emulator }> {
  const seams = { clock: systemClock, log: log.note, ...(log.isDebug && { trace: log.trace }) }
  if (settings.device !== 'emulator') return { printer: printerAt(printerConfig(settings), seams) }
  const { startDevice, startPanel } = await import('../start-device.ts')
  const { family, profile } = settings
  const { deviceName, passport } = options
  const device = { family, ...omitUndefined({ profile, data: data.path, deviceName, passport }) }
  const identity = chosenIdentity(device, options.serial, systemRandom)
  const factory = factorySettings({ ...settings, fiscalised: !options.notFiscalised })
  const plan = { name: family, ...device, settings: factory, seed: 0, ...omitUndefined({ identity }) }
  const { emulator } = await startDevice(plan, started, log.note)
  const isChosen = options.panelPort !== undefined
  const printer = printerAt(printerConfig(settings, emulator.path), { ...seams, binding: emulator.binding })
  const panel = await startPanel(emulator, settings, started, { isChosen, ...controlOptions })
  if (panel.note !== undefined) log.warn(`Panel: ${panel.note}`)
  return { printer, panel, emulator }
}

function printerAt(config: PrinterConfig, seams: Parameters<typeof openPrinter>[1]): FiscalPrinter {
  try {
    return openPrinter(config, seams)
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(EXIT_USAGE, error.message)
    throw error
  }
}

async function recording(
  file: string,
  settings: Settings,
  emulator: Emulator | undefined,
  withPasswords: boolean | undefined,
): Promise<Recorder> {
  const { recordTo } = await import('../record-requests.ts')
  try {
    return recordTo(file, settings, emulator, omitUndefined({ withPasswords }))
  } catch (error) {
    throw new Exit(EXIT_USAGE, `--record: ${messageOf(error)}`)
  }
}

async function open(
  { app, service, endStreams }: ComposedService,
  settings: Settings,
  data: DataFolder,
  log: Log,
  trust: string | undefined,
  started: StartedParts,
): Promise<Listening> {
  const store = new CertificateStore(data.path, systemClock)
  const material = () => tlsMaterial(settings, store, log, trust)
  let listening: Listening
  try {
    listening = await listen(app, settings.listen, settings.listen.https ? await material() : undefined)
  } catch (error) {
    if (error instanceof ListenError) throw new Exit(EXIT_ENVIRONMENT, error.message)
    throw error
  }
  let cancel: () => void = () => undefined
  const checkAgain = () => {
    cancel = systemClock.after(CERTIFICATE_CHECK_MS, () => {
      material().then(listening.renew, log.trouble)
      checkAgain()
    })
  }
  if (settings.listen.https) checkAgain()
  started.add(async () => {
    cancel()
    endStreams()
    await Promise.all([listening.close(END_OF_REQUESTS_MS), inTime(service.queue.idle())])
  })
  return listening
}

function httpsTrust({ tls }: Settings, trust: string | undefined): string {
  if (trust !== undefined) return `how to trust it: ${trust}`
  return tls ? `with the certificate ${tls.certificate}` : 'its CA exists only while the service runs'
}

/** Returns the command that prints how to trust this service's CA. Without a data folder, the CA is not stored. */
const trustCommand = ({ config, data: option }: ServeOptions, { path }: DataFolder): string | undefined =>
  path === undefined ? undefined : rigCommand(['trust', ...formatOptions({ config, data: option })])

async function tlsMaterial(
  { tls, listen }: Settings,
  store: CertificateStore,
  log: Log,
  trust: string | undefined,
): Promise<TlsMaterial> {
  if (!tls) {
    const material = await store.material(leafNames(listen.hosts))
    if (material.replaced)
      log.warn(`A new certificate authority was created: ${material.replaced}. How to trust it: ${trust}`)
    return material
  }
  try {
    return readPair(tls.certificate, tls.key)
  } catch (error) {
    throw new Exit(EXIT_USAGE, `tls: expected a certificate and its key: ${messageOf(error)}`)
  }
}

function inTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, END_OF_REQUESTS_MS)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function greeting(
  ready: ReadyReport,
  settings: Settings,
  options: ServeOptions,
  data: DataFolder,
  recorded: RecordedFiles,
): string {
  const trust = trustCommand(options, data)
  const device = settings.device === 'emulator' ? 'emulated device' : `device at ${settings.device}`
  const lines = [
    `fiscal-rig serves family ${ready.family}, ${device}.`,
    `  HTTP    ${ready.http}`,
    ...(ready.https === undefined ? [] : [`  HTTPS   ${ready.https}   (${httpsTrust(settings, trust)})`]),
    ...warningLine(ready.warning),
    ...(ready.panel === undefined ? [] : [`  Panel   ${ready.panel}`]),
    `  Docs    ${docsAt(ready.http)}`,
    `  Data    ${data.path ?? 'in memory only'}`,
    ...(recorded.length === 0 ? [] : [`  Record  ${filesOf(recorded).join(', ')}`]),
    '',
    'Print a receipt:',
    `  curl -s ${ready.http}/print-fiscal-receipt -H 'Content-Type: application/json' \\`,
    ...(settings.apiKey === undefined ? [] : [`    -H 'Authorization: Bearer API_KEY' \\`]),
    `    -d '{"ReceiptItems": [{"Type": 1, "PluSale": {"PluNumber": 1}}]}'`,
    '',
    'End with Ctrl+C.',
  ]
  return `${lines.join('\n')}\n`
}

const filesOf = (recorded: RecordedFiles): string[] =>
  recorded.flatMap(({ scenario, paper, snapshot }) => [
    scenario,
    ...(paper === undefined ? [] : [`the paper in ${paper}`]),
    ...(snapshot === undefined ? [] : [`the initial state of the device in ${snapshot}`]),
  ])

const recordedTo = (recorded: RecordedFiles): string =>
  `Recorded: ${filesOf(recorded).join(', ')}.\nPlay it: ${rigCommand(['run', ...recorded.map(({ scenario }) => scenario)])}`
