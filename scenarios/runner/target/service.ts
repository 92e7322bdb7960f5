/** The service inside this process, over any printer: what `serve` puts together, without its ports. */
import type { Express } from 'express'
import { openPrinter, type PrinterConfig, type PrinterSeams } from '../../../drivers/index.ts'
import type { Clock } from '../../../drivers/model/clock.ts'
import { type Answers, openAnswers } from '../../../server/answers.ts'
import { createApp } from '../../../server/app.ts'
import type { Settings } from '../../../server/config.ts'
import { configFile } from '../../../server/config-schema.ts'
import { endpoints } from '../../../server/endpoints/index.ts'
import { legacyRoute } from '../../../server/legacy/route.ts'
import { type OrderPrints, openOrderPrints } from '../../../server/orders/prints.ts'
import { orderRoutes } from '../../../server/orders/route.ts'
import { createService } from '../../../server/service.ts'
import { inject } from '../inject.ts'
import type { Given } from '../schema.ts'
import type { Pending, Setup } from './target.ts'

export interface InnerService {
  call(call: Parameters<typeof inject>[1]): Pending
  /** A new process over the same data folder and the same device. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface ServiceParts {
  readonly setup: Setup
  readonly device: string
  readonly seams: PrinterSeams
  readonly clock: Clock
  readonly platform: Settings['platform']
  readonly trouble: (line: string) => void
}

const ADDRESSES = { secure: async () => 'https://127.0.0.1:65401/api', local: () => 'http://127.0.0.1:65400/api' }

/** Members of the configuration, as `serve` would read them from its file. */
const configOf = (given: Given) => configFile.parse(given.config ?? {})

export function openService(parts: ServiceParts): InnerService {
  const answers = openAnswers(':memory:', parts.clock)
  const prints = openOrderPrints(':memory:')
  let inner = build(parts, answers, prints)
  return {
    call: (call) => inject(inner.app, call),
    async restart() {
      await inner.printer.disconnect()
      inner = build(parts, answers, prints)
    },
    async close() {
      await inner.printer.disconnect()
      answers.close()
      prints.close()
    },
  }
}

function build(parts: ServiceParts, answers: Answers, prints: OrderPrints) {
  const { setup, clock, trouble } = parts
  const config = configOf(setup.given)
  const printer = openPrinter(printerConfig(parts, config), parts.seams)
  const service = createService({
    printer,
    clock,
    answers,
    facts: { defaults: defaultsOf(config), addresses: ADDRESSES },
    report: (error) => trouble(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  })
  const routes = [
    legacyRoute({ plu: (config.legacy?.plu ?? []) as Settings['legacy']['plu'] }),
    ...orderRoutes({ platform: parts.platform, prints, answers, warn: () => undefined }),
  ]
  const app: Express = createApp({
    service,
    endpoints,
    routes,
    access: { hosts: [], origins: [] },
    description: () => '{"openapi": "3.1.0"}',
  })
  void service.start()
  return { app, printer }
}

type Config = ReturnType<typeof configOf>

function printerConfig({ setup, device }: ServiceParts, { payments, defaults }: Config): PrinterConfig {
  const customer = defaults?.customer
  return {
    family: setup.family,
    device,
    ...(setup.profile !== undefined && { options: { profile: setup.profile } }),
    ...(payments && { payments }),
    ...(customer && {
      customer: { taxNumber: customer.taxNumber ?? '', name: customer.name ?? '', address: customer.address ?? '' },
    }),
  }
}

function defaultsOf({ defaults }: Config) {
  const password = defaults?.password
  return {
    operator: defaults?.operator ?? 1,
    pointOfSale: defaults?.pointOfSale ?? 1,
    ...(typeof password === 'string' && { password }),
  }
}
