/** The API description: golden file, served as it is, and in step with what validation does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import { openApiText } from '../../bin/commands/docs.ts'
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
  it('is the golden file; after a change: npm run docs', () => {
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
      Price: { type: 'number', minimum: 0, maximum: 9999999.99, multipleOf: 0.01 },
      Department: { type: 'integer', minimum: 0, maximum: 99 },
      Unit: { type: 'string', maxLength: 6 },
      Quantity: { type: 'number', minimum: 0.01, maximum: 999999.999, multipleOf: 0.001 },
    })
  })
})
