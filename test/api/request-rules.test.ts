/** Envelope, bodies, names, numbers and values: the rules of decisions 1, 2 and 4 that need no device. */

import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { ensureSite } from '../../bin/commands/site.ts'
import { readJson } from '../../drivers/model/json.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { infoOf } from '../../server/fields.ts'
import { unknownFields } from '../../server/unknown-fields.ts'
import { CAPABILITIES_B, CAPABILITIES_C, createFakePrinter } from '../support/fake-printer.ts'
import { composeService } from '../support/rig.ts'
import { withWords } from '../support/verdict-rows.ts'

const SALE = '"ProductName":"Bread","TaxCode":2,"Department":1,"Unit":"pcs"'

function rig(capabilities?: Parameters<typeof createFakePrinter>[0]) {
  const printer = createFakePrinter(capabilities)
  const { app } = composeService(printer)
  const agent = supertest(app)
  const post = (path: string, body?: string, type = 'application/json') => {
    const request = agent.post(`/api${path}`)
    return body === undefined ? request : request.set('Content-Type', type).send(body)
  }
  return { printer, agent, post }
}

describe('the body of a request', () => {
  it.each([
    ['malformed JSON, and the message names the position', '{"Text": }', 400, /line 1, column 10/],
    ['a comma too many', '{"Text": "x",}', 400, /not valid JSON/],
    ['text after the value', '{"Text": "x"} x', 400, /not valid JSON/],
    ['a hundred thousand nested arrays', '['.repeat(100_000), 400, /nested/],
    ['an empty body for an endpoint that needs one', '', 400, /body is required/],
  ])('is refused for %s', async (_, body, status, message) => {
    const { printer, post } = rig()
    const answer = await post('/display-line-one', body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({
      StatusCode: status,
      Message: expect.stringMatching(message),
      ...(answer.body.Errors && { Errors: expect.anything() }),
    })
    expect(printer.calls).toEqual([])
  })

  it('is refused with 413 if it is larger than 1 MiB, and read up to that size', async () => {
    const { post } = rig()
    const pad = (size: number) => `{"Text":"x"${' '.repeat(size - 12)}}`
    expect((await post('/display-line-one', pad(1024 * 1024))).status).toBe(200)
    const { status, body } = await post('/display-line-one', pad(1024 * 1024 + 1))
    expect([status, body.StatusCode]).toEqual([413, 413])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/json; charset=latin1'])(
    'is refused with 415 if it is of type %s',
    async (type) => {
      const { status, body } = await rig().post('/display-line-one', '{"Text":"x"}', type)
      expect([status, body.StatusCode]).toEqual([415, 415])
    },
  )

  it.each([
    [{ 'Content-Type': 'text/plain' }, 'Content-Type text/plain is not supported'],
    [{}, 'Content-Type application/x-www-form-urlencoded is not supported'],
  ])(
    'of another type is refused, and the message names the required and the received header: %j',
    async (headers, stated) => {
      const { body } = await rig().agent.post('/api/display-line-one').set(headers).send('{"Text":"x"}')
      expect(body.Message).toBe(`${stated}. Set the header Content-Type: application/json, and send UTF-8.`)
    },
  )

  it('is refused with 415 if it is compressed', async () => {
    const { agent } = rig()
    const request = agent
      .post('/api/display-line-one')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
    expect((await request.send('{"Text":"x"}')).status).toBe(415)
  })

  it('is refused with 400 if it is not UTF-8', async () => {
    const { agent } = rig()
    const request = agent.post('/api/display-line-one').set('Content-Type', 'application/json')
    request.write(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))
    const { status, body } = await request
    expect(status).toBe(400)
    expect(body).toMatchObject({ StatusCode: 400, Message: expect.stringContaining('not valid UTF-8') })
  })

  it.each(['/subtotal', '/open-non-fiscal-receipt', '/report-x', '/clear-display'])(
    'may be absent, null or {} for %s',
    async (path) => {
      for (const body of [undefined, '{}', 'null', '']) {
        const { printer, post } = rig()
        printer.kind = path === '/subtotal' ? 'Fiscal' : 'None'
        expect((await post(path, body)).body.StatusCode).toBe(200)
      }
    },
  )
})

describe('the names of fields', () => {
  it('match without regard to case, and unknown fields are ignored', async () => {
    const { post } = rig()
    expect((await post('/display-line-one', '{"tExT":"x","Colour":"red"}')).status).toBe(200)
  })

  it.each(['{"Text":"x","text":"y"}', '{"Text":"x","Text":"x"}', '{"Text":"x","TEXT":null}'])(
    'are refused with 400 if one name occurs twice in one object: %s',
    async (body) => {
      const answer = await rig().post('/display-line-one', body)
      expect(answer.status).toBe(400)
      expect(answer.body.Errors).toEqual([{ Path: 'Text', Message: 'Text appears twice in one object; send it once.' }])
    },
  )

  it('may be those of the prototype, and change nothing', async () => {
    const { post } = rig()
    expect((await post('/display-line-one', '{"__proto__":{"Text":"x"},"constructor":1}')).status).toBe(400)
    expect((await post('/display-line-one', '{"__proto__":1,"Text":"x"}')).status).toBe(200)
  })
})

describe('a number in a body', () => {
  it.each([
    ['"5"', 400],
    ['1.005', 400],
    ['1.500', 200],
    ['15e-1', 200],
    ['0.00', 200],
    ['-0.01', 400],
    ['9999999.99', 200],
    ['9999999.991', 400],
    ['10000000', 400],
    ['1e400', 400],
    ['0.30000000000000004', 400],
    ['1e-999999999', 400],
    ['true', 400],
  ])('is checked before the device is queried: Price %s is answered with %i', async (price, status) => {
    const { printer, post } = rig()
    const { body } = await post('/register-free-sale', `{${SALE},"Price":${price}}`)
    // An accepted value reaches the printer, which refuses the sale because no receipt is open.
    expect(printer.calls.length > 0).toBe(status === 200)
    if (status === 400) expect(body.Errors[0].Path).toBe('Price')
  })

  it.each(
    withWords({ true: 'accepted', false: 'refused' }, [
      ['0.009', false],
      ['0.01', true],
      ['0.010', true],
      ['1.2345', false],
      ['999999.999', true],
      ['1000000', false],
    ]),
  )('is %s: Quantity %s', async (_result, quantity, isAccepted) => {
    const { printer, post } = rig()
    await post('/register-plu-sale', `{"PluNumber":1,"Quantity":${quantity}}`)
    expect(printer.calls.length > 0).toBe(isAccepted)
  })
})

describe('a discount in a body', () => {
  it.each(
    withWords({ true: 'accepted', false: 'refused' }, [
      ['no discount', '', true],
      ['type 0 with a value of 0', ',"DiscountType":0,"DiscountValue":0', true],
      ['a type without a value', ',"DiscountType":2', false],
      ['percent 100', ',"DiscountType":2,"DiscountValue":100', true],
      ['percent 100.01', ',"DiscountType":1,"DiscountValue":100.01', false],
      ['percent 100.01 off', ',"DiscountType":2,"DiscountValue":100.01', false],
      ['percent 0', ',"DiscountType":1,"DiscountValue":0', false],
      ['amount 100.01', ',"DiscountType":4,"DiscountValue":100.01', true],
      ['amount 0', ',"DiscountType":3,"DiscountValue":0', false],
      ['type 5', ',"DiscountType":5,"DiscountValue":1', false],
    ]),
  )('is %s: %s', async (_result, _, fields, isAccepted) => {
    const { printer, post } = rig()
    await post('/register-plu-sale', `{"PluNumber":1${fields}}`)
    expect(printer.calls.length > 0).toBe(isAccepted)
  })
})

it('an answer reports every problem at once, and its Message names the first', async () => {
  const { body } = await rig().post(
    '/register-free-sale',
    '{"TaxCode":9,"Price":"1","Department":100,"Unit":"pieces!"}',
  )
  expect(body.Errors.map((one: { Path: string }) => one.Path)).toEqual([
    'ProductName',
    'TaxCode',
    'Price',
    'Department',
    'Unit',
  ])
  expect(body.Message).toBe('ProductName is required: a text of 1 to 72 characters.')
  expect(Object.keys(body)).toEqual(['StatusCode', 'Message', 'Errors'])
})

it.each(['a\\tb', 'a\\u0000', '\\u007f', '\\u0085', '\\ud800'])(
  'the service refuses the text %s, which has a control character or half of a surrogate pair',
  async (text) => {
    const { status, body } = await rig().post('/display-line-one', `{"Text":"${text}"}`)
    expect([status, body.Errors[0].Path]).toEqual([400, 'Text'])
  },
)

it('the service accepts any other Unicode text and counts characters, not bytes', async () => {
  const { post } = rig()
  expect((await post('/display-line-one', JSON.stringify({ Text: '🧾'.repeat(200) }))).status).toBe(200)
  expect((await post('/display-line-one', JSON.stringify({ Text: '🧾'.repeat(201) }))).status).toBe(400)
})

describe('the path of a request', () => {
  it.each(['/api/no-such-thing', '/emulator', '/api/print-separating-line'])(
    'is answered in the envelope with 404 if it does not exist: %s',
    async (path) => {
      const { status, body } = await rig().agent.get(path)
      expect([status, body.StatusCode, typeof body.Message]).toEqual([404, 404, 'string'])
    },
  )

  it('is answered with 400 if it cannot be decoded', async () => {
    const { status, body } = await rig().agent.post('/api/print-separating-line/%E0%A4%A')
    expect([status, body.StatusCode]).toEqual([400, 400])
  })

  it.each(['0', '5', 'x', '-1', '1.0', '01'])(
    'is answered with 400 for the type of separating line %s',
    async (type) => {
      const { status, body } = await rig().post(`/print-separating-line/${type}`)
      expect([status, body.StatusCode]).toEqual([400, 400])
    },
  )

  it.each([
    ['0', 400],
    ['-1', 400],
    ['x', 400],
    ['1.5', 400],
    ['99999999999999999999', 404],
    ['4', 404],
    ['3', 200],
  ])('with the number of the Z report %s is answered with %i', async (number, expected) => {
    const { status, body } = await rig().agent.get(`/api/ask-for-z-report-structured-information/${number}`)
    expect([status, body.StatusCode]).toEqual([expected, expected])
  })
})

it('the service writes an archived Z report with exact numbers, and null for values that the wire protocol lacks', async () => {
  const { text } = await rig().agent.get('/api/ask-for-z-report-structured-information/2')
  expect(text).toBe(
    '{"StatusCode":200,"Data":{"Number":2,"DateTime":"2026-07-15T18:00:00","FirstReceipt":1,"LastReceipt":null,"ReceiptsCount":5,' +
      '"Total":1234.5,"Taxes":[{"TaxCode":1,"Letter":"A","Rate":20,"Turnover":1234.5,"Tax":205.75}],' +
      '"Payments":[{"PaymentMode":0,"Amount":1234.5}],"Discounts":{"Count":1,"Amount":0.05},"Surcharges":null,' +
      '"Voids":{"Count":0,"Amount":0},"CashIn":null,"CashOut":-1.5,"Raw":"raw"}}',
  )
})

describe('the service refuses what a family lacks:', () => {
  const COMPOSITE = '{"ReceiptItems":[{"Type":3,"BarCode":{"Type":1,"Data":"1234567"}}]}'

  it.each(['/print-bar-code', '/print-fiscal-receipt'])(
    'family C refuses barcodes in %s before anything is opened',
    async (path) => {
      const { printer, post } = rig(CAPABILITIES_C)
      const { status, body } = await post(path, path === '/print-bar-code' ? '{"Type":1,"Data":"1234567"}' : COMPOSITE)
      expect(status).toBe(400)
      expect(body.Message).toMatch(/^NotSupportedException:/)
      expect(printer.calls).toEqual([])
    },
  )

  it('family C requires the operator for a non-fiscal receipt', async () => {
    const { post } = rig(CAPABILITIES_C)
    const { status, body } = await post('/open-non-fiscal-receipt')
    expect([status, body.Errors.map((one: { Path: string }) => one.Path)]).toEqual([
      400,
      ['OperatorCode', 'OperatorPassword'],
    ])
    expect((await post('/open-non-fiscal-receipt', '{"OperatorCode":1,"OperatorPassword":"0000"}')).status).toBe(200)
  })

  it('family B refuses free sales and names register-plu-sale, alone and in a complete receipt', async () => {
    const { printer, post } = rig(CAPABILITIES_B)
    const items = `{"ReceiptItems":[{"Type":0,"FreeSale":{${SALE},"Price":1}}]}`
    for (const answer of [await post('/register-free-sale', '{}'), await post('/print-fiscal-receipt', items)]) {
      expect(answer.status).toBe(400)
      expect(answer.body.Message).toContain('register-plu-sale')
    }
    expect(printer.calls).toEqual([])
  })

  it('a missing barcode type is answered with 400 and the supported types, and wrong data with 400', async () => {
    const { printer, post } = rig()
    expect((await post('/print-bar-code', '{"Type":5,"Data":"123"}')).body.Message).toContain('1 EAN8')
    expect((await post('/print-bar-code', '{"Type":1,"Data":"12"}')).body.Message).toContain('7 or 8 digits')
    for (const [path, body, at] of [
      ['/print-bar-code', '{"Type":1,"Data":"12345678"}', 'Data'],
      [
        '/print-fiscal-receipt',
        '{"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":1}},{"Type":3,"BarCode":{"Type":1,"Data":"12345678"}}]}',
        'ReceiptItems[1].BarCode.Data',
      ],
      [
        '/print-non-fiscal-receipt',
        '{"ReceiptItems":[{"Type":1,"BarCode":{"Type":1,"Data":"12345678"}}]}',
        'ReceiptItems[0].BarCode.Data',
      ],
    ] as const) {
      const { body: answer } = await post(path, body)
      expect(answer.Message).toBe(`${at} must end in the check digit 0 for EAN8; it ends in 8.`)
      expect(answer.Errors[0].Path).toBe(at)
    }
    expect(printer.calls).toEqual([])
  })
})

describe('a DiscountValue without a type of discount', () => {
  const sale = (more: string) => `{"PluNumber":1,${more}}`
  it.each(
    withWords({ 200: 'accepted', 400: 'refused' }, [
      ['if DiscountType is absent', '"DiscountValue":5', 400],
      ['if it is 0 and DiscountType is absent', '"DiscountValue":0', 200],
      ['if DiscountType is 0', '"DiscountType":0,"DiscountValue":5', 200],
      ['if DiscountType is null', '"DiscountType":null,"DiscountValue":5', 400],
    ]),
  )('is %s %s', async (_result, _, more, status) => {
    const { printer, post } = rig()
    await printer.openFiscal({ operator: { code: 1, password: '1' }, pointOfSale: 1, invoice: false })
    const answer = await post('/register-plu-sale', sale(more))
    expect(answer.status).toBe(status)
    if (status === 400) {
      expect(answer.body.Message).toMatch(
        /^DiscountType is required, because DiscountValue is 5.00: .*2 percentage disc/,
      )
      expect(answer.body.Errors[0].Path).toBe('DiscountType')
    }
  })
})

describe('a field that is not declared', () => {
  const item = (more: string) => `{"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":1${more}}}]}`

  it.each([
    ['/register-plu-sale', '{"PluNumber":1,"Comment":"x","Id":7}', 'Comment, Id'],
    ['/register-plu-sale', '{"plunumber":1,"QUANTITY":2}', undefined],
    // A field that resembles a known one is ignored only if the known field is present, too, or if the request prints
    // nothing.
    ['/register-plu-sale', '{"PluNumber":1,"Quantity":2,"Qty":3}', 'Qty (Quantity?)'],
    ['/display-line-one', '{"Text":"x","Txt":"y"}', 'Txt (Text?)'],
    ['/display-line-one', '{"Text":"x","t\u00e8xt,":"y"}', 't?xt? (Text?)'],
  ])('is ignored, and named in a header: %s %s', async (path, body, unknownFields) => {
    const { printer, post } = rig()
    expect((await post(path, body)).headers['x-unknown-fields']).toBe(unknownFields)
    expect(printer.calls).not.toEqual([])
  })

  it.each([
    ['/register-plu-sale', '{"PluNumber":1,"Qty":2}', 'Qty', 'Quantity'],
    ['/register-plu-sale', '{"plu_number":1}', 'plu_number', 'PluNumber'],
    ['/register-plu-sale', '{"PluNumber":1,"Vold":true}', 'Vold', 'Void'],
    ['/print-fiscal-receipt', `${item('').slice(0, -1)},"Payment":[]}`, 'Payment', 'Payments'],
    ['/print-fiscal-receipt', item(',"Discount":3'), 'ReceiptItems[0].PluSale.Discount', 'DiscountType'],
    ['/subtotal', '{"Prnt":true}', 'Prnt', 'Print'],
  ])('is refused as a misspelled field: %s %s', async (path, body, field, meant) => {
    const { printer, post } = rig()
    const { status, body: answer, headers } = await post(path, body)
    expect(status).toBe(400)
    expect(answer.Message).toBe(`${field} is not a field: ${meant}?`)
    expect(answer.Errors[0].Path).toBe(field)
    expect(headers['x-unknown-fields']).toBe(`${field} (${meant}?)`)
    expect(printer.calls).toEqual([])
  })

  it('is not refused as misspelled if it is a field of another endpoint, or an unrelated word', () => {
    const words = [
      'Weight',
      'Quality',
      'PriceNet',
      'UnitName',
      'Pos',
      'Pay',
      'PaymentsTotal',

      'Test',
      'Id',
      'Note',
    ]
    const declared = [...new Set(endpoints.flatMap(({ body }) => (body ? namesIn(body) : [])))]
    expect(declared.length).toBeGreaterThan(35)
    for (const { path, body, prints } of endpoints) {
      if (!body || !prints) continue
      for (const name of [...declared, ...words]) {
        const json = readJson(JSON.stringify({ [name]: 1 }))
        expect([path, name, unknownFields(body, json).filter(({ isSlip }) => isSlip)]).toEqual([path, name, []])
      }
    }
  })

  it('is logged too, and many such fields are reported in bounded time', async () => {
    const service = composeService(createFakePrinter())
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`Quantit${n}`, 1]))
    const { headers, status } = await supertest(service.app)
      .post('/api/print-fiscal-receipt')
      .send({ ReceiptItems: Array.from({ length: 200 }, () => ({ Type: 1, PluSale: { PluNumber: 1, ...many } })) })
    expect(status).toBe(400)
    expect(String(headers['x-unknown-fields']).split(', ')).toHaveLength(20)
    expect(service.warnings.filter((line) => line.includes('unknown fields'))).toHaveLength(1)
  })

  it('is recognized as misspelled after 1,100 other unknown fields', () => {
    const others = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`Other${n}`, 1]))
    const items = Array.from({ length: 900 }, () => ({ Type: 1, PluSale: { PluNumber: 1, Comment: '' } }))
    const body = { ...others, ReceiptItems: items, Payment: [] }
    const schema = endpoints.find(({ path }) => path === '/print-fiscal-receipt')?.body
    const found = schema ? unknownFields(schema, readJson(JSON.stringify(body))) : []
    expect(found.find(({ isSlip }) => isSlip)?.path).toBe('Payment')
  })
})

