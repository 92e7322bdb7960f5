/**
 * Tests generated from the declarations: every field of every endpoint is omitted, has a wrong type, and is just inside
 * and just outside its limits.
 */
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { formatDecimal } from '../../drivers/model/money.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { type FieldInfo, infoOf } from '../../server/fields.ts'
import { createFakePrinter } from '../support/fake-printer.ts'
import { composeService } from '../support/rig.ts'
import { VALID_BODIES, VALID_PATHS } from '../support/valid-requests.ts'

interface Field {
  readonly path: readonly (string | number)[]
  readonly info: FieldInfo
}

function fieldsOf(schema: z.ZodType, path: readonly (string | number)[], body: unknown): Field[] {
  const info = infoOf(schema)
  if (info.is === 'object') {
    return Object.entries(info.members ?? {}).flatMap(([name, member]) => {
      const value = (body as Record<string, unknown>)[name]
      return [{ path: [...path, name], info: infoOf(member) }, ...fieldsOf(member, [...path, name], value)]
    })
  }
  if (info.is === 'list') return fieldsOf(info.element as z.ZodType, [...path, 0], (body as unknown[] | undefined)?.[0])
  if (info.is === 'item') {
    const chosen = info.alternatives?.find((one) => one.type === (body as { Type: number } | undefined)?.Type)
    const value = chosen && (body as Record<string, unknown>)[chosen.member]
    return chosen ? fieldsOf(chosen.schema, [...path, chosen.member], value) : []
  }
  return []
}

const literal = (text: string) => `\u0001${text}\u0001`
const toJson = (body: unknown): string => JSON.stringify(body).replace(/"\\u0001(.*?)\\u0001"/g, '$1')

function withField(body: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value
  const copy: Record<string | number, unknown> | unknown[] = Array.isArray(body)
    ? [...body]
    : { ...(body as Record<string, unknown> | undefined) }
  const holder = copy as Record<string | number, unknown>
  holder[first] = withField(holder[first], rest, value)
  return copy
}

const pathText = (path: readonly (string | number)[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('')

function wrongTypes(info: FieldInfo): unknown[] {
  switch (info.is) {
    case 'number':
      return ['5', true, [], {}]
    case 'text':
      return [5, true, [], {}]
    case 'flag':
      return ['true', 1, [], {}]
    case 'list':
      return ['x', 1, true, {}]
    case 'object':
    case 'item':
      return ['x', 1, true, []]
  }
}

function edges({ is, min = 0, max = 0, decimals = 0 }: FieldInfo): { inside: unknown[]; outside: unknown[] } {
  if (is === 'text') {
    return {
      inside: ['x'.repeat(min), 'ж'.repeat(max)],
      outside: ['x'.repeat(min - 1), 'x'.repeat(max + 1), 'a\tb', 'a\u0085b'],
    }
  }
  if (is === 'number') {
    const at = (value: number) => literal(formatDecimal(value, decimals))
    const finer = literal(`${formatDecimal(min, decimals)}${decimals === 0 ? '.5' : '1'}`)
    return { inside: [at(min), at(max)], outside: [at(min - 1), at(max + 1), finer] }
  }
  return { inside: [], outside: [] }
}

const posts = endpoints.filter((endpoint) => endpoint.body)

describe.each(posts.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (path, endpoint) => {
  const schema = endpoint.body as z.ZodType
  const valid = VALID_BODIES[path] as object
  const printer = createFakePrinter()
  const { app } = composeService(printer)
  const agent = supertest(app)
  const post = (body: unknown) =>
    agent
      .post(`/api${VALID_PATHS[path] ?? path}`)
      .set('Content-Type', 'application/json')
      .send(toJson(body))

  async function expectRefused(body: unknown, field: string): Promise<void> {
    const before = printer.calls.length
    const { status, body: answer } = await post(body)
    expect({ status, code: answer.StatusCode }).toEqual({ status: 400, code: 400 })
    expect(answer.Errors.map((one: { Path: string }) => one.Path)).toContain(field)
    expect(answer.Message).toBe(answer.Errors[0].Message)
    expect(printer.calls.length, 'no call reached the device').toBe(before)
  }

  it('lets the valid body through to the device', async () => {
    const before = printer.calls.length
    const { body } = await post(valid)
    expect(body.Errors).toBeUndefined()
    expect(printer.calls.length).toBeGreaterThan(before)
  })

  it('refuses a body that is not an object', async () => {
    for (const body of [[], 'text', literal('5'), true]) await expectRefused(body, '')
  })

  describe.each(fieldsOf(schema, [], valid).map((field) => [pathText(field.path), field] as const))(
    '%s',
    (name, field) => {
      it(field.info.optional ? 'may be missing or null' : 'is required, and null is missing', async () => {
        for (const value of [undefined, null]) {
          const body = withField(valid, field.path, value)
          // DiscountType and DiscountValue are required by each other.
          if (field.info.optional && !/Discount(?:Type|Value)$/.test(name)) {
            expect((await post(body)).body.Errors ?? []).toEqual([])
          } else {
            await expectRefused(body, name)
          }
        }
      })

      it('is refused when it has another type', async () => {
        for (const value of wrongTypes(field.info)) await expectRefused(withField(valid, field.path, value), name)
      })

      const { inside, outside } = edges(field.info)
      if (inside.length === 0) return
      it('is accepted at its limits and refused beyond them', async () => {
        // Fields whose limits depend on another field have separate tests (values.test.ts).
        if (!/DiscountType|DiscountValue|\bType$|PaymentMode|^Data$/.test(name)) {
          for (const value of inside) {
            const { body } = await post(withField(valid, field.path, value))
            // A refusal of the sum by the device does not concern the field.
            const about: readonly { readonly Path: string }[] = body.Errors ?? []
            const own = about.filter(({ Path }) => Path !== 'Payments')
            expect(own, `${name} = ${value}`).toEqual([])
          }
        }
        for (const value of outside) await expectRefused(withField(valid, field.path, value), name)
      })
    },
  )
})

describe('every endpoint', () => {
  const { app } = composeService(createFakePrinter())
  const agent = supertest(app)
  const table = endpoints.map((one) => [one.method, VALID_PATHS[one.path] ?? one.path] as const)

  it.each(table)(
    '%s %s answers in the envelope, in any letter case, with and without a trailing slash',
    async (method, path) => {
      for (const spelling of [path, path.toUpperCase(), `${path}/`]) {
        const { body, headers } = await agent[method](`/api${spelling}`)
        expect(Object.keys(body)).toContain('StatusCode')
        expect(body.StatusCode).not.toBe(404)
        expect(headers['api-version']).toMatch(/^\d+\.\d+\.\d+$/)
      }
    },
  )

  it.each(table)('%s %s refuses other methods with Allow', async (method, path) => {
    for (const other of (['get', 'post', 'put', 'delete', 'patch'] as const).filter((one) => one !== method)) {
      const { status, body, headers } = await agent[other](`/api${path}`)
      expect([status, body.StatusCode]).toEqual([405, 405])
      expect(headers['allow']?.split(', ')).toContain(method.toUpperCase())
    }
  })
})
