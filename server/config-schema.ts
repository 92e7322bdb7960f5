/** The members of the configuration file (decisions 7), each with the text for its expected value. */
import { z } from 'zod'
import { WAIT_MAX_MS, WAIT_MIN_MS } from '../drivers/family.ts'
import { isLoopback } from '../drivers/host/caller.ts'
import { FAMILIES } from '../drivers/index.ts'
import { type Family, oneOfFamilies } from '../drivers/model/families.ts'
import { parseDecimal } from '../drivers/model/money.ts'

const expected = (what: string) => ({ error: `expected ${what}` })

const words = (what = 'a text') =>
  z.string(expected(`${what} (in quotes, if it looks like a number)`)).min(1, expected(what))

/** A whole number; the error contains the limits: "expected 1 to 8". */
const whole = (min: number, max: number) => {
  const say = expected(`${min} to ${max}`)
  return z.int(say).min(min, say).max(max, say)
}

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, expected(values.length === 1 ? `${values[0]}` : values.join(' or ')))

/** An object without unknown keys. */
function members<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const keys = Object.keys(shape).join(', ')
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `expected one of ${keys}; this key is unknown` : 'expected an object',
  })
}

const listOf = <T extends z.ZodType>(element: T) => z.array(element, expected('a list'))

/** An object with keys of one form. */
const table = <T extends z.ZodType>(key: RegExp, keyWords: string, value: T) =>
  z.record(z.string().regex(key, expected(keyWords)), value, {
    error: (issue) => (issue.code === 'invalid_key' ? `expected ${keyWords} as the key` : 'expected an object'),
  })

/** Forms of a secret, as text or by its source. */
const SECRET = expected('a text, {env: NAME} or {file: PATH}')
const secret = z.union(
  [z.string().min(1, SECRET), z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })],
  SECRET,
)
export type Secret = z.output<typeof secret>

const port = whole(0, 65_535)

const host = z.string(expected('a host name or an address')).regex(/^[\w.:-]+$/, expected('a host name or an address'))

const origin = z
  .string(expected('an origin such as https://pos.example'))
  .regex(/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/i, expected('an origin such as https://pos.example'))

const DEVICE = expected('emulator, the path of a port, tcp://HOST:PORT, or tcp://HOST:PORT?rfc2217')
/** Form of an address; without a port, the family's default applies. */
const ADDRESS = /^tcp:\/\/(?:\[[0-9a-f:.%]+\]|[^:/?\s]+)(?::(\d{1,5}))?\/?(?:\?rfc2217)?$/i
const device = z
  .string(DEVICE)
  .regex(/^(?:tcp:\/\/\S+|(?!\w+:\/\/).+)$/i, DEVICE)
  .refine((text) => !/^tcp:/i.test(text) || isPort(ADDRESS.exec(text)), DEVICE)

const waitMs = whole(WAIT_MIN_MS, WAIT_MAX_MS)

/** An address alone, or with the times that the driver waits for its device. */
const deviceAndWaits = z.union(
  [
    device,
    members({
      address: device.optional().describe('As `device` by itself: `emulator`, a path, or `tcp://HOST:PORT`.'),
      firstAnswerMs: waitMs
        .optional()
        .describe('From the end of a command to the first byte of an answer; 500 (A, B), 3000 (C) without.'),
      gapMs: waitMs
        .optional()
        .describe(
          'Between the bytes of an answer, and between two words of a device at work; 1000 (A), 500 (B, C) without.',
        ),
      documentMs: waitMs
        .optional()
        .describe(
          'The whole of one command with all that it prints, reports too; 15 to 120 s (A), 30 to 90 s (B), 15 to 90 s (C) without.',
        ),
    }),
  ],
  {
    error: ({ input }) =>
      typeof input === 'object'
        ? 'expected an address as text, firstAnswerMs, gapMs and documentMs in whole milliseconds'
        : DEVICE.error,
  },
)

function isPort(address: RegExpExecArray | null): boolean {
  const port = Number(address?.[1] ?? 1)
  return address !== null && port >= 1 && port <= 65_535
}

/** A percentage with at most 2 decimals, as hundredths of a percent. */
const percent = z.number(expected('0 to 99.99')).transform((value, context) => {
  const read = parseDecimal(String(value), 2)
  if (typeof read === 'number' && read >= 0 && read <= 9_999) return read
  context.issues.push({ code: 'custom', message: 'expected 0 to 99.99, with at most 2 decimals', input: value })
  return z.NEVER
})

