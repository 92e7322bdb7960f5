/**
 * A service on simulated time that may be killed and started again on the same journal, over an emulated device: what the
 * recovery suites are run on. No HTTP: requests go to the service as app.ts would hand them on.
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
  /** What the service noted about requests without a caller, in all its lives. */
  readonly warnings: readonly string[]
  post(path: string, body?: object, key?: string): Promise<Answer>
  /** Lets the time pass until this is over. */
  run<T>(work: Promise<T>): Promise<T>
  /**
   * The process ends when this many frames have gone out and the next one is due; `sent`: just after that one too.
   * The answer when the request ends before that.
   */
  postAndKill(at: Kill, path: string, body?: object, key?: string): Promise<Answer | 'killed'>
  /** The same with work of the test's own. */
  killDuring<T>(at: Kill, work: () => Promise<T>): Promise<T | 'killed'>
  /** The same while the service settles what it found at its start. */
  startAndKill(at: Kill): Promise<'started' | 'killed'>
  /** The other end of the service's port from now on; the port itself is lost and found again. */
  connectTo(end: EmulatedBinding): Promise<void>
  /** A new service on the same journal; nothing of the old one happens any more. `between`: while nobody has the file. */
  restart(between?: () => void): void
  close(): Promise<void>
}

/** Another program on the connector of the device, which gives it back afterwards. */
export async function another(
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

/** Sweeps start thousands: most keep books and journal as plain rows, the first and each fiftieth in SQLite. */
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
      // The operating system tells a waiting reader of the loss; nobody is that quick with a plug.
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
  /** Resolves when that many frames have passed and the next one was held back, or has passed without a way back. */
  closeAfter(at: Kill): Promise<void>
  connectTo(end: EmulatedBinding): void
  /** The port is given back, as the operating system does for a process that ended. */
  shut(): void
}

/** What stands between a service and its device, and ends it: a held write never returns, so nothing behind it runs. */
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
        // On a line that another program shares nobody locks.
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
            // Single bytes are pings and acknowledgements; frames are what commands are made of.
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