function namesIn(schema: z.ZodType): readonly string[] {
  const { members = {}, element, alternatives = [] } = infoOf(schema)
  return [
    ...Object.keys(members),
    ...Object.values(members).flatMap(namesIn),
    ...(element ? namesIn(element) : []),
    ...alternatives.flatMap(({ member, schema: companion }) => [member, ...namesIn(companion)]),
  ]
}

describe('a complete receipt', () => {
  const free = (more: object) => ({
    Type: 0,
    FreeSale: { ProductName: 'Bread', TaxCode: 1, Price: 1, Department: 0, Unit: 'pc', ...more },
  })

  it.each([
    ['at 0.00', free({ Price: 0 }), 'FreeSale.Price'],
    ['that is rounded to 0.00', free({ Price: 0.01, Quantity: 0.01 }), 'FreeSale.Quantity'],
    ['at 100 % discount', free({ DiscountType: 2, DiscountValue: 100 }), 'FreeSale.DiscountValue'],
    [
      'at a discount of its whole price',
      free({ Quantity: 3, DiscountType: 4, DiscountValue: 3 }),
      'FreeSale.DiscountValue',
    ],
    [
      'of an article at 100 % discount',
      { Type: 1, PluSale: { PluNumber: 1, DiscountType: 2, DiscountValue: 100 } },
      'PluSale.DiscountValue',
    ],
  ])('with a sale %s is refused before anything is opened', async (_, sale, at) => {
    const { printer, post } = rig()
    const { status, body } = await post('/print-fiscal-receipt', JSON.stringify({ ReceiptItems: [free({}), sale] }))
    expect(status).toBe(400)
    expect(body.Errors).toEqual([{ Path: `ReceiptItems[1].${at}`, Message: body.Message }])
    expect(body.Message).toContain('this device refuses a row of 0.00')
    expect(printer.calls).toEqual([])
  })

  it('reports which texts were cut', async () => {
    const { post } = rig()
    const text = (Message: string) => ({ Type: 2, Text: { Message } })
    const items = [free({}), text('x'.repeat(42)), text('\u00e8'.repeat(43))]
    const { status, headers } = await post('/print-fiscal-receipt', JSON.stringify({ ReceiptItems: items }))
    expect(status).toBe(200)
    expect(headers['x-warnings']).toBe('ReceiptItems[2].Text.Message has 43 characters and is cut to 42')
  })

  it('reports at most 2,000 characters about cut texts: proxies refuse longer headers', async () => {
    const { printer, post } = rig()
    printer.state = { ...printer.state, conditions: new Set(['paperNearlyOut']) }
    const texts = Array.from({ length: 100 }, () => ({ Type: 2, Text: { Message: 'x'.repeat(60) } }))
    const { status, headers } = await post(
      '/print-fiscal-receipt',
      JSON.stringify({ ReceiptItems: [free({}), ...texts] }),
    )
    expect(status).toBe(200)
    expect(headers['x-warnings']).toMatch(
      /^ReceiptItems\[1\]\.Text\.Message has 60 characters and is cut to 42; .*; and 69 more; The paper is nearly out\./,
    )
    expect(headers['x-warnings']?.length).toBeLessThan(2200)
  })

  it('that fails reports its failure together with the low paper', async () => {
    const { printer, post } = rig()
    printer.state = { ...printer.state, conditions: new Set(['paperNearlyOut']) }
    const { headers } = await post(
      '/print-non-fiscal-receipt',
      JSON.stringify({ ReceiptItems: [{ Type: 0, Text: { Message: 'x'.repeat(50) } }] }),
    )
    expect(headers['x-warnings']).toBe(
      'ReceiptItems[0].Text.Message has 50 characters and is cut to 42; The paper is nearly out. Have a new roll ready.',
    )
  })
})