/** Programmed price as decimal text or number, in hundredths. */
const price = z.union([z.string(), z.number()], expected('a price such as 1.50')).transform((value, context) => {
  const read = parseDecimal(String(value), 2)
  if (typeof read === 'number' && read >= 0 && read <= 999_999_999) return read
  context.issues.push({ code: 'custom', message: 'expected a price such as 1.50', input: value })
  return z.NEVER
})

const taxCode = whole(1, 8)
const paymentMode = whole(0, 99)
const plu = whole(1, 2_147_483_647)
const tenderClass = oneOf(['cash', 'card', 'transfer', 'voucher'])

/** The members of OpenFiscalReceipt (specification 2.4, platform orders 5.1); `defaults` provides missing ones. */
const operator = members({
  OperatorCode: whole(1, 30).optional().describe('Who prints the orders; `defaults.operator` without.'),
  OperatorPassword: secret.optional().describe('`defaults.password` without.'),
  PointOfSaleNumber: whole(1, 99_999).optional().describe('`defaults.pointOfSale` without.'),
  Invoice: z.boolean(expected('true or false')).optional().describe('Orders are printed as invoices.'),
})

/**
 * The members of `config` in the platform's fixtures, and the articles of a family without free sales (decisions 7).
 */
const mapping = members({
  currency: z
    .string(expected('a currency code'))
    .regex(/^[A-Z]{3}$/, expected('a currency code'))
    .optional()
    .describe(
      'What the device prints: needed where the platform is configured. Orders in another currency are refused.',
    ),
  money: oneOf(['shop', 'presentment'])
    .optional()
    .describe("Amounts in the shop's own currency (`shop`, the default), or in the customer's."),
  decimals: whole(2, 2).optional().describe('Decimals of the currency.'),
  gidNamespace: words().optional().describe('`platform.gidNamespace` for orders only.'),
  taxCodes: listOf(
    members({
      rate: z
        .string(expected('a rate as text, such as "21.00"'))
        .regex(/^\d{1,2}(\.\d{1,2})?$/, expected('a rate such as "21.00"'))
        .describe('Percent, as text.'),
      code: taxCode.describe('Tax group of the device: 1 is A.'),
    }),
  )
    .optional()
    .describe('Which tax group takes a rate of the order; an order with another rate is refused.'),
  noTaxCode: taxCode
    .optional()
    .describe('Tax group of lines without a tax (a tip, a gift card); without it such an order is refused.'),
  shippingTaxCode: taxCode
    .optional()
    .describe('Tax group of shipping whose own tax is not known, and of `shippingTax: fixed`.'),
  shippingTax: oneOf(['exact', 'fixed', 'highest', 'split'])
    .optional()
    .describe(
      'Shipping whose tax rate is not in taxCodes, because the platform blended it from the rates of the goods: refused ' +
        '(`exact`, the default), in the group of shippingTaxCode (`fixed`), in the group of the goods with the highest ' +
        'rate, or a row for each group of the goods (`split`).',
    ),
  feeTaxCode: taxCode
    .optional()
    .describe('Tax group of duties, and of fees without a tax; without it such an order is refused.'),
  vatCheck: oneOf(['refuse', 'warn', 'off'])
    .optional()
    .describe(
      'An order whose tax rates are not those that the device has programmed: refused (the default), printed with a ' +
        'warning in the log, or printed without asking the device.',
    ),
  testOrders: oneOf(['refuse', 'print'])
    .optional()
    .describe('Test orders; unset, they are printed on the emulated device only.'),
  department: whole(0, 99).optional().describe('Department of every line.'),
  unit: words('a text of 1 to 6 characters')
    .max(6, expected('a text of 1 to 6 characters'))
    .optional()
    .describe('Unit of every line.'),
  gateways: z
    .record(z.string(), tenderClass, expected('an object'))
    .optional()
    .describe(
      'What a payment gateway of the platform is: cash, card, transfer or voucher; "" is a payment without one.',
    ),
  modes: z
    .partialRecord(tenderClass, paymentMode, expected('payment modes by cash, card, transfer, voucher'))
    .optional()
    .describe('The PaymentMode of each of them.'),
  defaultGateway: tenderClass.optional().describe('What an unknown gateway is; without it such an order is refused.'),
  pendingGateways: listOf(words())
    .optional()
    .describe('Gateways whose pending payments count as paid: cash on delivery.'),
  roundingToleranceMinor: whole(0, 100)
    .optional()
    .describe("By how many hundredths the receipt may differ from the order's total before it is refused; 5 without."),
  zeroNetLines: oneOf(['text', 'zero-price'])
    .optional()
    .describe('A line that costs nothing: a text line (the default), or a sale on a device that takes sales of zero.'),
  zeroTotal: oneOf(['reject']).optional().describe('An order that costs nothing is refused.'),
  refundPolicy: oneOf(['net', 'gross', 'reject'])
    .optional()
    .describe(
      'An order with refunds: the remaining items are printed (`net`, the default), the original sale (`gross`), or it is refused.',
    ),
  orderText: words()
    .refine(
      (text) => !/\{(?!name\})\w*\}/.test(text),
      expected("a text; {name}, the order's name, is its only placeholder"),
    )
    .optional()
    .describe("A text line at the top of the receipt; `{name}` is replaced by the order's name, such as #1001."),
  variantInName: z.boolean(expected('true or false')).optional().describe('The name of the variant follows the title.'),
  skuText: z.boolean(expected('true or false')).optional().describe('The stock number as a text line below its line.'),
  unpaidPolicy: oneOf(['reject', 'auto'])
    .optional()
    .describe(
      'An order that is not paid in full: refused (the default), or printed as a receipt without payments (`auto`).',
    ),
  cashTendered: oneOf(['net', 'tendered'])
    .optional()
    .describe('Cash after change (`net`, the default), or as it was tendered.'),
  operator: operator.optional().describe('Who prints the orders.'),
  plu: listOf(
    members({
      title: words().optional().describe('Title of the line, exactly.'),
      sku: words().optional().describe('Its stock number.'),
      taxCode: taxCode.optional().describe('Any line of this tax group.'),
      plu: plu.describe('Number of the article.'),
      price: price.optional().describe('As it is programmed in the device.'),
    }).refine(
      (entry) => [entry.title, entry.sku, entry.taxCode].some((one) => one !== undefined),
      expected('title, sku or taxCode'),
    ),
  )
    .optional()
    .describe('Which article a line is sold as, where the device has no free sales; the first that fits counts.'),
}).refine(
  ({ shippingTax, shippingTaxCode }) => shippingTax !== 'fixed' || shippingTaxCode !== undefined,
  expected('shippingTaxCode, the tax group that shippingTax: fixed means'),
)
export type MappingConfig = z.output<typeof mapping>

