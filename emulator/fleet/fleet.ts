import { type Clock, systemClock } from '../../drivers/model/clock.ts'
import type { DeviceSnapshot } from '../fiscal/api.ts'
import type { DocumentHead, DocumentView, FloorRow, PanelEvent } from '../panel/contract.ts'
import type { Controls } from '../panel/controls.ts'
import type { Floor, PrinterFigures } from '../panel/floor.ts'
import { WrongCall } from '../panel/forms.ts'
import { Ledger } from './ledger.ts'
import type { DocumentPlace, News, StartOrder, StartReport } from './messages.ts'
import { createPictures, rowAtRest } from './pictures.ts'
import type { PrinterPlan } from './plan.ts'
import type { StartFailure } from './printer.ts'
import { type GroupWorker, startWorker, type ThreadProgram, type WorkerSeams } from './worker.ts'

/**
 * Many printers in one process, dealt out to worker threads. A thread that dies is started again with its printers and
 * their books: those in a folder as the folder has them, those in memory as they were at the error.
 */

export interface FleetOptions {
  /** Names are unique. */
  readonly plans: readonly PrinterPlan[]
  /** Those that cannot be started at all, and why. */
  readonly failed?: readonly { readonly plan: PrinterPlan; readonly why: string }[]
  readonly workers: number
  readonly program: ThreadProgram
  readonly log: (line: string) => void
  /** Why a printer did not start, in words. */
  readonly wordsOf: (failure: StartFailure, plan: PrinterPlan) => string
  readonly clock?: Clock
  readonly spawn?: WorkerSeams['spawn']
}

export interface FleetPrinter {
  readonly plan: PrinterPlan
  /** Undefined: it did not start. */
  readonly profile?: string
  /** The port that is really bound. */
  readonly tcp?: number
  /** Why it did not start. */
  readonly why?: string
}

export interface Fleet extends Floor {
  readonly printers: readonly FleetPrinter[]
  close(): Promise<void>
}

/** A thread that dies so often within so long is not started again. */
const DEATHS = 3
const DEATHS_WITHIN_MS = 60_000

interface Thread {
  worker: GroupWorker
  orders: StartOrder[]
  readonly deaths: number[]
}

interface Listener {
  readonly name: string
  readonly hear: (told: PanelEvent) => void
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { plans, failed = [], log, wordsOf, clock = systemClock } = options
  const names = [...plans, ...failed.map(({ plan }) => plan)].map(({ name }) => name)
  const all = new Map<string, FleetPrinter>(plans.map((plan) => [plan.name, { plan }]))
  for (const { plan, why } of failed) all.set(plan.name, { plan, why })
  const ledger = new Ledger(names)
  const listeners = new Map<number, Listener>()
  const threads: Thread[] = []
  const threadOf = new Map<string, Thread>()
  let lastListener = 0
  let isEnding = false

  const pictures = createPictures(clock, (on) => {
    for (const { worker } of threads) void worker.ask('watch', on).catch(() => undefined)
  })
  const tell = (text: string) => {
    log(text)
    pictures.told(text)
  }

  // ---------------------------------------------------------------- threads

  function heard(thread: Thread, news: News): void {
    switch (news.news) {
      case 'log':
        log(`${news.name}: ${news.line}`)
        break
      case 'printed':
        for (const document of news.documents) ledger.add(document)
        break
      case 'another':
        ledger.forget(news.name)
        for (const own of news.documents) ledger.add({ name: news.name, own })
        break
      case 'rows':
        pictures.rows(news.rows)
        break
      case 'events': {
        const listener = listeners.get(news.listener)
        for (const event of news.events) listener?.hear(event)
        break
      }
      case 'dying': {
        const books = new Map<string, DeviceSnapshot>(news.books)
        thread.orders = thread.orders.map(({ plan }) => orderOf(plan, books.get(plan.name)))
      }
    }
  }

  /** Those that do not start are told, and are not tried again. */
  async function start(thread: Thread): Promise<readonly StartReport[]> {
    const reports = await thread.worker.ask('start', thread.orders)
    for (const report of reports) {
      const plan = all.get(report.name)?.plan
      if (!plan) continue
      if (report.ok) {
        const { profile, tcp } = report
        ledger.complete(report.name, report.documents)
        // The thread after this one takes the same port, and what it had in memory was for its first start.
        all.set(report.name, { plan, profile, ...(tcp !== undefined && { tcp }) })
      } else fail(plan, wordsOf(report.failure, plan))
    }
    thread.orders = thread.orders.flatMap(({ plan: { name } }) => {
      const { plan, tcp, why } = all.get(name) ?? {}
      return !plan || why !== undefined ? [] : [{ plan: { ...plan, ...(tcp !== undefined && { tcp }) } }]
    })
    return reports
  }

  function fail(plan: PrinterPlan, why: string): void {
    all.set(plan.name, { plan, why })
    tell(`${plan.name}: ${why}`)
    pictures.rows([rowAtRest(plan, why)])
  }

  function spawn(thread: Thread): GroupWorker {
    return startWorker(options.program, {
      ...(options.spawn && { spawn: options.spawn }),
      tell: (news) => heard(thread, news),
      died: (why) => void again(thread, why),
    })
  }

