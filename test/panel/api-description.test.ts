import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { callsOfEachPrinter, describeControl } from '../../emulator/panel/api-description.ts'
import { CALLS } from '../../emulator/panel/contract.ts'
import { FLEET_CALLS } from '../../emulator/panel/fleet-contract.ts'
import type { Panel } from '../../emulator/panel/panel.ts'
import { createPanel } from '../support/panel.ts'

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } }
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >
}
interface Description {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let emulator: Emulator
let panel: Panel
let description: Description

beforeAll(async () => {
  emulator = createEmulator({ family: 'B' })
  panel = createPanel(emulator)
  const { body } = await request(panel.app).get('/emulator/openapi.json').set('Host', '127.0.0.1:4711').expect(200)
  description = body as Description
})
afterAll(async () => {
  panel.close()
  await emulator.close()
})

const ajv = new Ajv({ strict: false, validateFormats: false })
const bodyOf = (path: string) => {
  const operation = description.paths[path]?.['post']
  return ajv.compile(operation?.requestBody?.content['application/json'].schema ?? false)
}

describe('the description of the control API', () => {
  it('is OpenAPI with the requested address', async () => {
    const { valid, errors } = await new Validator().validate({ ...description })
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
    expect(description.servers).toEqual([{ url: 'http://127.0.0.1:4711' }])
  })

  it('has every call and the events, each under its own name', () => {
    const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations.sort()).toEqual([...Object.keys(CALLS), 'GET /events'].sort())
    const names = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(names.every((name) => /^[a-z][A-Za-z]+$/.test(name))).toBe(true)
    expect(new Set(names).size).toBe(names.length)
  })

  it("of a fleet is OpenAPI too, with the calls of each printer at the printer's address", async () => {
    const fleet = describeControl({ ...FLEET_CALLS, ...callsOfEachPrinter(CALLS) }, 'http://127.0.0.1:4711')
    const { valid, errors } = await new Validator().validate({ ...fleet })
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
    expect(Object.keys(fleet['paths'] as object)).toEqual(
      expect.arrayContaining(['/emulator/fleet', '/emulator/fleet/{printer}/paper', '/emulator/fleet/events']),
    )
  })

  it.each([
    ['/emulator/faults', { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' }, { at: 'nowhere', do: 'drop' }],
    ['/emulator/paper', { state: 'out' }, { state: 'gone' }],
    ['/emulator/power', { on: false }, { on: 'no' }],
    ['/emulator/articles', [{ plu: 1, name: 'Bread', taxCode: 1, price: '1.20' }], [{ plu: 0, name: 'Bread' }]],
  ])('of %s matches the accepted values, and not the refused values', async (path, right, wrong) => {
    const fits = bodyOf(path)
    expect([fits(right), fits(wrong)]).toEqual([true, false])
    expect((await request(panel.app).post(path).send(right)).status).toBe(200)
    expect((await request(panel.app).post(path).send(wrong)).status).toBe(400)
  })

  it('describes the answers of the device', async () => {
    const schema = description.paths['/emulator']?.['get']?.responses['200']?.content['application/json']?.schema
    const { body } = await request(panel.app).get('/emulator')
    const fits = ajv.compile(schema ?? false)
    expect(fits(body), JSON.stringify(fits.errors)).toBe(true)
  })
})
