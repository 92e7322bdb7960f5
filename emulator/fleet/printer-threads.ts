import type { Clock } from '../../drivers/model/clock.ts'
import { countText } from '../../drivers/model/count-text.ts'
import type { DeviceSnapshot } from '../fiscal/api.ts'
import type { PanelEvent } from '../panel/contract.ts'
import type { DocumentOrder } from './document-order.ts'
import { type FleetUpdates, stoppedPrinterRow } from './fleet-updates.ts'
import { type GroupWorker, startWorker, type ThreadProgram, type WorkerHooks } from './group-worker.ts'
import type { GroupMessage, StartOrder, StartReport } from './messages.ts'
import type { StartFailure } from './printer.ts'
import type { PrinterPlan } from './printer-plan.ts'

export interface FleetOptions {
  readonly plans: readonly PrinterPlan[]
  readonly failed?: readonly { readonly plan: PrinterPlan; readonly why: string }[]
  readonly workers: number
  readonly program: ThreadProgram
  readonly log: (line: string) => void
  readonly describeFailure: (failure: StartFailure, plan: PrinterPlan) => string
  readonly clock?: Clock
  readonly spawn?: WorkerHooks['spawn']
}

export interface FleetPrinter {
  readonly plan: PrinterPlan
  readonly profile?: string
  readonly tcp?: number
  readonly why?: string
}

/** A thread that dies more often than this within `DEATHS_WITHIN_MS` is not restarted. */
const DEATHS_MAX = 3
const DEATHS_WITHIN_MS = 60_000

interface Thread {
  worker: GroupWorker
  orders: StartOrder[]
  readonly deaths: number[]
}

interface Listener {
  readonly name: string
  readonly listener: (event: PanelEvent) => void
}

export class PrinterThreads {
  readonly printers: Map<string, FleetPrinter>
  readonly #options: FleetOptions
  readonly #clock: Clock
  readonly #order: DocumentOrder
  readonly #updates: FleetUpdates
  readonly #threads: Thread[] = []
  readonly #threadOf = new Map<string, Thread>()
  readonly #listeners = new Map<number, Listener>()
  #lastListener = 0
  #isEnding = false

  constructor(
    options: FleetOptions,
    printers: Map<string, FleetPrinter>,
    { clock, order, updates }: { readonly clock: Clock; readonly order: DocumentOrder; readonly updates: FleetUpdates },
  ) {
    this.#options = options
    this.printers = printers
    this.#clock = clock
    this.#order = order
    this.#updates = updates
  }