  async function again(thread: Thread, why: string): Promise<void> {
    if (isEnding) return
    const number = threads.indexOf(thread) + 1
    const now = clock.now()
    thread.deaths.push(now)
    const isHopeless = thread.deaths.filter((at) => at > now - DEATHS_WITHIN_MS).length > DEATHS
    const count = thread.orders.length
    if (isHopeless) {
      tell(`thread ${number} has died again and again, and is not started any more: ${why}`)
      for (const { plan } of thread.orders) fail(plan, `its thread has died: ${why.split('\n')[0]}`)
      return
    }
    tell(`thread ${number} has died, and is started again with its ${count} printers: ${why}`)
    const lost = thread.orders.filter(({ plan, books }) => plan.data === undefined && !books)
    for (const { plan } of lost) ledger.forget(plan.name)
    pictures.rows(thread.orders.map(({ plan }) => rowAtRest(plan)))
    thread.worker = spawn(thread)
    try {
      const reports = await start(thread)
      if (pictures.isWatched) await thread.worker.ask('watch', true)
      for (const [listener, { name }] of listeners)
        if (threadOf.get(name) === thread) await thread.worker.ask('listen', { name, listener }).catch(() => undefined)
      const running = reports.filter(({ ok }) => ok).map(({ name }) => name)
      if (pictures.isWatched) pictures.rows(await thread.worker.ask('rows', running))
      const anew =
        lost.length === 0 ? 'with their books' : `${lost.length} of them as new devices: their books were in memory`
      tell(`thread ${number} runs again: ${running.length} of ${count} printers, ${anew}`)
    } catch {
      // It has died once more, and is told about.
    }
  }

  const count = Math.max(1, Math.min(options.workers, plans.length))
  for (let number = 0; number < count; number++) {
    const orders = plans.filter((_plan, index) => index % count === number).map((plan) => orderOf(plan))
    const thread: Thread = { worker: undefined as unknown as GroupWorker, orders, deaths: [] }
    thread.worker = spawn(thread)
    threads.push(thread)
    for (const { plan } of orders) threadOf.set(plan.name, thread)
  }
  await Promise.all(threads.map(start))

  // ---------------------------------------------------------------- what is asked of them

  /** Asks each thread for its part; the answers in the order of what was asked. */
  async function everywhere<Ask extends { readonly name: string }, Answer>(
    members: readonly Ask[],
    ask: (worker: GroupWorker, part: readonly Ask[]) => Promise<readonly Answer[]>,
  ): Promise<(Answer | undefined)[]> {
    const answers = new Map<Ask, Answer>()
    await Promise.all(
      threads.map(async (thread) => {
        const part = members.filter(({ name }) => threadOf.get(name) === thread)
        // Of a thread that has just died there is nothing to see.
        const got = part.length === 0 ? [] : await ask(thread.worker, part).catch(() => [])
        part.forEach((one, index) => {
          const answer = got[index]
          if (answer !== undefined) answers.set(one, answer)
        })
      }),
    )
    return members.map((one) => answers.get(one))
  }

  async function documents<View extends DocumentHead>(
    since: number,
    limit: number,
    read: (worker: GroupWorker, part: readonly DocumentPlace[]) => Promise<readonly (View | null)[]>,
  ) {
    await Promise.all(threads.map(({ worker }) => worker.ask('news', undefined).catch(() => undefined)))
    const entries = ledger.after(since, limit)
    const views = await everywhere(entries, read)
    return entries.flatMap(({ id, name, own }, index) => {
      const view = views[index]
      return view ? [{ ...view, id, name, own }] : []
    })
  }

  const isRunning = (name: string): boolean => all.get(name)?.why === undefined && all.has(name)

  return {
    names,
    isRunning,
    get printers() {
      return [...all.values()]
    },
    controls(name): Controls | undefined {
      const thread = threadOf.get(name)
      const printer = all.get(name)
      if (!printer) return undefined
      return {
        async answer(call, carried) {
          const { why } = all.get(name) ?? {}
          if (why !== undefined || !thread) throw new WrongCall(`${name} does not run: ${why}`, 404)
          return thread.worker.ask('call', { name, call, carried })
        },
        listen(hear) {
          const listener = ++lastListener
          listeners.set(listener, { name, hear })
          void thread?.worker.ask('listen', { name, listener }).catch(() => undefined)
          return () => {
            listeners.delete(listener)
            void thread?.worker.ask('unlisten', { listener }).catch(() => undefined)
          }
        },
      }
    },
    async rows(only = names) {
      const members = only.map((name) => ({ name }))
      const rows = await everywhere(members, async (worker, part) => {
        const answers = await worker.ask(
          'rows',
          part.map(({ name }) => name),
        )
        const byName = new Map(answers.map((row) => [row.name, row]))
        return part.map(({ name }) => byName.get(name) as FloorRow)
      })
      return members.flatMap(({ name }, index) => {
        const { plan, why } = all.get(name) ?? {}
        return plan ? [rows[index] ?? rowAtRest(plan, why)] : []
      })
    },
    documents: (since, limit) => documents<DocumentView>(since, limit, (worker, part) => worker.ask('documents', part)),
    documentHeads: (since, limit) => documents(since, limit, (worker, part) => worker.ask('heads', part)),
    async figures() {
      const parts = await Promise.all(threads.map(({ worker }) => worker.ask('figures', undefined).catch(() => [])))
      const byName = new Map<string, PrinterFigures>(parts.flat().map((one) => [one.name, one]))
      return names.flatMap((name) => byName.get(name) ?? [])
    },
    listen: pictures.listen,
    async close() {
      isEnding = true
      pictures.close()
      await Promise.all(threads.map(({ worker }) => worker.end()))
    },
  }
}

const orderOf = (plan: PrinterPlan, books?: DeviceSnapshot): StartOrder => ({ plan, ...(books && { books }) })
