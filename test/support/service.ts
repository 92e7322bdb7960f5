/** The service in process over any printer, for supertest. */
import type { Express } from 'express'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { AccessRules } from '../../server/access.ts'
import { createApp } from '../../server/app.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { type Answers, openAnswers } from '../../server/recovery/answers.ts'
import { createService, type Service } from '../../server/service.ts'

export interface ServiceRig {
  readonly app: Express
  readonly service: Service
  readonly clock: SimulatedClock
  readonly answers: Answers
}

export interface RigOptions {
  readonly access?: Partial<AccessRules>
  readonly answers?: Answers
  readonly clock?: SimulatedClock
  readonly description?: () => string
}

export const START = Date.UTC(2026, 6, 15, 9, 0, 0)

export function serviceOver(printer: FiscalPrinter, options: RigOptions = {}): ServiceRig {
  const clock = options.clock ?? new SimulatedClock(START)
  const answers = options.answers ?? openAnswers(':memory:', clock)
  const service = createService({
    printer,
    clock,
    answers,
    facts: {
      defaults: { operator: 1, pointOfSale: 1 },
      addresses: { secure: async () => 'https://127.0.0.1:65401/api', local: () => 'http://127.0.0.1:65400/api' },
    },
  })
  const access = { hosts: [], origins: [], ...options.access }
  const app = createApp({ service, endpoints, access, description: options.description ?? (() => '{}') })
  return { app, service, clock, answers }
}
