import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import { openApiText } from '../../bin/commands/docs.ts'
import { capabilitiesOf } from '../../drivers/index.ts'
import { readJson } from '../../drivers/model/json.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { createFakePrinter } from '../support/fake-printer.ts'
import { composeService } from '../support/rig.ts'

const GOLDEN = join(import.meta.dirname, '..', '..', 'fixtures', 'openapi.json')

/** Every path and method of specification 4.1 to 4.5, written by hand. */
const SPECIFIED = [
  'get /get-secure-api-address', 'get /get-local-api-address',
  'post /open-non-fiscal-receipt', 'post /print-non-fiscal-text', 'post /close-non-fiscal-receipt', 'post /cancel-non-fiscal-receipt',
  'post /open-fiscal-receipt', 'post /print-fiscal-text', 'post /register-free-sale', 'post /register-plu-sale', 'post /subtotal',
  'post /payment', 'post /close-fiscal-receipt', 'post /cancel-fiscal-receipt', 'post /status-of-the-fiscal-transaction',
  'post /copy-of-last-fiscal-receipt', 'post /report-z', 'post /report-x', 'get /ask-for-z-report-structured-information/{number}',
  'post /print-bar-code', 'post /print-separating-line/{type}', 'post /display-line-one', 'post /display-line-two', 'post /clear-display',
  'post /print-fiscal-receipt', 'post /print-non-fiscal-receipt',
] // biome-ignore format: a table

