import { SimulatedClock } from '../../drivers/model/clock.ts'
import { DURATION_EXPECTED, durationMs } from '../../drivers/model/time-text.ts'
import { createEmulator, type Emulator, type EmulatorEvent, factorySettings } from '../../emulator/emulator.ts'
import { measuredTimes } from '../../emulator/line/durations.ts'
import { refusalText } from '../../emulator/panel/refusal-texts.ts'
import { dayView, documentView, hitView, zView } from '../../emulator/panel/views.ts'
import {
  checkClock,
  checkFlag,
  checkMembers,
  checkOptions,
  checkRates,
  checkWhole,
  checkWord,
  listNames,
} from './argument-checks.ts'
import { createWaiting } from './print-waits.ts'
import { receiptsOf } from './receipts.ts'
import { serialPortOn } from './serial-port.ts'
import type {
  DocumentView,
  FamilyName,
  Printer,
  PrinterEvents,
  PrinterOptions,
  Rule,
  SerialPortClass,
} from './types.ts'
import { noteOpen } from './unclosed-hint.ts'

interface PrinterInternals {
  emulator(): Emulator
  /** Registers a call that is made before the device is closed. The returned function cancels the registration. */
  beforeEnd(call: () => Promise<void>): () => void
}

const internals = new WeakMap<object, PrinterInternals>()

/** Throws TypeError for any value that is not a printer. */
export function insideOf(printer: unknown): PrinterInternals {
  const inside = typeof printer === 'object' && printer !== null ? internals.get(printer) : undefined
  if (inside) return inside
  throw new TypeError('expected a printer of startPrinter')
}

const DOCUMENT_WITHIN_MS = 5000
const LONGEST_WAIT_MS = 2_147_483_647

/**
 * Starts a device: in memory, at once, and isolated; any number of them may run concurrently, and nothing of one
 * remains after `close`. Rejects with a readable message for impossible options.
 */
export async function startPrinter(options: PrinterOptions): Promise<Printer> {
  checkOptions(options)
  const deviceClock = options.clock === undefined ? undefined : new SimulatedClock(checkClock(options.clock))
  const passport =
    options.passport === undefined ? undefined : (await import('./passport.ts')).passportOf(options.passport, options)
  const emulator = createEmulator({
    family: options.family,
    ...(options.profile !== undefined && { profile: options.profile }),
    ...(passport && { passport }),
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(options.switches && { options: options.switches }),
    ...(options.data !== undefined && { data: options.data }),
    ...(options.baud !== undefined && { baud: options.baud }),
    ...(options.realistic && { times: measuredTimes(passport?.line) }),
    settings: factorySettings({
      taxRates: options.taxRates && checkRates(options.taxRates),
      fiscalised: options.fiscalised,
    }),
    ...(deviceClock && { deviceClock }),
  })
  try {
    const asStarted = await startingState(emulator, options)
    asStarted()
    return printerOver(emulator, deviceClock, asStarted)
  } catch (problem) {
    await emulator.close()
    throw problem
  }
}

/** Returns a function that adds the articles and fault rules of the options, at the start and after each reset. */
async function startingState(emulator: Emulator, { articles, faults = [] }: PrinterOptions): Promise<() => void> {
  const program = articles && (await import('../../emulator/panel/program-articles.ts')).programmer(emulator, articles)
  return () => {
    if (program) withOptionName('articles', program)
    emulator.faults.clear()
    if (faults.length > 0) withOptionName('faults', () => void emulator.faults.addAll(faults))
  }
}

function withOptionName(option: string, act: () => void): void {
  try {
    act()
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem)
    throw new RangeError(`startPrinter: ${option}: ${why.replaceAll('\n', '; ')}`, { cause: problem })
  }
}

/**
 * Creates the printer of an existing device. `deviceClock` is the separate clock of the device, if any. `asStarted`
 * restores the starting state after a reset.
 */
