import { z } from 'zod'
import { WAIT_MAX_MS, WAIT_MIN_MS } from '../drivers/family.ts'
import { expected, quotedText, strictMembers, trueOrFalse, wholeNumber } from '../drivers/host/form-kinds.ts'
import { isLoopback } from '../drivers/host/request-origin.ts'
import { describeFirstSpeeds, FAMILIES } from '../drivers/index.ts'
import { type Family, oneOfFamilies } from '../drivers/model/families.ts'
import { parseDecimal } from '../drivers/model/money.ts'

const words = (what = 'a text') => quotedText(what)

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, expected(values.length === 1 ? `${values[0]}` : values.join(' or ')))

const listOf = <T extends z.ZodType>(element: T) => z.array(element, expected('a list'))

const table = <T extends z.ZodType>(key: RegExp, keyWords: string, value: T) =>
  z.record(z.string().regex(key, expected(keyWords)), value, {
    error: (issue) => (issue.code === 'invalid_key' ? `expected ${keyWords} as the key` : 'expected an object'),
  })

const optional = <T extends z.ZodType>(schema: T, description: string) => schema.optional().describe(description)

const SECRET = expected('a text, {env: NAME} or {file: PATH}')
const secret = z.union(
  [z.string().min(1, SECRET), z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })],
  SECRET,
)
export type Secret = z.output<typeof secret>

const port = wholeNumber(0, 65_535)

const host = z.string(expected('a host name or an address')).regex(/^[\w.:-]+$/, expected('a host name or an address'))

const origin = z
  .string(expected('an origin such as https://pos.example'))
  .regex(/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/i, expected('an origin such as https://pos.example'))

const DEVICE = expected('emulator, the path of a port, tcp://HOST:PORT, or tcp://HOST:PORT?rfc2217')
/** If the address has no port, the default port of the family applies. */
const ADDRESS = /^tcp:\/\/(?:\[[0-9a-f:.%]+\]|[^:/?\s]+)(?::(\d{1,5}))?\/?(?:\?rfc2217)?$/i
const device = z
  .string(DEVICE)
  .regex(/^(?:tcp:\/\/\S+|(?!\w+:\/\/).+)$/i, DEVICE)
  .refine((text) => !/^tcp:/i.test(text) || isPort(ADDRESS.exec(text)), DEVICE)

const waitMs = wholeNumber(WAIT_MIN_MS, WAIT_MAX_MS)

