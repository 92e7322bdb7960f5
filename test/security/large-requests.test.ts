/** Requests of one mebibyte keep the service busy no longer than it takes to read them, and get a short response. */
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { readJson } from '../../drivers/model/json.ts'
import { list, object } from '../../server/field-objects.ts'
import { kind } from '../../server/fields.ts'
import { createFakePrinter } from '../support/fake-printer.ts'
import { composeService } from '../support/rig.ts'

const BODY_BYTES = 1024 * 1024
const ANSWER_MAX_BYTES = 32 * 1024

const filled = (head: string, one: string, tail: string): string => {
  const room = BODY_BYTES - head.length - tail.length
  return `${head}${Array.from({ length: Math.floor(room / (one.length + 1)) }, () => one).join(',')}${tail}`
}
const numbered = (head: string, one: (index: number) => string, tail: string, count: number): string =>
  `${head}${Array.from({ length: count }, (_, index) => one(index)).join(',')}${tail}`

const ITEM = '{"Type":1,"PluSale":{"PluNumber":1}}'

/**
 * Without a limit, each body would cause a response of tens of megabytes, or keep the service busy for seconds or
 * minutes.
 */
const FLOODS: Readonly<Record<string, readonly [path: string, body: string]>> = {
  'empty payments': ['/print-fiscal-receipt', filled(`{"ReceiptItems":[${ITEM}],"Payments":[`, '{}', ']}')],
  'payments that are no objects': [
    '/print-fiscal-receipt',
    filled(`{"ReceiptItems":[${ITEM}],"Payments":[`, '0', ']}'),
  ],
  'empty items': ['/print-fiscal-receipt', filled('{"ReceiptItems":[', '{}', ']}')],
  'empty items of a non-fiscal receipt': ['/print-non-fiscal-receipt', filled('{"ReceiptItems":[', '{}', ']}')],
  'null items': ['/print-non-fiscal-receipt', filled('{"ReceiptItems":[', 'null', ']}')],
  'items of another list': ['/print-non-fiscal-receipt', filled('{"ReceiptItems":[', '[]', ']}')],
  'one field a hundred thousand times': ['/payment', filled('{', '"Amount":1', '}')],
  'unknown fields, each twice': ['/payment', numbered('{', (index) => `"f${index >> 1}":1`, '}', 90_000)],
  'a field of a name without end': ['/payment', `{"${'x'.repeat(500_000)}":1,"${'X'.repeat(500_000)}":1}`],
  'a thousand items, each with a field many times': [
    '/print-fiscal-receipt',
    numbered('{"ReceiptItems":[', () => numbered('{', () => '"a":0', '}', 170), ']}', 1000),
  ],
  'a number of a million digits': ['/payment', `{"PaymentMode":0,"Amount":${'9'.repeat(1_000_000)}}`],
  'a number with zeros in the middle': ['/payment', `{"PaymentMode":0,"Amount":1${'0'.repeat(1_000_000)}1}`],
  'a fraction of zeros and a one': ['/payment', `{"PaymentMode":0,"Amount":0.${'0'.repeat(1_000_000)}1}`],
  'an exponent of a million digits': ['/payment', `{"PaymentMode":0,"Amount":1e${'9'.repeat(1_000_000)}}`],
  'a text without end': ['/print-fiscal-text', `{"Text":"${'\\n'.repeat(500_000)}"}`],
  'a name without a colon': ['/payment', `{"${'x'.repeat(1_000_000)}" 1}`],
}

describe('a mebibyte of', () => {
  it.each(Object.entries(FLOODS))(
    '%s is refused with a short text',
    async (_name, [path, body]) => {
      const printer = createFakePrinter()
      expect(body.length).toBeLessThanOrEqual(BODY_BYTES)
      // The service reads the parts that it compares by value only for a request with an idempotency key.
      const { app } = composeService(printer)
      const post = supertest(app).post(`/api${path}`).set('Content-Type', 'application/json')
      const answer = await post.set('Idempotency-Key', 'key').send(body)
      expect(answer.status).toBe(400)
      expect(answer.text.length).toBeLessThan(ANSWER_MAX_BYTES)
      expect((answer.body.Errors ?? []).length).toBeLessThanOrEqual(51)
      expect(printer.calls).toEqual([])
    },
    20_000,
  )

  it.each([
    ['line feeds before a letter', `["1,______,_,__;${'\\n'.repeat(400_000)}x"]`],
    ['line feeds before a letter, after a line', `["1,______,_,__;","${'\\n'.repeat(400_000)}x"]`],
    ['empty lines', filled('[', '""', ']')],
    ['lines', filled('[', '"1,______,_,__;"', ']')],
    ['spaces before a letter', `["${' '.repeat(1_000_000)}x"]`],
    ['carets', `["${'^'.repeat(1_000_000)}"]`],
    ['a thousand lines of a thousand spaces', numbered('[', () => `"1,______,_,__;${' '.repeat(980)}x"`, ']', 1000)],
  ])(
    '%s to /Receipt is refused with a short text',
    async (_name, body) => {
      const printer = createFakePrinter()
      const answer = await supertest(composeService(printer).app).post('/api/Receipt').send(body)
      expect(answer.body).toMatchObject({ ReceiptStatus: 'false' })
      expect(answer.text.length).toBeLessThan(2_000)
      expect(printer.calls).toEqual([])
    },
    20_000,
  )
})

describe('the problems of a request', () => {
  it('are listed up to fifty, with the number of the others', async () => {
    const items = Array.from({ length: 120 }, () => ({}))
    const { app } = composeService(createFakePrinter())
    const { body } = await supertest(app).post('/api/print-fiscal-receipt').send({ ReceiptItems: items })
    expect(body.Errors).toHaveLength(51)
    expect(body.Errors[0].Path).toBe('ReceiptItems[0].Type')
    expect(body.Errors[50]).toEqual({ Path: '', Message: 'And 70 more.' })
    const fifty = await supertest(app)
      .post('/api/print-fiscal-receipt')
      .send({ ReceiptItems: items.slice(0, 50) })
    expect(fifty.body.Errors).toHaveLength(50)
  })

  it('include too many elements, before an element is checked, and too many members', () => {
    let seen = 0
    const one = kind({ is: 'number', words: 'anything', schema: {} }, () => {
      seen++
      return 1
    })
    const lists = list(one, { max: 3 })
    const messagesOf = (schema: z.ZodType, json: string) =>
      schema.safeParse(readJson(json)).error?.issues.map(({ message }) => message)
    expect(messagesOf(lists, '[1,2,3,4]')).toEqual(['must be a list of at most 3; it has 4'])
    expect(seen).toBe(0)
    expect(messagesOf(lists, '[1,2,3]')).toBeUndefined()
    expect(seen).toBe(3)
    const many = (count: number) => numbered('{', (index) => `"f${index}":1`, '}', count)
    expect(messagesOf(object({ a: one }), many(256))).toEqual(['is required: anything'])
    expect(messagesOf(object({ a: one }), many(257))).toEqual(['must have at most 256 fields; it has 257'])
    expect(seen).toBe(3)
  })
})
