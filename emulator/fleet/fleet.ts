/**
 * Many printers in one process, distributed to worker threads. A thread that dies is restarted with its printers.
 * Devices in a folder continue from the folder, and devices in memory from their state at the error.
 */
import { systemClock } from '../../drivers/model/clock.ts'
import { WrongCall } from '../panel/call-input.ts'
import type { DocumentHead, DocumentView, FleetRow } from '../panel/contract.ts'
import type { Controls } from '../panel/controls.ts'
import type { FleetView, PrinterFigures } from '../panel/fleet.ts'
import { DocumentOrder } from './document-order.ts'
import { createFleetUpdates, stoppedPrinterRow } from './fleet-updates.ts'
import type { GroupWorker } from './group-worker.ts'
import type { DocumentPlace } from './messages.ts'
import { type FleetOptions, type FleetPrinter, PrinterThreads } from './printer-threads.ts'

export type { FleetOptions, FleetPrinter } from './printer-threads.ts'

export interface Fleet extends FleetView {
  readonly printers: readonly FleetPrinter[]
  close(): Promise<void>
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { plans, failed = [], clock = systemClock } = options
  const names = [...plans, ...failed.map(({ plan }) => plan)].map(({ name }) => name)
  const printers = new Map<string, FleetPrinter>(plans.map((plan) => [plan.name, { plan }]))
  for (const { plan, why } of failed) printers.set(plan.name, { plan, why })
  const order = new DocumentOrder(names)
  const updates = createFleetUpdates(clock, (on) => {
    for (const worker of threads.workers) void worker.ask('watch', on).catch(() => undefined)
  })
  const threads = new PrinterThreads(options, printers, { clock, order, updates })
  await threads.start()

  async function documents<View extends DocumentHead>(
    since: number,
    limit: number,
    read: (worker: GroupWorker, part: readonly DocumentPlace[]) => Promise<readonly (View | null)[]>,
  ) {
    await Promise.all(threads.workers.map((worker) => worker.ask('news', undefined).catch(() => undefined)))
    const entries = order.after(since, limit)
    const views = await threads.everywhere(entries, read)
    return entries.flatMap(({ id, name, own }, index) => {
      const view = views[index]
      return view ? [{ ...view, id, name, own }] : []
    })
  }

  const isRunning = (name: string): boolean => printers.get(name)?.why === undefined && printers.has(name)

  return {
    names,
    isRunning,
    get printers() {
      return [...printers.values()]
    },
    controls(name): Controls | undefined {
      if (!printers.has(name)) return undefined
      return {
        async answer(call, carried) {
          const { why } = printers.get(name) ?? {}
          const worker = threads.workerOf(name)
          if (why !== undefined || !worker)
            throw new WrongCall(`${name} does not run: ${why ?? 'it is not started'}`, 404)
          return worker.ask('call', { name, call, carried })
        },
        listen: (listener) => threads.listen(name, listener),
      }
    },
    async rows(only = names) {
      const members = only.map((name) => ({ name }))
      const rows = await threads.everywhere(members, async (worker, part) => {
        const answers = await worker.ask(
          'rows',
          part.map(({ name }) => name),
        )
        const byName = new Map(answers.map((row) => [row.name, row]))
        return part.map(({ name }) => byName.get(name) as FleetRow)
      })
      return members.flatMap(({ name }, index) => {
        const { plan, why } = printers.get(name) ?? {}
        return plan ? [rows[index] ?? stoppedPrinterRow(plan, why)] : []
      })
    },
    documents: (since, limit) => documents<DocumentView>(since, limit, (worker, part) => worker.ask('documents', part)),
    documentHeads: (since, limit) => documents(since, limit, (worker, part) => worker.ask('heads', part)),
    async figures() {
      const parts = await Promise.all(threads.workers.map((worker) => worker.ask('figures', undefined).catch(() => [])))
      const byName = new Map<string, PrinterFigures>(parts.flat().map((one) => [one.name, one]))
      return names.flatMap((name) => byName.get(name) ?? [])
    },
    listen: updates.listen,
    async close() {
      updates.close()
      await threads.end()
    },
  }
}