  async start(): Promise<void> {
    const { plans, workers } = this.#options
    const count = Math.max(1, Math.min(workers, plans.length))
    for (let number = 0; number < count; number++) {
      const orders = plans.filter((_plan, index) => index % count === number).map((plan) => orderOf(plan))
      const thread: Thread = { worker: undefined as unknown as GroupWorker, orders, deaths: [] }
      thread.worker = this.#spawn(thread)
      this.#threads.push(thread)
      for (const { plan } of orders) this.#threadOf.set(plan.name, thread)
    }
    await Promise.all(this.#threads.map((thread) => this.#start(thread)))
  }

  get workers(): readonly GroupWorker[] {
    return this.#threads.map(({ worker }) => worker)
  }

  workerOf(name: string): GroupWorker | undefined {
    return this.#threadOf.get(name)?.worker
  }

  listen(name: string, hear: (event: PanelEvent) => void): () => void {
    const listener = ++this.#lastListener
    this.#listeners.set(listener, { name, listener: hear })
    void this.workerOf(name)
      ?.ask('listen', { name, listener })
      .catch(() => undefined)
    return () => {
      this.#listeners.delete(listener)
      void this.workerOf(name)
        ?.ask('unlisten', { listener })
        .catch(() => undefined)
    }
  }

  /**
   * Sends each thread its part of a request. Returns the answers in the order of `members`; `undefined` for those
   * without an answer.
   */
  async everywhere<Ask extends { readonly name: string }, Answer>(
    members: readonly Ask[],
    ask: (worker: GroupWorker, part: readonly Ask[]) => Promise<readonly Answer[]>,
  ): Promise<(Answer | undefined)[]> {
    const answers = new Map<Ask, Answer>()
    await Promise.all(
      this.#threads.map(async (thread) => {
        const part = members.filter(({ name }) => this.#threadOf.get(name) === thread)
        const got = part.length === 0 ? [] : await ask(thread.worker, part).catch(() => [])
        part.forEach((one, index) => {
          const answer = got[index]
          if (answer !== undefined) answers.set(one, answer)
        })
      }),
    )
    return members.map((one) => answers.get(one))
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.workers.map((worker) => worker.end()))
  }

  #onMessage(thread: Thread, news: GroupMessage): void {
    switch (news.news) {
      case 'log':
        this.#options.log(`${news.name}: ${news.line}`)
        break
      case 'printed':
        for (const document of news.documents) this.#order.add(document)
        break
      case 'another':
        this.#order.forget(news.name)
        for (const own of news.documents) this.#order.add({ name: news.name, own })
        break
      case 'rows':
        this.#updates.rows(news.rows)
        break
      case 'events': {
        const listener = this.#listeners.get(news.listener)
        for (const event of news.events) listener?.listener(event)
        break
      }
      case 'dying': {
        const books = new Map<string, DeviceSnapshot>(news.books)
        thread.orders = thread.orders.map(({ plan }) => orderOf(plan, books.get(plan.name)))
      }
    }
  }

  /** Starts the printers of a thread. Printers that fail are reported and not tried again. */
  async #start(thread: Thread): Promise<readonly StartReport[]> {
    const reports = await thread.worker.ask('start', thread.orders)
    for (const report of reports) {
      const plan = this.printers.get(report.name)?.plan
      if (!plan) continue
      if (report.ok) {
        const { profile, tcp } = report
        this.#order.complete(report.name, report.documents)
        // A restarted thread uses the same TCP ports. `books` is omitted, because that state is used for one start
        // only.
        this.printers.set(report.name, { plan, profile, ...(tcp !== undefined && { tcp }) })
      } else this.#fail(plan, this.#options.describeFailure(report.failure, plan))
    }
    thread.orders = thread.orders.flatMap(({ plan: { name } }) => {
      const { plan, tcp, why } = this.printers.get(name) ?? {}
      return !plan || why !== undefined ? [] : [{ plan: { ...plan, ...(tcp !== undefined && { tcp }) } }]
    })
    return reports
  }

  #log(text: string): void {
    this.#options.log(text)
    this.#updates.notify(text)
  }

  #fail(plan: PrinterPlan, why: string): void {
    this.printers.set(plan.name, { plan, why })
    this.#log(`${plan.name}: ${why}`)
    this.#updates.rows([stoppedPrinterRow(plan, why)])
  }

  #spawn(thread: Thread): GroupWorker {
    const { program, spawn } = this.#options
    return startWorker(program, {
      ...(spawn && { spawn }),
      onMessage: (news) => this.#onMessage(thread, news),
      died: (why) => void this.#restart(thread, why),
    })
  }

  async #restart(thread: Thread, why: string): Promise<void> {
    if (this.#isEnding) return
    const number = this.#threads.indexOf(thread) + 1
    const now = this.#clock.now()
    thread.deaths.push(now)
    const isHopeless = thread.deaths.filter((at) => at > now - DEATHS_WITHIN_MS).length > DEATHS_MAX
    const count = thread.orders.length
    if (isHopeless) {
      this.#log(`thread ${number} crashed ${thread.deaths.length} times and will not be restarted: ${why}`)
      for (const { plan } of thread.orders) this.#fail(plan, `its thread crashed: ${why.split('\n')[0]}`)
      return
    }
    this.#log(`thread ${number} crashed and will be restarted with its ${countText(count, 'printer')}: ${why}`)
    const lostPrinters = thread.orders.filter(({ plan, books }) => plan.data === undefined && !books)
    for (const { plan } of lostPrinters) this.#order.forget(plan.name)
    this.#updates.rows(thread.orders.map(({ plan }) => stoppedPrinterRow(plan)))
    thread.worker = this.#spawn(thread)
    try {
      const reports = await this.#start(thread)
      if (this.#updates.isWatched) await thread.worker.ask('watch', true)
      for (const [listener, { name }] of this.#listeners)
        if (this.#threadOf.get(name) === thread)
          await thread.worker.ask('listen', { name, listener }).catch(() => undefined)
      const running = reports.filter(({ ok }) => ok).map(({ name }) => name)
      if (this.#updates.isWatched) this.#updates.rows(await thread.worker.ask('rows', running))
      const books =
        lostPrinters.length === 0 ? '' : `; new devices, because their data was in memory only: ${lostPrinters.length}`
      this.#log(`thread ${number} was restarted with ${running.length} of ${countText(count, 'printer')}${books}`)
    } catch {
      // The thread has died again, which is reported separately.
    }
  }
}

const orderOf = (plan: PrinterPlan, books?: DeviceSnapshot): StartOrder => ({ plan, ...(books && { books }) })