/**
 * Returns whether the base address is safe: session tokens, the client's secret and orders are sent there, unencrypted
 * only if no network carries them.
 */
function isSafeBase(base: string): boolean {
  const url = URL.parse(base.replaceAll('{shop}', 'shop.example'))
  if (!url || /\s/.test(base)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
}

const platform = members({
  word: z
    .string(expected('a word of letters, digits and -'))
    .regex(/^[\w-]+$/, expected('a word of letters, digits and -'))
    .default('platform')
    .describe('The word in `get-WORD-order` and `print-WORD-order`.'),
  gidNamespace: words().default('platform').describe('The word in the global ids of orders: `gid://WORD/Order/1`.'),
  arrangement: oneOf(['direct', 'relay'])
    .default('direct')
    .describe('The service asks the platform itself, or a relay that has the secrets.'),
  baseUrl: z
    .string(expected('an address'))
    .refine(isSafeBase, expected('an address that begins with https://, or http:// of this machine'))
    .default('https://{shop}')
    .describe('Where the platform is asked; `{shop}` is the host of the shop.'),
  shopSuffix: words().optional().describe('The domain under which shops live.'),
  allowedShops: listOf(words()).default([]).describe('Host names; empty: every shop under `shopSuffix`.'),
  clientId: secret.optional().describe("The application's id with the platform."),
  clientSecret: secret.optional().describe('Its secret: session tokens are signed with it.'),
  previousClientSecret: secret.optional().describe('The secret before, while it is being changed.'),
  apiVersion: z
    .string(expected('a version such as "2026-07"'))
    .regex(/^\d{4}-\d{2}$/, expected('a version such as "2026-07"'))
    .default('2026-07')
    .describe("Version of the platform's API."),
  accessTokenHeader: words().default('X-Platform-Access-Token').describe('Header that carries the access token.'),
  tokenTypePrefix: words()
    .default('urn:platform:params:oauth:token-type:')
    .describe('Prefix of the types of tokens in an exchange.'),
  clockToleranceS: whole(0, 300).default(10).describe('How far clocks may differ, in seconds.'),
  timeoutS: whole(1, 100).default(10).describe('How long the platform may take, in seconds.'),
  mapping: mapping.default({}).describe('How an order becomes a receipt.'),
})
export type PlatformConfig = z.output<typeof platform>

/**
 * Maximum number of letters and digits on any device: 13 digits after the letters of a country (A bg), 14 (A ro), 13 or
 * 15 (C); other characters are omitted if the wire requires that. The form that a certain device requires is known
 * after its first answer, and is checked before an invoice is opened.
 */
const TAX_NUMBER_MAX = 15
const TAX_NUMBER_EXPECTED = expected(`a tax number of at most ${TAX_NUMBER_MAX} letters and digits`)
const isCarried = (taxNumber: string): boolean => [...taxNumber.replace(/[^\p{L}\p{N}]/gu, '')].length <= TAX_NUMBER_MAX

/** Creates the schema of the file for these families. */
export const configFileOf = (families: readonly Family[]) =>
  members({
    family: z
      .enum(families as [Family, ...Family[]], expected(oneOfFamilies(families)))
      .optional()
      .describe('Family of the device.'),
    device: deviceAndWaits
      .optional()
      .describe(
        'The emulated device, a serial port (`/dev/ttyUSB0`, `COM3`), or an address: `tcp://HOST:PORT` for raw bytes, ' +
          '`tcp://HOST:PORT?rfc2217` for a serial port whose speed is set at the far end; with waits, an object.',
      ),
    profile: words().optional().describe('Profile of the emulated device; without it the first of its family.'),
    baud: whole(300, 4_000_000).optional().describe("Speed of the serial line; without it the family's usual one."),
    data: words('a folder or "memory"')
      .optional()
      .describe('Data folder; without it one in the home folder of the user. `memory` keeps nothing.'),
    listen: members({
      host: host.optional().describe('Address to listen on.'),
      httpPort: port.optional().describe('0: any free port.'),
      httpsPort: port.optional().describe('0: any free port.'),
      panelPort: port.optional().describe("Port of the emulated device's panel. 0: any free port."),
      panelHost: host.optional().describe("Address that the emulated device's panel listens on."),
      https: z.boolean(expected('true or false')).optional().describe('false: no HTTPS port and no certificate.'),
      open: z
        .boolean(expected('true or false'))
        .optional()
        .describe('Allows listening beyond loopback without `apiKey`: every client that reaches the port can print.'),
      hosts: listOf(host)
        .optional()
        .describe('Names in the Host header that service and panel answer besides those of this machine.'),
      origins: listOf(origin)
        .optional()
        .describe('Sites whose pages may call the service besides its own, such as `https://pos.example`.'),
    })
      .optional()
      .describe('Where the service is reached, and by whom.'),
    tls: members({
      certificate: words('a file').describe('PEM file with the certificate and what leads to its authority.'),
      key: words('a file').describe('PEM file with its key.'),
    })
      .optional()
      .describe('A certificate of your own; without it the service makes one.'),
    apiKey: secret
      .optional()
      .describe('Callers send it as `Authorization: Bearer KEY`; the documentation is open without it.'),
    defaults: members({
      operator: whole(1, 30).optional().describe('Operator of requests that name none.'),
      password: secret.optional().describe("Their password; without it the factory's of the device."),
      pointOfSale: whole(1, 99_999).optional().describe('Their number of the point of sale.'),
      customer: members({
        taxNumber: words().refine(isCarried, TAX_NUMBER_EXPECTED).optional().describe('Tax number.'),
        name: words().optional().describe('Name.'),
        address: words().optional().describe('Address.'),
      })
        .optional()
        .describe('Whom invoices are made out to.'),
    })
      .optional()
      .describe('What requests need not say.'),
    operators: table(
      /^(?:[1-9]|[12]\d|30)$/,
      'an operator, "1" to "30",',
      members({ password: secret.describe('Password.') }),
    )
      .optional()
      .describe('Operators of the emulated device.'),
    payments: table(/^(?:0|[1-9]\d?)$/, 'a payment mode, "0" to "99",', words())
      .optional()
      .describe("PaymentMode to the wire's own code, over the family's table."),
    taxRates: table(/^[A-H]$/, 'a tax group, A to H,', percent)
      .optional()
      .describe('Tax rates of the emulated device in percent.'),
    legacy: members({
      plu: listOf(
        members({
          name: words().optional().describe('Name of the item in the line, exactly.'),
          taxCode: taxCode.optional().describe('Any item of this tax group.'),
          plu: plu.describe('Number of the article.'),
        }).refine((entry) => entry.name !== undefined || entry.taxCode !== undefined, expected('name or taxCode')),
      )
        .optional()
        .describe('Which article an item is sold as, where the device has no free sales; the first that fits counts.'),
    })
      .optional()
      .describe('Legacy lines (`POST /Receipt`).'),
    platform: platform.optional().describe('Platform orders; without it their endpoints are answered with 400.'),
  })

export const configFile = configFileOf(FAMILIES)
export type ConfigFile = z.output<typeof configFile>
