/**
 * The present state of the service, and its events. `GET /api/status` and `GET /api/events` read it without waiting for
 * the device.
 */
import { capitalize } from '../drivers/model/capitalize.ts'
import type { Clock } from '../drivers/model/clock.ts'
import { cannotPrint, type DeviceProblem, describeProblem } from '../drivers/model/errors.ts'
import type { Condition, DeviceIdentity, FiscalPrinter } from '../drivers/model/printer.ts'
import { failure, type Reply } from './envelope.ts'
import { outcomeOf } from './operations/outcome.ts'
import type { RequestDeadline } from './printer-queue.ts'

interface RequestOnDevice {
  readonly endpoint: string
  readonly prints: boolean
  readonly request: string | undefined
}

export interface JobDeadline extends RequestDeadline {
  readonly job: RequestOnDevice
}

interface Warning {
  readonly Name: string
  readonly Message: string
}

/**
 * The request that the device is executing. `WaitsFor`: the reason why the device waits for a person, otherwise null.
 */
interface Busy {
  readonly Request: string | null
  readonly Endpoint: string
  readonly Since: string
  readonly WaitsFor: string | null
}

interface LastError {
  readonly Request: string | null
  readonly Endpoint: string
  readonly At: string
  readonly StatusCode: number
  readonly Message: string
}

export interface ServiceStatus {
  readonly Device: Pick<DeviceIdentity, 'family' | 'model' | 'firmware' | 'serialNumber' | 'fiscalMemoryNumber'> | null
  readonly Connected: boolean
  readonly Busy: Busy | null
  readonly Waiting: number
  readonly Warnings: readonly Warning[]
  readonly LastError: LastError | null
}

type ServiceEvent =
  | readonly ['begun', { readonly Request: string | null; readonly Endpoint: string; readonly At: string }]
  | readonly [
      'printed',
      {
        readonly Request: string | null
        readonly Endpoint: string
        readonly At: string
        readonly TookMs: number
        readonly ReceiptNumber: string | null
      },
    ]
  | readonly ['failed', LastError]
  | readonly ['warning', Warning & { readonly At: string }]

const because = (condition: Parameters<typeof cannotPrint>[0]): string =>
  describeProblem(cannotPrint(condition), { mayRepeat: false })

/** The report has the warnings in this order. */
const WARNINGS: Readonly<Record<Condition, string>> = {
  paperOut: because('noPaper'),
  paperNearlyOut: 'The paper is nearly out. Have a new roll ready.',
  coverOpen: because('coverOpen'),
  coverOrMechanism: because('coverOrMechanism'),
  mechanism: because('mechanism'),
  overheated: because('overheated'),
  clockNotSet: 'The clock of the device is not set.',
  fiscalMemoryFull: "The fiscal memory is full; the device can no longer sell. Contact the device's service.",
  fiscalMemoryNearlyFull: "The fiscal memory is nearly full. Contact the device's service before it is full.",
  journalFull: "The electronic journal is full. Contact the device's service.",
  journalNearlyFull: "The electronic journal is nearly full. Contact the device's service before it is full.",
}
const PAPER_OR_COVER = 'PaperOrCover'

const nameOf = (condition: Condition): string => capitalize(condition)

export class Activity {
  readonly #printer: FiscalPrinter
  readonly #clock: Clock
  readonly #waiting: () => number
  readonly #listeners = new Set<(event: ServiceEvent) => void>()
  #busy: Busy | null = null
  #lastError: LastError | null = null
  #activeConditions: ReadonlySet<Condition> = new Set()

  constructor(printer: FiscalPrinter, clock: Clock, waiting: () => number) {
    this.#printer = printer
    this.#clock = clock
    this.#waiting = waiting
  }

  get status(): ServiceStatus {
    const { isConnected, identity = null } = this.#printer.state
    return {
      Device: identity,
      Connected: isConnected,
      Busy: this.#busy,
      Waiting: this.#waiting(),
      Warnings: this.warnings,
      LastError: this.#lastError,
    }
  }

  get warnings(): readonly Warning[] {
    const { conditions } = this.#printer.state
    const names = (Object.keys(WARNINGS) as Condition[]).filter((name) => conditions.has(name))
    const waitsFor = this.#busy?.WaitsFor
    return [
      ...(waitsFor ? [{ Name: PAPER_OR_COVER, Message: waitsFor }] : []),
      ...names.map((name) => ({ Name: nameOf(name), Message: WARNINGS[name] })),
    ]
  }

  get paperWarning(): string | undefined {
    return this.#printer.state.conditions.has('paperNearlyOut') ? WARNINGS.paperNearlyOut : undefined
  }

  listen(listener: (event: ServiceEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async during(of: RequestOnDevice, job: () => Promise<Reply>): Promise<Reply> {
    const { endpoint: Endpoint, request = null } = of
    const began = this.#clock.now()
    const named = { Request: request, Endpoint }
    this.#busy = { ...named, Since: this.#now(), WaitsFor: null }
    if (of.prints) this.#emit(['begun', { ...named, At: this.#now() }])
    let error: unknown
    let reply: Reply
    try {
      reply = await job()
    } catch (problem) {
      error = problem
      reply = failure(outcomeOf(problem))
    }
    this.#busy = null
    this.#ended(of, reply, this.#clock.now() - began)
    if (error !== undefined) throw error
    return reply
  }

  #ended({ endpoint: Endpoint, request, prints }: RequestOnDevice, { status, body, outcome }: Reply, tookMs: number) {
    const At = this.#now()
    const named = { Request: request ?? null, Endpoint, At }
    if (status >= 400) {
      const { Message } = JSON.parse(body) as { Message: string }
      this.#lastError = { ...named, StatusCode: status, Message }
      if (prints) this.#emit(['failed', this.#lastError])
    } else if (prints)
      this.#emit(['printed', { ...named, TookMs: tookMs, ReceiptNumber: outcome?.receiptNumber ?? null }])
    this.#reportNewConditions(At)
  }

  #reportNewConditions(At: string): void {
    const { conditions } = this.#printer.state
    if (conditions === this.#activeConditions) return
    for (const name of Object.keys(WARNINGS) as Condition[])
      if (conditions.has(name) && !this.#activeConditions.has(name))
        this.#emit(['warning', { Name: nameOf(name), Message: WARNINGS[name], At }])
    this.#activeConditions = conditions
  }

  waitsFor(problem: DeviceProblem): void {
    if (this.#busy === null) return
    const Message = describeProblem(problem, { mayRepeat: false })
    this.#busy = { ...this.#busy, WaitsFor: Message }
    this.#emit(['warning', { Name: PAPER_OR_COVER, Message, At: this.#now() }])
  }

  #emit(event: ServiceEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  #now(): string {
    return new Date(this.#clock.wallTime()).toISOString()
  }
}
