/** The service over an emulated device of a family, reached in one of three ways: what the REST suite is run against. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { openPrinter } from '../../drivers/index.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Family } from '../../drivers/model/receipt.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { createApp } from '../../server/app.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { openAnswers } from '../../server/recovery/answers.ts'
import { createService } from '../../server/service.ts'

export type Way = 'embedded' | 'pty' | 'tcp'

export interface Answer {
  readonly StatusCode: number
  // biome-ignore lint/suspicious/noExplicitAny: Data is what each endpoint says it is; the tests compare it whole.
  readonly Data?: any
  readonly Message?: string
}

export interface Subject {
  readonly emulator: Emulator
  readonly printer: FiscalPrinter
  post(path: string, body?: object, key?: string): Promise<Answer>
  /** JSON text as it is. */
  raw(path: string, body: string): Promise<Answer>
  get(path: string): Promise<Answer>
  close(): Promise<void>
}

export async function openSubject(family: Family, way: Way, profile?: string): Promise<Subject> {
  const emulator = createEmulator({ family, clock: systemClock, ...(profile !== undefined && { profile }) })
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-subject-'))
  const printer = await reach(emulator, family, way, join(folder, 'printer'))
  const answers = openAnswers(':memory:', systemClock)
  const facts = { defaults: { operator: 1, pointOfSale: 1 }, addresses: { secure: async () => '', local: () => '' } }
  const service = createService({ printer, clock: systemClock, answers, facts })
  const agent = supertest(createApp({ service, endpoints, access: { hosts: [], origins: [] }, description: '{}' }))
  return {
    emulator,
    printer,
    async post(path, body, key) {
      const request = agent.post(`/api${path}`)
      if (key !== undefined) request.set('Idempotency-Key', key)
      return (await (body === undefined ? request : request.send(body))).body
    },
    raw: async (path, body) => (await agent.post(`/api${path}`).type('json').send(body)).body,
    get: async (path) => (await agent.get(`/api${path}`)).body,
    async close() {
      await printer.disconnect()
      await emulator.close()
      answers.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function reach(emulator: Emulator, family: Family, way: Way, link: string): Promise<FiscalPrinter> {
  switch (way) {
    case 'embedded':
      return openPrinter({ family, device: emulator.path }, { binding: emulator.binding })
    case 'pty':
      await emulator.openPty(link)
      return openPrinter({ family, device: link })
    case 'tcp':
      return openPrinter({ family, device: `tcp://127.0.0.1:${(await emulator.listenTcp(0)).port}` })
  }
}
