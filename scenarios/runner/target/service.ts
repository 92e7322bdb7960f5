import { type FiscalPrinter, openPrinter, type PrinterSeams } from '../../../drivers/index.ts'
import type { Clock } from '../../../drivers/model/clock.ts'
import { compose, openStores, printerConfig, type Stores } from '../../../server/compose.ts'
import { type Settings, settingsOf } from '../../../server/config.ts'
import { REQUEST_MAX_MS } from '../../../server/printer-queue.ts'
import { type HttpCall, inject, type Pending } from '../inject.ts'
import type { Setup } from './target.ts'

interface InnerService {
  call(call: HttpCall): Pending
  ask<T>(question: (printer: FiscalPrinter) => Promise<T>): Promise<T>
  /** Starts a new service with the same stores and the same device. */
  restart(): Promise<void>
  close(): Promise<void>
}

interface ServiceParts {
  readonly setup: Setup
  readonly device: string
  readonly seams: PrinterSeams
  readonly clock: Clock
  readonly platform: Settings['platform']
  readonly trouble: (line: string) => void
}

export function openService(parts: ServiceParts): InnerService {
  const stores = openStores(parts.clock)
  let inner = build(parts, stores)
  return {
    call: (call) => inject(inner.app, call),
    ask: (question) =>
      inner.service.queue.run(() => question(inner.printer), { until: parts.clock.now() + REQUEST_MAX_MS }),
    async restart() {
      await inner.printer.disconnect()
      inner = build(parts, stores)
    },
    async close() {
      await inner.printer.disconnect()
      stores.close()
    },
  }
}

function build({ setup, device, seams, clock, platform, trouble }: ServiceParts, stores: Stores) {
  const { family, profile } = setup
  const settings = { ...settingsOf(setup.given.config ?? {}, { family, profile }), platform }
  const printer = openPrinter(printerConfig(settings, device), seams)
  const log = {
    trouble: (error: unknown) => trouble(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  }
  const { app, service } = compose({ settings, printer, clock, stores, log })
  void service.start()
  return { app, service, printer }
}
