/**
 * A service on simulated time, over an emulated device, that a test kills and restarts on the same operation log.
 * Requests reach the service as app.ts passes them, without HTTP.
 */

import { openPrinter } from '../../drivers/index.ts'
import type { Binding } from '../../drivers/link/port.ts'
import { SimulatedClock, settled, simulate } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { readJson } from '../../drivers/model/json.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Emulator, EmulatorOptions } from '../../emulator/emulator.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import type { EmulatedBinding } from '../../emulator/line/binding.ts'
import { portOf } from '../../scenarios/simulation/other-program.ts'
import { openStores, type Stores } from '../../server/compose.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import type { LogLocation } from '../../server/operations/log/log-file.ts'
import { openPlainTables } from '../../server/operations/log/plain-tables.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import type { Service } from '../../server/service.ts'
import { type Answer, composeService, START, startPrinter } from './rig.ts'

export interface KillableService {
  readonly clock: SimulatedClock
  readonly emulator: Emulator
  readonly printer: FiscalPrinter
  readonly service: Service
  readonly stores: Stores
  readonly warnings: readonly string[]
  post(path: string, body?: object, key?: string): Promise<Answer>
  /** Advances the time until the work is complete. */
  run<T>(work: Promise<T>): Promise<T>
  /**
   * Kills the process when `frames` frames have been sent and the next one is due, or, if `sent` is true, just after
   * that next frame. Resolves to the response if the request ends earlier.
   */
  postAndKill(at: Kill, path: string, body?: object, key?: string): Promise<Answer | 'killed'>
  killDuring<T>(at: Kill, work: () => Promise<T>): Promise<T | 'killed'>
  /** Kills the process while the service reconciles what it found at its start. */
  startAndKill(at: Kill): Promise<'started' | 'killed'>
  /** Connects the service's port to another device. The port is lost and found again. */
  connectTo(end: EmulatedBinding): Promise<void>
  /**
   * Starts a new service on the same operation log and stops the old one. `between` runs while no process has the file
   * open.
   */
  restart(between?: () => void): void
  close(): Promise<void>
}

export async function asOtherProgram(
  { emulator, clock, run }: KillableService,
  act: (printer: FiscalPrinter) => Promise<unknown>,
): Promise<void> {
  const printer = openPrinter(
    { family: emulator.family, device: emulator.path },
    { binding: portOf(emulator, 'other program'), clock, random: () => 0.25 },
  )
  await run(act(printer).finally(() => printer.disconnect()))
}

export interface Kill {
  readonly frames: number
  readonly sent: boolean
}

export interface KillableOptions extends Partial<EmulatorOptions> {
  readonly journal?: LogLocation
}

/**
 * Every fiftieth service, and the first, stores its device and its log in SQLite. All others use plain rows, because
 * sweeps start thousands of services.
 */
const ON_SQLITE_EVERY = 50
let services = 0

export function startKillableService(family: Family, { journal, ...options }: KillableOptions = {}): KillableService {
  const clock = new SimulatedClock(START)
  const isOnSqlite = services++ % ON_SQLITE_EVERY === 0
  const device = startPrinter({ family, clock, ...(!isOnSqlite && { store: new PlainStore() }), ...options })
  const { emulator } = device
  const earlier: string[] = []
  let stores = openStores(clock, { journal: journal ?? (isOnSqlite ? ':memory:' : openPlainTables()) })
  let gate = gateTo(emulator.binding)
  let life = begin()

  function begin() {
    return composeService(device.driver({}, { binding: gate.binding }), { clock, stores })
  }

  async function post(path: string, body?: object, key?: string): Promise<Answer> {
    const endpoint = endpoints.find((one) => one.path === path && one.method === 'post')
    if (!endpoint) throw new Error(`there is no ${path}`)
    const json = body === undefined ? undefined : readJson(JSON.stringify(body))
    const deadline = { until: clock.now() + REQUEST_MAX_MS }
    const { body: text } = await life.service.handle(endpoint, { params: {}, body: json }, key, deadline)
    return JSON.parse(text) as Answer
  }

  const run = <T>(work: Promise<T>): Promise<T> => simulate(clock, work)
  const untilKilled = <T>(at: Kill, work: () => Promise<T>): Promise<T | 'killed'> => {
    const killed = gate.closeAfter(at).then(() => 'killed' as const)
    return run(Promise.race([killed, work()]))
  }

  return {
    clock,
    emulator,
    get warnings() {
      return [...earlier, ...life.warnings]
    },
    get printer() {
      return life.printer
    },
    get service() {
      return life.service
    },
    get stores() {
      return stores
    },
    post: (path, body, key) => run(post(path, body, key)),
    run,
    postAndKill: (at, path, body, key) => untilKilled(at, () => post(path, body, key)),
    killDuring: untilKilled,
    startAndKill: (at) => untilKilled(at, () => life.service.start().then(() => 'started' as const)),
    async connectTo(end) {
      gate.connectTo(end)
      // The operating system informs a waiting reader of the loss before a person can plug in another device.
      await settled()
    },
    restart(between) {
      gate.shut()
      earlier.push(...life.warnings)
      if (journal !== undefined) {
        stores.close()
        between?.()
        stores = openStores(clock, { journal })
      }
      gate = gateTo(emulator.binding)
      life = begin()
    },
    async close() {
      gate.shut()
      await emulator.close()
      stores.close()
    },
  }
}

interface Gate {
  readonly binding: Binding
  /** Resolves when `frames` frames have passed and the next one was held back, or was sent without its response. */
  closeAfter(at: Kill): Promise<void>
  connectTo(end: EmulatedBinding): void
  shut(): void
}

/** The gate stops the service: a write that is held back never returns, so no later code runs. */
function gateTo(first: EmulatedBinding): Gate {
  let real = first
  let left = Number.POSITIVE_INFINITY
  let passesLast = false
  let isClosed = false
  let reached: () => void = () => undefined
  const open = new Set<{ close(): Promise<void> }>()
  const never = new Promise<never>(() => undefined)
  return {
    binding: {
      async open(options) {
        // Another program of the test opens the same line, so the line is not locked.
        const port = await real.open({ ...options, path: real.path, lock: false })
        open.add(port)
        return {
          get isOpen() {
            return port.isOpen
          },
          close: () => port.close(),
          read: (buffer, offset, length) => port.read(buffer, offset, length).then((read) => (isClosed ? never : read)),
          getBaudRate: () => port.getBaudRate(),
          write(buffer) {
            // Single bytes are pings and acknowledgements; frames carry commands.
            const isLast = buffer.length > 2 && left-- <= 0
            if (!isLast && !isClosed) return port.write(buffer)
            if (!isClosed && passesLast) void port.write(buffer)
            isClosed = true
            reached()
            return never
          },
        }
      },
    },
    closeAfter({ frames, sent }) {
      left = frames
      passesLast = sent
      return new Promise((resolve) => {
        reached = resolve
      })
    },
    connectTo(end) {
      real.disconnect()
      real.connect()
      real = end
    },
    shut() {
      isClosed = true
      for (const port of open) void port.close().catch(() => undefined)
      open.clear()
    },
  }
}
