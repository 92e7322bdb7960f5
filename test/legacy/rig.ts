import type { Express } from 'express'
import supertest from 'supertest'
import { openPrinter } from '../../drivers/index.ts'
import { type Clock, systemClock } from '../../drivers/model/clock.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Family } from '../../drivers/model/receipt.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { FactorySettings } from '../../emulator/fiscal/types.ts'
import { createApp } from '../../server/app.ts'
import type { Settings } from '../../server/config.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { legacyRoute } from '../../server/legacy/route.ts'
import { type OrderPrints, openOrderPrints } from '../../server/orders/prints.ts'
import { orderRoutes } from '../../server/orders/route.ts'
import { type Answers, openAnswers } from '../../server/recovery/answers.ts'
import { createService, type Service } from '../../server/service.ts'

/** The whole service with its compatibility and platform endpoints, over an embedded emulated device. */
export interface CompatibilityRig {
  readonly emulator: Emulator
  readonly printer: FiscalPrinter
  readonly app: Express
  readonly service: Service
  readonly warnings: string[]
  post(lines: unknown): Promise<LegacyAnswer>
  /** Texts of the printed documents, oldest first. */
  papers(): readonly { readonly kind: string; readonly text: string }[]
  /** Frames that the device has seen from the host since `mark`. */
  framesSince(mark: number): number
  mark(): number
  close(): Promise<void>
}

export interface LegacyAnswer {
  readonly ReceiptStatus: string
  readonly ReceiptNumber: string
  readonly ErrorCode: string
  readonly ErrorInfo: string
}

export interface RigOptions {
  readonly family: Family
  /** Of the device; absent: the family's usual one. */
  readonly profile?: string
  readonly settings?: FactorySettings
  readonly plu?: Settings['legacy']['plu']
  readonly platform?: Settings['platform']
  readonly prints?: OrderPrints
  readonly answers?: Answers
  /** Of the service; the device keeps the system's. */
  readonly clock?: Clock
}

export function openRig(options: RigOptions): CompatibilityRig {
  const { family, clock = systemClock } = options
  const emulator = createEmulator({
    family,
    clock: systemClock,
    ...(options.profile !== undefined && { profile: options.profile }),
    ...(options.settings && { settings: options.settings }),
  })
  const printer = openPrinter({ family, device: emulator.path }, { binding: emulator.binding })
  const answers = options.answers ?? openAnswers(':memory:', clock)
  const prints = options.prints ?? openOrderPrints(':memory:')
  const warnings: string[] = []
  const facts = { defaults: { operator: 1, pointOfSale: 1 }, addresses: { secure: async () => '', local: () => '' } }
  const service = createService({ printer, clock, answers, facts })
  const routes = [
    legacyRoute({ plu: options.plu ?? [] }),
    ...orderRoutes({ platform: options.platform, prints, answers, warn: (line) => warnings.push(line) }),
  ]
  const app = createApp({ service, endpoints, routes, access: { hosts: [], origins: [] }, description: '{}' })
  return {
    emulator,
    printer,
    app,
    service,
    warnings,
    post: async (lines) =>
      (
        await supertest(app)
          .post('/api/Receipt')
          .send(lines as object)
      ).body,
    papers: () => emulator.device.documents().map(({ kind, text }) => ({ kind, text: text.join('\n') })),
    framesSince: (mark) => emulator.frames().filter(({ id }) => id > mark).length,
    mark: () => emulator.frames().at(-1)?.id ?? 0,
    async close() {
      await printer.disconnect()
      await emulator.close()
      if (!options.answers) answers.close()
      if (!options.prints) prints.close()
    },
  }
}