describe('the API description', () => {
  it('equals the golden file; after a change: npm run docs', () => {
    expect(openApiText()).toBe(readFileSync(GOLDEN, 'utf8'))
  })

  it('has every endpoint of the specification', () => {
    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(expect.arrayContaining(SPECIFIED))
  })

  it('is served as JSON', async () => {
    const { app } = composeService(createFakePrinter())
    const { status, body, headers } = await supertest(app).get('/api/openapi.json')
    expect([status, body.openapi]).toEqual([200, '3.1.0'])
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['api-version']).toBe(body.info.version)
  })

  it('states the limits of the specification', () => {
    const { paths } = JSON.parse(openApiText())
    const { properties, required } = paths['/register-free-sale'].post.requestBody.content['application/json'].schema
    expect(required).toEqual(['ProductName', 'TaxCode', 'Price', 'Department', 'Unit'])
    expect(properties).toMatchObject({
      ProductName: { type: 'string', maxLength: 72 },
      TaxCode: { type: 'integer', minimum: 1, maximum: 8 },
      Price: { type: 'number', minimum: 0, maximum: 9999999.99 },
      Department: { type: 'integer', minimum: 0, maximum: 99 },
      Unit: { type: 'string', maxLength: 6 },
      Quantity: { type: 'number', minimum: 0.01, maximum: 999999.999 },
    })
  })

  it('names the addresses in use', async () => {
    const settings = { listen: { host: '127.0.0.1', httpPort: 5001, httpsPort: 5002 } }
    const { app } = composeService(createFakePrinter(), { settings })
    const { body } = await supertest(app).get('/api/openapi.json')
    expect(body.servers.map(({ url }: { url: string }) => url)).toEqual([
      'https://127.0.0.1:5002/api',
      'http://127.0.0.1:5001/api',
    ])
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the JSON has no declared type
type Loose = any
const document = (): Loose => JSON.parse(openApiText())
const operations = () =>
  Object.entries<Loose>(document().paths).flatMap(([path, methods]) =>
    Object.entries<Loose>(methods).map(([method, operation]) => ({ path, method, operation })),
  )
const bodyOf = (operation: Loose): Loose => operation.requestBody?.content['application/json']

describe('for standard validators, the API description', () => {
  const ajv = new Ajv({ strict: false })

  it('is a valid OpenAPI document', async () => {
    const { valid, errors } = await new Validator().validate(document())
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it.each([0.29, 0.57, 1.1, 4.35, 19.99, 0.07, 1.005e2, 9999999.99, 0])('accepts the price %s', (Price) => {
    const { schema, example } = bodyOf(document().paths['/register-free-sale'].post)
    expect(ajv.validate(schema, { ...example, Price }), ajv.errorsText()).toBe(true)
  })

  it.each([0.01, 0.333, 1.001, 999999.999])('accepts the quantity %s', (Quantity) => {
    const { schema, example } = bodyOf(document().paths['/register-plu-sale'].post)
    expect(ajv.validate(schema, { ...example, Quantity }), ajv.errorsText()).toBe(true)
  })

  it.each([-0.01, 10000000, '5', null])('refuses the price %s', (Price) => {
    const { schema, example } = bodyOf(document().paths['/register-free-sale'].post)
    expect(ajv.validate(schema, { ...example, Price })).toBe(false)
  })

  it('has an example for every body, which its own schema and the service accept', () => {
    const wrong: string[] = []
    for (const { path, method, operation } of operations()) {
      const body = bodyOf(operation)
      if (!body) continue
      if (!ajv.validate(body.schema, body.example)) wrong.push(`${path}: ${ajv.errorsText()}`)
      const endpoint = endpoints.find((one) => one.path === path && one.method === method)
      const call = { params: {}, body: readJson(JSON.stringify(body.example)) }
      const prepared = endpoint?.prepare(call, capabilitiesOf({ family: 'A', device: '' }))
      if (prepared && !prepared.ok) wrong.push(`${path}: ${prepared.problems[0]?.message}`)
    }
    expect(wrong).toEqual([])
  })

  it('has a limit for every text, number and list of a request', () => {
    const without: string[] = []
    const visit = (schema: Loose, at: string): void => {
      const has = (...words: readonly string[]) => words.every((word) => schema[word] !== undefined)
      if (schema.enum || schema.const !== undefined) return
      if (schema.type === 'string' && !has('maxLength') && !has('pattern')) without.push(at)
      if ((schema.type === 'integer' || schema.type === 'number') && !has('minimum', 'maximum')) without.push(at)
      if (schema.type === 'array') {
        if (!has('maxItems')) without.push(at)
        visit(schema.items, `${at}[]`)
      }
      for (const [name, member] of Object.entries<Loose>(schema.properties ?? {})) visit(member, `${at}.${name}`)
    }
    for (const { path, operation } of operations()) {
      const body = bodyOf(operation)
      if (body) visit(body.schema, path)
      for (const { name, schema } of operation.parameters ?? []) visit(schema, `${path} ${name}`)
    }
    expect(without).toEqual([])
  })
})

describe('refusals in the API description', () => {
  it('have an example for each status, with that status and a message', () => {
    for (const { path, operation } of operations()) {
      for (const [status, response] of Object.entries<Loose>(operation.responses)) {
        if (status === '200') continue
        const { example } = response.content['application/json']
        expect([path, status, example]).toEqual([
          path,
          status,
          expect.objectContaining({ StatusCode: Number(status), Message: expect.stringMatching(/^\S.*[.]$/) }),
        ])
      }
    }
  })

  it('have the same text as the answers of the service', async () => {
    const { post } = document().paths['/register-plu-sale']
    const exampleOf = (status: number) => post.responses[status].content['application/json'].example
    const service = composeService(createFakePrinter(), { settings: { apiKey: 'key' } })
    const ask = () => supertest(service.app).post('/api/register-plu-sale')
    const known = () => ask().set('Authorization', 'Bearer key')
    expect((await ask()).body).toEqual(exampleOf(401))
    expect((await known().set('Origin', 'https://pos.example')).body).toEqual(exampleOf(403))
    expect(
      (
        await known()
          .type('json')
          .send(' '.repeat(1024 * 1024 + 1))
      ).body,
    ).toEqual(exampleOf(413))
    expect((await known().type('text/plain').send('{}')).body).toEqual(exampleOf(415))
    expect((await known().send({})).body).toEqual(exampleOf(400))
    const bodiless = document().paths['/report-x'].post.responses[400].content['application/json'].example
    const broken = supertest(service.app).post('/api/report-x').set('Authorization', 'Bearer key')
    expect((await broken.type('json').send('{')).body).toEqual(bodiless)
  })
})

describe('the request schemas', () => {
  it('state decimals with x-decimals', () => {
    const { properties } = document().paths['/register-free-sale'].post.requestBody.content['application/json'].schema
    expect([
      properties.Price['x-decimals'],
      properties.Quantity['x-decimals'],
      'x-decimals' in properties.TaxCode,
    ]).toEqual([2, 3, false])
  })
})