export function printerOver(
  emulator: Emulator,
  deviceClock?: SimulatedClock,
  asStarted: () => void = () => undefined,
): Printer {
  const ends = new Set<() => Promise<void>>()
  const untilClosed = registerOpen(ends)
  const waiting = createWaiting(emulator)
  let ended: Promise<void> | undefined
  const open = (): Emulator => {
    if (ended) throw new Error('the printer is closed')
    return emulator
  }
  const device = () => open().device
  const end = async () => {
    waiting.end()
    stopWaiting()
    for (const call of ends) await call()
    await emulator.close()
  }
  const stopWaiting = emulator.subscribe((event) => {
    if (event.type === 'document') emitDocument(emulator, event.id, waiting.printed)
  })
  let portClass: SerialPortClass | undefined

  const printer: Printer = {
    family: emulator.family as FamilyName,
    profile: emulator.profile.profile,
    serialNumber: emulator.profile.serialNumber,
    binding: emulator.binding,
    path: emulator.path,
    get SerialPort() {
      portClass ??= serialPortOn(emulator.binding)
      return portClass
    },
    async listen(options) {
      checkMembers('listen', options, ['port', 'host'])
      const { host = '127.0.0.1' } = options
      const { port } = untilClosed(
        'a TCP port',
        await open().listenTcp(checkWhole('listen: port', options.port, 0, 65_535), host),
      )
      return { host, port }
    },
    link: async (path) => untilClosed('a serial port', await open().openPty(path)).link,

    receipts: () => receiptsOf(device()),
    documents: () => device().documents().map(documentView),
    paper: ((id: number, as?: 'png' | 'svg') => paperOf(open(), id, as)) as Printer['paper'],
    get display() {
      return [...device().display.lines]
    },
    get day() {
      return dayView(device())
    },
    journal: () => device().journal.read(),
    zReports: () => device().memory.zs(1, Number.MAX_SAFE_INTEGER).map(zView),
    frames: () => open().frames(),

    fault: (rule) => faultOf(open(), rule),
    setPaper: (state) => open().setPaper(checkWord('setPaper', state, ['ok', 'low', 'out'])),
    setCover: (isOpen) => open().setCover(checkFlag('setCover', isOpen)),
    setPower: (on) => open().setPower(checkFlag('setPower', on)),
    setCable: async (connected) => open().setCable(checkFlag('setCable', connected)),
    advance: (duration) => advance(open(), duration, deviceClock),
    snapshot: () => device().snapshot(),
    restore: (state) => open().restore(state),
    reset() {
      open().reset()
      emulator.setPaper('ok')
      emulator.setCover(false)
      asStarted()
    },

    nextDocument({ within = DOCUMENT_WITHIN_MS } = {}) {
      const next = (async () => {
        open()
        return waiting.next(checkWhole('nextDocument: within', within, 0, LONGEST_WAIT_MS))
      })()
      // A rejection after the test has failed must not fail the test again.
      next.catch(() => undefined)
      return next
    },
    on: (event, listener) => listenTo(open(), event, listener),
    close() {
      ended ??= end()
      return ended
    },
    [Symbol.asyncDispose]: () => printer.close(),
  }
  internals.set(printer, {
    emulator: open,
    beforeEnd(call) {
      ends.add(call)
      return () => ends.delete(call)
    },
  })
  return printer
}

const registerOpen =
  (ends: Set<() => Promise<void>>) =>
  <Line>(what: string, line: Line): Line => {
    const noteClosed = noteOpen(what)
    ends.add(async () => noteClosed())
    return line
  }

function paperOf(emulator: Emulator, id: number, as?: 'png' | 'svg'): string | Promise<string | Uint8Array> {
  const { device } = emulator
  const document = device.document(checkWhole('paper: id', id, 0, Number.MAX_SAFE_INTEGER))
  if (!document) throw new RangeError(`paper: there is no document ${id}`)
  if (as === undefined) return document.text.join('\n')
  const form = checkWord('paper: as', as, ['png', 'svg'])
  return (async () => {
    const { documentSvg } = await import('../../emulator/print/document-svg.ts')
    const svg = documentSvg(document, device.profile.lineWidth)
    return form === 'svg' ? svg : (await import('../../emulator/print/png-paper.ts')).paperPng(svg)
  })()
}

function faultOf({ faults }: Emulator, rule: Rule): ReturnType<Printer['fault']> {
  const { id } = faults.add(rule)
  let last = 0
  return {
    get hits() {
      last = faults.get(id)?.hits ?? last
      return last
    },
    remove() {
      last = faults.get(id)?.hits ?? last
      faults.remove(id)
    },
  }
}

function advance(emulator: Emulator, duration: unknown, deviceClock: SimulatedClock | undefined): void {
  const ms = typeof duration === 'string' ? durationMs(duration) : undefined
  if (ms === undefined) throw new RangeError(`advance: ${DURATION_EXPECTED}`)
  if (deviceClock) {
    deviceClock.advance(ms)
    return
  }
  const { device } = emulator
  const outcome = emulator.setClock(device.localTime(device.now() + ms))
  if (!outcome.ok) throw new Error(`advance: the clock cannot be moved on: ${refusalText(outcome.refusal)}`)
}

/**
 * Calls the listener after the command is complete, so that the listener's actions on the device cannot affect the
 * command.
 */
function emitDocument(emulator: Emulator, id: number, listener: (document: DocumentView) => void): void {
  const document = emulator.device.document(id)
  if (document) queueMicrotask(() => listener(documentView(document)))
}

type EventAdapter<Name extends keyof PrinterEvents> = (
  event: EmulatorEvent,
  emulator: Emulator,
) => PrinterEvents[Name] | undefined

const EVENT_ADAPTERS: { readonly [Name in keyof PrinterEvents]: EventAdapter<Name> } = {
  document: (event, { device }) => {
    const document = event.type === 'document' ? device.document(event.id) : undefined
    return document && documentView(document)
  },
  frame: (event, emulator) => (event.type === 'frame' ? emulator.decode(event.entry) : undefined),
  display: (event) => (event.type === 'display' ? [...event.lines] : undefined),
  fault: (event, { device }) => (event.type === 'fault' ? hitView(event, device.localTime()) : undefined),
}

function listenTo<Name extends keyof PrinterEvents>(
  emulator: Emulator,
  event: Name,
  listener: (what: PrinterEvents[Name]) => void,
): () => void {
  const eventAdapter: EventAdapter<Name> | undefined = Object.hasOwn(EVENT_ADAPTERS, event)
    ? EVENT_ADAPTERS[event]
    : undefined
  if (!eventAdapter)
    throw new TypeError(
      `on: there is no event ${JSON.stringify(event)}; there are ${listNames(Object.keys(EVENT_ADAPTERS))}`,
    )
  if (typeof listener !== 'function') throw new TypeError(`on: expected a function that is called with the ${event}`)
  let isOver = false
  const stop = emulator.subscribe((happened) => {
    const message = eventAdapter(happened, emulator)
    if (message !== undefined) queueMicrotask(() => isOver || listener(message))
  })
  return () => {
    isOver = true
    stop()
  }
}