const deviceAndWaits = z.union(
  [
    device,
    strictMembers({
      address: optional(device, '`emulator`, a path, or `tcp://HOST:PORT`, as in `device` without an object.'),
      firstAnswerMs: optional(
        waitMs,
        'Time from the end of a command to the first byte of its answer (default: 500 on A and B, 3000 on C).',
      ),
      gapMs: optional(
        waitMs,
        'Time between two bytes of an answer, and between two signals of a busy device (default: 1000 on A, 500 on B and C).',
      ),
      documentMs: optional(
        waitMs,
        'Time of one command with everything that it prints, reports included (default: 15 to 120 s on A, 30 to 90 s on B, 15 to 90 s on C).',
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

const percent = z.number(expected('0 to 99.99')).transform((value, context) => {
  const read = parseDecimal(String(value), 2)
  if (typeof read === 'number' && read >= 0 && read <= 9_999) return read
  context.issues.push({ code: 'custom', message: 'expected 0 to 99.99, with at most 2 decimals', input: value })
  return z.NEVER
})

const price = z.union([z.string(), z.number()], expected('a price such as 1.50')).transform((value, context) => {
  const read = parseDecimal(String(value), 2)
  if (typeof read === 'number' && read >= 0 && read <= 999_999_999) return read
  context.issues.push({ code: 'custom', message: 'expected a price such as 1.50', input: value })
  return z.NEVER
})

const taxCode = wholeNumber(1, 8)
const paymentMode = wholeNumber(0, 99)
const plu = wholeNumber(1, 2_147_483_647)
const tenderClass = oneOf(['cash', 'card', 'transfer', 'voucher'])

/** The members of OpenFiscalReceipt (specification 2.4, platform orders 5.1). `defaults` supplies missing ones. */
const operator = strictMembers({
  OperatorCode: optional(wholeNumber(1, 30), 'Operator who prints the orders (default: `defaults.operator`).'),
  OperatorPassword: optional(secret, 'Password of this operator (default: `defaults.password`).'),
  PointOfSaleNumber: optional(wholeNumber(1, 99_999), 'Number of the point of sale (default: `defaults.pointOfSale`).'),
  Invoice: optional(trueOrFalse, 'Whether orders are printed as invoices (default: false).'),
})

/**
 * The members of `config` in the platform's fixtures, and the articles for families without free sales (decisions 7).
 */
const mapping = strictMembers({
  currency: optional(
    z.string(expected('a currency code')).regex(/^[A-Z]{3}$/, expected('a currency code')),
    'Currency that the device prints; required if the platform is configured. Orders in another currency are rejected.',
  ),
  money: optional(
    oneOf(['shop', 'presentment']),
    "Whether amounts are in the shop's currency (`shop`, the default) or in the customer's.",
  ),
  decimals: optional(wholeNumber(2, 2), 'Decimals of the currency.'),
  gidNamespace: optional(words(), 'The word in the global ids of orders, instead of `platform.gidNamespace`.'),
  taxCodes: optional(
    listOf(
      strictMembers({
        rate: z
          .string(expected('a rate as text, such as "21.00"'))
          .regex(/^\d{1,2}(\.\d{1,2})?$/, expected('a rate such as "21.00"'))
          .describe('Tax rate in percent, as text.'),
        code: taxCode.describe('Tax group of the device: 1 is A.'),
      }),
    ),
    'Tax group of the device for each tax rate of orders; an order with another rate is rejected.',
  ),
  noTaxCode: optional(
    taxCode,
    'Tax group of lines without a tax (a tip, a gift card); without it, such an order is rejected.',
  ),
  shippingTaxCode: optional(taxCode, 'Tax group of shipping whose own tax is not known, and of `shippingTax: fixed`.'),
  shippingTax: optional(
    oneOf(['exact', 'fixed', 'highest', 'split']),
    'Shipping whose tax rate is not in taxCodes, because the platform blended it from the rates of the goods: refused ' +
      '(`exact`, the default), in the group of shippingTaxCode (`fixed`), in the group of the goods with the highest ' +
      'rate, or a row for each group of the goods (`split`).',
  ),
  feeTaxCode: optional(
    taxCode,
    'Tax group of duties, and of fees without a tax; without it, such an order is rejected.',
  ),
  vatCheck: optional(
    oneOf(['refuse', 'warn', 'off']),
    'An order whose tax rates are not those that the device has programmed: refused (the default), printed with a ' +
      'warning in the log, or printed without asking the device.',
  ),
  testOrders: optional(
    oneOf(['refuse', 'print']),
    'Whether test orders are printed (default: on the emulated device only).',
  ),
  department: optional(wholeNumber(0, 99), 'Department of every line (default: 1).'),
  unit: optional(
    words('a text of 1 to 6 characters').max(6, expected('a text of 1 to 6 characters')),
    'Unit of every line (default: buc).',
  ),
  gateways: optional(
    z.record(z.string(), tenderClass, expected('an object')),
    'Payment class of each payment gateway of the platform: cash, card, transfer or voucher; "" is for payments without a gateway.',
  ),
  modes: optional(
    z.partialRecord(tenderClass, paymentMode, expected('payment modes by cash, card, transfer, voucher')),
    'PaymentMode of each payment class (default: 0 for cash, 1 for card, none for the others).',
  ),
  defaultGateway: optional(tenderClass, 'Payment class of unknown gateways; without it, such an order is rejected.'),
  pendingGateways: optional(
    listOf(words()),
    'Gateways whose pending payments count as paid, such as cash on delivery.',
  ),
  roundingToleranceMinor: optional(
    wholeNumber(0, 100),
    "Maximum difference between the receipt and the order's total, in hundredths; with a larger one, the order is rejected (default: 5).",
  ),
  zeroNetLines: optional(
    oneOf(['text', 'zero-price']),
    'How a line that costs nothing is printed: as a text line (the default), or as a sale if the device accepts sales of zero.',
  ),
  zeroTotal: optional(oneOf(['reject']), 'What happens to an order that costs nothing: it is rejected.'),
  refundPolicy: optional(
    oneOf(['net', 'gross', 'reject']),
    'An order with refunds: the remaining items are printed (`net`, the default), the original sale (`gross`), or it is refused.',
  ),
  orderText: optional(
    words().refine(
      (text) => !/\{(?!name\})\w*\}/.test(text),
      expected("a text; {name}, the order's name, is its only placeholder"),
    ),
    "A text line at the top of the receipt; `{name}` is replaced by the order's name, such as #1001.",
  ),
  variantInName: optional(trueOrFalse, 'Whether the name of the variant is printed after the title (default: false).'),
  skuText: optional(trueOrFalse, 'Whether the stock number is printed as a text line below its line (default: false).'),
  unpaidPolicy: optional(
    oneOf(['reject', 'auto']),
    'An order that is not paid in full: refused (the default), or printed as a receipt without payments (`auto`).',
  ),
  cashTendered: optional(oneOf(['net', 'tendered']), 'Cash after change (`net`, the default), or as it was tendered.'),
  operator: optional(operator, 'Operator who prints the orders.'),
  plu: optional(
    listOf(
      strictMembers({
        title: optional(words(), 'Title of the line, exactly.'),
        sku: optional(words(), 'Stock number of the line.'),
        taxCode: optional(taxCode, 'Any line of this tax group.'),
        plu: plu.describe('Number of the article.'),
        price: optional(price, 'Price of the article, as programmed in the device.'),
      }).refine(
        (entry) => [entry.title, entry.sku, entry.taxCode].some((one) => one !== undefined),
        expected('title, sku or taxCode'),
      ),
    ),
    'Articles as which lines are sold, if the device has no free sales; the first matching entry is used.',
  ),
}).refine(
  ({ shippingTax, shippingTaxCode }) => shippingTax !== 'fixed' || shippingTaxCode !== undefined,
  expected('shippingTaxCode, because shippingTax is fixed'),
)
export type MappingConfig = z.output<typeof mapping>

/** Returns whether session tokens, secrets and orders are sent encrypted or remain on this machine. */
function isSafeBase(base: string): boolean {
  const url = URL.parse(base.replaceAll('{shop}', 'shop.example'))
  if (!url || /\s/.test(base)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
}

const platform = strictMembers({
  word: z
    .string(expected('a word of letters, digits and -'))
    .regex(/^[\w-]+$/, expected('a word of letters, digits and -'))
    .default('platform')
    .describe('The word in `get-WORD-order` and `print-WORD-order`.'),
  gidNamespace: words().default('platform').describe('The word in the global ids of orders: `gid://WORD/Order/1`.'),
  arrangement: oneOf(['direct', 'relay'])
    .default('direct')
    .describe('Whether the service calls the platform directly, or a relay that has the secrets.'),
  baseUrl: z
    .string(expected('an address'))
    .refine(isSafeBase, expected('an address that begins with https://, or http:// of this machine'))
    .default('https://{shop}')
    .describe('Address of the platform; `{shop}` is the host of the shop.'),
  shopSuffix: optional(words(), 'Domain of the host names of shops.'),
  allowedShops: listOf(words())
    .default([])
    .describe('Host names of allowed shops; empty: every shop under `shopSuffix`.'),
  clientId: optional(secret, "The application's id with the platform."),
  clientSecret: optional(secret, 'Client secret of the application; session tokens are signed with it.'),
  previousClientSecret: optional(secret, 'Previous client secret, during a rotation.'),
  apiVersion: z
    .string(expected('a version such as "2026-07"'))
    .regex(/^\d{4}-\d{2}$/, expected('a version such as "2026-07"'))
    .default('2026-07')
    .describe("Version of the platform's API."),
  accessTokenHeader: words().default('X-Platform-Access-Token').describe('Header that carries the access token.'),
  tokenTypePrefix: words()
    .default('urn:platform:params:oauth:token-type:')
    .describe('Prefix of the types of tokens in an exchange.'),
  clockToleranceS: wholeNumber(0, 300).default(10).describe('Maximum difference between clocks, in seconds.'),
  timeoutS: wholeNumber(1, 100).default(10).describe('Time limit for the platform, in seconds.'),
  mapping: mapping.default({}).describe('Rules that convert an order to a receipt.'),
})
export type PlatformConfig = z.output<typeof platform>

/**
 * Maximum number of letters and digits on any device. The exact form depends on the device and is checked before an
 * invoice is opened. Other characters are ignored here, because wire protocols that forbid them omit them.
 */
const TAX_NUMBER_MAX = 15
const TAX_NUMBER_EXPECTED = expected(`a tax number of at most ${TAX_NUMBER_MAX} letters and digits`)
const isCarried = (taxNumber: string): boolean => [...taxNumber.replace(/[^\p{L}\p{N}]/gu, '')].length <= TAX_NUMBER_MAX

const listen = optional(
  strictMembers({
    host: optional(host, 'Address to listen on (default: loopback).'),
    httpPort: optional(port, 'HTTP port; 0 picks a free port (default: 65400).'),
    httpsPort: optional(port, 'HTTPS port; 0 picks a free port (default: 65401).'),
    panelPort: optional(
      port,
      "Port of the emulated device's control panel; 0 picks a free port (default: 65402, or a free port if it is in use).",
    ),
    panelHost: optional(host, "Address on which the emulated device's control panel listens (default: loopback)."),
    https: optional(trueOrFalse, 'Whether to open the HTTPS port and create a certificate (default: true).'),
    open: optional(
      trueOrFalse,
      'Allows listening beyond loopback without `apiKey`: every client that reaches the port can print (default: false).',
    ),
    hosts: optional(
      listOf(host),
      'Additional names in the Host header to which service and control panel answer, besides those of this machine.',
    ),
    origins: optional(listOf(origin), 'Other origins whose pages may call the service, such as `https://pos.example`.'),
  }),
  'Addresses of the service, and who may call it.',
)

export const configFileOf = (families: readonly Family[]) =>
  strictMembers({
    family: optional(
      z.enum(families as [Family, ...Family[]], expected(oneOfFamilies(families))),
      `Family of the device (default: ${families[0]}).`,
    ),
    device: optional(
      deviceAndWaits,
      'The emulated device, a serial port (`/dev/ttyUSB0`, `COM3`), or an address: `tcp://HOST:PORT` for raw bytes, ' +
        '`tcp://HOST:PORT?rfc2217` for a serial port whose speed is set at the far end; with waits, an object (default: `emulator`).',
    ),
    profile: optional(words(), "Profile of the emulated device (default: the family's first profile)."),
    baud: optional(wholeNumber(300, 4_000_000), `Speed of the serial line (default: ${describeFirstSpeeds()}).`),
    data: optional(
      words('a folder or "memory"'),
      'Data folder (default: a folder in the home folder of the user). `memory` stores nothing on disk.',
    ),
    listen,
    tls: optional(
      strictMembers({
        certificate: words('a file').describe('PEM file with the certificate and its chain.'),
        key: words('a file').describe('PEM file with the private key of the certificate.'),
      }),
      'Your own certificate (default: the service creates one).',
    ),
    apiKey: optional(
      secret,
      'API key; callers send it as `Authorization: Bearer KEY`. The documentation can be read without it.',
    ),
    defaults: optional(
      strictMembers({
        operator: optional(wholeNumber(1, 30), 'Operator of requests that do not contain one (default: 1).'),
        password: optional(secret, 'Password of this operator (default: the factory password).'),
        pointOfSale: optional(
          wholeNumber(1, 99_999),
          'Number of the point of sale of requests that do not contain one (default: 1).',
        ),
        customer: optional(
          strictMembers({
            taxNumber: optional(words().refine(isCarried, TAX_NUMBER_EXPECTED), 'Tax number.'),
            name: optional(words(), 'Name.'),
            address: optional(words(), 'Address.'),
          }),
          'Customer who is printed on invoices.',
        ),
      }),
      'Defaults for fields that requests omit.',
    ),
    operators: optional(
      table(
        /^(?:[1-9]|[12]\d|30)$/,
        'an operator, "1" to "30",',
        strictMembers({ password: secret.describe('Password.') }),
      ),
      'Operators of the emulated device.',
    ),
    payments: optional(
      table(/^(?:0|[1-9]\d?)$/, 'a payment mode, "0" to "99",', words()),
      "PaymentMode to the wire's own code, over the family's table.",
    ),
    taxRates: optional(
      table(/^[A-H]$/, 'a tax group, A to H,', percent),
      'Tax rates of the emulated device in percent.',
    ),
    legacy: optional(
      strictMembers({
        plu: optional(
          listOf(
            strictMembers({
              name: optional(words(), 'Name of the item in the line, exactly.'),
              taxCode: optional(taxCode, 'Any item of this tax group.'),
              plu: plu.describe('Number of the article.'),
            }).refine((entry) => entry.name !== undefined || entry.taxCode !== undefined, expected('name or taxCode')),
          ),
          'Articles as which items are sold, if the device has no free sales; the first matching entry is used.',
        ),
      }),
      'Legacy lines (`POST /Receipt`).',
    ),
    platform: optional(platform, 'Platform orders; without it, their endpoints answer 400.'),
  })

export const configFile = configFileOf(FAMILIES)
export type ConfigFile = z.output<typeof configFile>
