import type { Express, RequestHandler } from 'express'
import { capabilitiesOf, type DriverFamilies, driverFamilies, type PrinterConfig } from '../drivers/index.ts'
import type { Clock } from '../drivers/model/clock.ts'
import { omitUndefined } from '../drivers/model/omit-undefined.ts'
import type { FiscalPrinter } from '../drivers/model/printer.ts'
import { BASE_PATH, createApp, type PanelAddress } from './app.ts'
import type { Settings } from './config.ts'
import type { ServiceFacts } from './endpoint.ts'
import { endpoints } from './endpoints/index.ts'
import { eventsRoute } from './endpoints/status.ts'
import type { JsonSchema } from './fields.ts'
import { legacyRoute } from './legacy/route.ts'
import type { ServiceLog } from './log.ts'
import { describeApi, serversAt } from './openapi.ts'
import { type Answers, openAnswers } from './operations/log/answers.ts'
import { type LogLocation, type LogSeams, openLogFile } from './operations/log/log-file.ts'
import { openPrintLog, type PrintLog } from './operations/log/print-log.ts'
import { openAges } from './operations/log/row-ages.ts'
import { mappingOf } from './orders/mapping.ts'
import { orderRoutes } from './orders/route.ts'
import { checkTaxCodes } from './orders/start-check.ts'
import { TaxCodeWarnings } from './orders/tax-code-warnings.ts'
import type { TaxRates } from './orders/vat-check.ts'
import type { Route } from './route.ts'
import { createService, type Service } from './service.ts'

export const LOG = 'answers.sqlite'

export interface Stores {
  readonly answers: Answers
  readonly prints: PrintLog
  close(): void
}

interface StoresOptions extends LogSeams {
  readonly journal?: LogLocation
}

/** Opens one file for answers and prints, so that an answer and its prints are written together. */
export function openStores(clock: Clock, { journal = ':memory:', ...seams }: StoresOptions = {}): Stores {
  const file = openLogFile(journal, seams)
  const ages = openAges(file.tables, clock)
  const prints = openPrintLog(file, ages)
  return { prints, answers: openAnswers(file, ages, prints), close: () => file.close() }
}

interface ComposedOf {
  readonly settings: Settings
  readonly printer: FiscalPrinter
  readonly clock: Clock
  readonly families?: DriverFamilies
  readonly stores?: Stores
  readonly addresses?: ServiceFacts['addresses']
  readonly description?: () => Promise<string>
  readonly log?: ServiceLog
  readonly observed?: RequestHandler | undefined
  readonly admitted?: RequestHandler | undefined
  readonly panel?: PanelAddress | undefined
}

export interface ComposedService {
  readonly service: Service
  readonly stores: Stores
  /** Logs the tax codes whose rate in the configuration differs from the rate in the device. */
  checkTaxCodes(): Promise<void>
  /** Created at the first use, because the simulation calls the service without HTTP. */
  readonly app: Express
  description(): Promise<string>
  /** Ends the event streams. Open streams would delay the end of the server. */
  endStreams(): void
}

export function compose(parts: ComposedOf): ComposedService {
  const { settings, printer, clock, log = {}, stores = openStores(clock), addresses = addressesIn(settings) } = parts
  const { defaults, legacy, platform, apiKey } = settings
  const { hosts, origins } = settings.listen
  const service = createService({ printer, clock, facts: { defaults, addresses }, answers: stores.answers, log })
  const mapping = mappingOf(platform?.mapping ?? {})
  const taxCodes = new TaxCodeWarnings(mapping)
  const noteRates = (rates: TaxRates): void => taxCodes.note(rates)
  const warnings = (body: unknown): string | undefined => taxCodes.warningFor(body)
  const events = eventsRoute()
  let routes: readonly Route[] | undefined
  const ownRoutes = () => {
    routes ??= [
      legacyRoute(legacy, stores.prints, warnings),
      ...orderRoutes({ platform, ...stores, log, isEmulated: settings.device === 'emulator', noteRates }),
      events,
    ]
    return routes
  }
  const described = apiDescription(settings, ownRoutes, parts.families ?? driverFamilies)
  const inUse = async () => JSON.stringify({ ...described(), servers: serversAt(await reached(addresses)) })
  const description = parts.description ?? inUse
  let app: Express | undefined
  return {
    service,
    stores,
    description,
    endStreams: () => events.close(),
    checkTaxCodes: async () => {
      if (platform) await checkTaxCodes(service, mapping, log, noteRates)
    },
    get app() {
      if (app) return app
      const routes = ownRoutes()
      const access = { hosts, origins, ...(apiKey !== undefined && { apiKey }) }
      const { observed, admitted, panel } = parts
      app = createApp({ service, endpoints, routes, access, description, log, observed, admitted, panel, warnings })
      return app
    },
  }
}

const addressesIn = ({ listen: { host, httpPort, httpsPort, https } }: Settings): ServiceFacts['addresses'] => ({
  secure: async () => (https ? `https://${host}:${httpsPort}${BASE_PATH}` : undefined),
  local: () => `http://${host}:${httpPort}${BASE_PATH}`,
})

const reached = async ({ secure, local }: ServiceFacts['addresses']) =>
  [await secure(), local()].filter((url) => url !== undefined)

/**
 * Returns the configuration of the printer. `device`: a path or an address, for an emulated device that of its line.
 */
export const printerConfig = (settings: Settings, device: string = settings.device): PrinterConfig => ({
  family: settings.family,
  device,
  waits: settings.waits,
  ...omitUndefined({ baud: settings.baud, payments: settings.payments, customer: settings.defaults.customer }),
  ...(settings.profile !== undefined && { options: { profile: settings.profile } }),
})

function apiDescription(
  settings: Settings,
  routes: () => readonly Route[],
  families: DriverFamilies,
): () => JsonSchema {
  let made: JsonSchema | undefined
  return () => {
    const capabilities = [...families.keys()].map((family) => {
      const config = family === settings.family ? printerConfig(settings) : { family, device: '' }
      return [family, capabilitiesOf(config, families)] as const
    })
    made ??= describeApi(endpoints, new Map(capabilities), routes())
    return made
  }
}