describe('a visitor who looks for the documentation', () => {
  it.each(['/', '/api', '/api/'])('is redirected from %s to the documentation', async (path) => {
    const { status, headers } = await rig().agent.get(path)
    expect([status, headers['location']]).toEqual([302, '/docs'])
  })
  it('gets the first page with all its files', async () => {
    await ensureSite()
    const { text, headers } = await rig().agent.get('/docs').expect(200)
    expect(headers['content-type']).toMatch(/^text\/html/)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
    for (const [, path] of text.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]*)"/g)) {
      const { status } = await rig().agent.get(String(path))
      expect([path, status]).toEqual([expect.stringMatching(/^\/docs\//), 200])
    }
  })
  it('gets the pages and no other file', async () => {
    const agent = rig().agent
    await agent.get('/docs/family-a.html').expect(200)
    for (const path of ['nothing.html', '..%2f..%2fversion.ts', '%2e%2e/guide/index.md', '.hidden.html', '/index.html'])
      await agent.get(`/docs/${path}`).expect(404)
  })
  it.each(['nothing.html', 'a/b/', '%E0%A4%A', 'guide/%', '%00'])(
    'gets a page that says that /docs/%s does not exist',
    async (path) => {
      const { text, headers, status } = await rig().agent.get(`/docs/${path}`).set('Accept', 'text/html,*/*')
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(text).toContain('<h1>No such page</h1>')
      expect(text).toContain('href="/docs/"')
      expect(text).toContain('href="/docs/docs.css"')
      const { body } = await rig().agent.get(`/docs/${path}`).expect(404)
      expect(body.Message).toBe(`No endpoint /docs/${path}. See /docs for all endpoints.`)
    },
  )
  it('gets the address of the documentation in a 404', async () => {
    expect((await rig().agent.get('/api/nothing')).body.Message).toContain('/docs')
  })
})

describe('the items of a complete receipt', () => {
  it.each([
    ['no Type', '{}', 'ReceiptItems[0].Type'],
    ['an unknown Type', '{"Type":5}', 'ReceiptItems[0].Type'],
    ['no object for its Type', '{"Type":2,"PluSale":{"PluNumber":1}}', 'ReceiptItems[0].Text'],
    ['an invalid object for its Type', '{"Type":1,"PluSale":{"PluNumber":0}}', 'ReceiptItems[0].PluSale.PluNumber'],
    ['an invalid SeparatingLineType', '{"Type":4,"SeparatingLineType":5}', 'ReceiptItems[0].SeparatingLineType'],
    ['a number instead of an object', '7', 'ReceiptItems[0]'],
  ])('with %s are refused before the receipt is opened', async (_, item, path) => {
    const { printer, post } = rig()
    const { status, body } = await post('/print-fiscal-receipt', `{"ReceiptItems":[${item}]}`)
    expect([status, body.Errors[0].Path]).toEqual([400, path])
    expect(printer.calls).toEqual([])
  })

  it('must be present, and at least one', async () => {
    for (const body of ['{}', '{"ReceiptItems":[]}', '{"ReceiptItems":null}']) {
      expect((await rig().post('/print-fiscal-receipt', body)).body.Errors[0].Path).toBe('ReceiptItems')
    }
  })

  it('may contain fields of another Type, which are ignored', async () => {
    const { body } = await rig().post(
      '/print-fiscal-receipt',
      '{"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":1},"Text":5}]}',
    )
    expect(body.StatusCode).toBe(200)
  })

  it('with an unknown payment mode are refused before the receipt is opened', async () => {
    const { printer, post } = rig()
    const body = '{"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":1}}],"Payments":[{"PaymentMode":9,"Amount":1}]}'
    expect((await post('/print-fiscal-receipt', body)).body.Errors[0].Path).toBe('Payments[0].PaymentMode')
    expect(printer.calls).toEqual([])
  })
})
