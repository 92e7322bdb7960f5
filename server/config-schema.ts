/** The members of the configuration file (decisions 7), each with the words for what is expected of it. */
import { z } from 'zod'
import { FAMILIES } from '../drivers/index.ts'
import { isLoopback } from '../drivers/model/caller.ts'
import { type Family, oneOfFamilies } from '../drivers/model/families.ts'
import { parseDecimal } from '../drivers/model/money.ts'

const expected = (what: string) => ({ error: `expected ${what}` })

const words = (what = 'a text') =>
  z.string(expected(`${what} (in quotes, if it looks like a number)`)).min(1, expected(what))

/** The limits say themselves: "expected 1 to 8". */
const whole = (min: number, max: number) => {
  const say = expected(`${min} to ${max}`)
  return z.int(say).min(min, say).max(max, say)
}

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, expected(values.length === 1 ? `${values[0]}` : values.join(' or ')))

/** An object whose keys are all known. */
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

/** In place of a text: where to read it from. */
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

const DEVICE = expected('emulator, the path of a port, or tcp://HOST:PORT')
/** An address without a port means that of the family. */
const ADDRESS = /^tcp:\/\/(?:\[[0-9a-f:.%]+\]|[^:/\s]+)(?::(\d{1,5}))?\/?$/i
const device = z
  .string(DEVICE)
  .regex(/^(?:tcp:\/\/\S+|(?!\w+:\/\/).+)$/i, DEVICE)
  .refine((text) => !/^tcp:/i.test(text) || isPort(ADDRESS.exec(text)), DEVICE)

function isPort(address: RegExpExecArray | null): boolean {
  const port = Number(address?.[1] ?? 1)
  return address !== null && port >= 1 && port <= 65_535
}

/** Percent with at most 2 decimals, as hundredths of a percent. */
const percent = z.number(expected('0 to 99.99')).transform((value, context) => {
  const read = parseDecimal(String(value), 2)
  if (typeof read === 'number' && read >= 0 && read <= 9_999) return read
  context.issues.push({ code: 'custom', message: 'expected 0 to 99.99, with at most 2 decimals', input: value })
  return z.NEVER
})

/** Decimal text or number of the programmed price, as hundredths. */
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

/** The members of OpenFiscalReceipt (specification 2.4, platform orders 5.1); what is missing is that of `defaults`. */
const operator = members({
  OperatorCode: whole(1, 30).optional(),
  OperatorPassword: secret.optional(),
  PointOfSaleNumber: whole(1, 99_999).optional(),
  Invoice: z.boolean(expected('true or false')).optional(),
})

/** The members of `config` in the platform's fixtures, and the articles of a family without free sales (decisions 7). */
const mapping = members({
  currency: z
    .string(expected('a currency code'))
    .regex(/^[A-Z]{3}$/, expected('a currency code'))
    .optional(),
  decimals: whole(2, 2).optional(),
  gidNamespace: words().optional(),
  taxCodes: listOf(
    members({
      rate: z
        .string(expected('a rate as text, such as "21.00"'))
        .regex(/^\d{1,2}(\.\d{1,2})?$/, expected('a rate such as "21.00"')),
      code: taxCode,
    }),
  ).optional(),
  noTaxCode: taxCode.optional(),
  shippingTaxCode: taxCode.optional(),
  department: whole(0, 99).optional(),
  unit: words('a text of 1 to 6 characters').max(6, expected('a text of 1 to 6 characters')).optional(),
  gateways: z.record(z.string(), tenderClass, expected('an object')).optional(),
  modes: z
    .partialRecord(tenderClass, paymentMode, expected('payment modes by cash, card, transfer, voucher'))
    .optional(),
  defaultGateway: tenderClass.optional(),
  pendingGateways: listOf(words()).optional(),
  roundingToleranceMinor: whole(0, 100).optional(),
  zeroNetLines: oneOf(['text', 'zero-price']).optional(),
  zeroTotal: oneOf(['reject']).optional(),
  refundPolicy: oneOf(['gross', 'reject']).optional(),
  unpaidPolicy: oneOf(['reject', 'auto']).optional(),
  cashTendered: oneOf(['net', 'tendered']).optional(),
  operator: operator.optional(),
  plu: listOf(
    members({
      title: words().optional(),
      sku: words().optional(),
      taxCode: taxCode.optional(),
      plu,
      price: price.optional(),
    }).refine(
      (entry) => [entry.title, entry.sku, entry.taxCode].some((one) => one !== undefined),
      expected('title, sku or taxCode'),
    ),
  ).optional(),
})
export type MappingConfig = z.output<typeof mapping>

/** Session tokens, the client's secret and orders go there: in clear only where no network carries them. */
function isSafeBase(base: string): boolean {
  const url = URL.parse(base.replaceAll('{shop}', 'shop.example'))
  if (!url || /\s/.test(base)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
}

const platform = members({
  word: z
    .string(expected('a word of letters, digits and -'))
    .regex(/^[\w-]+$/, expected('a word of letters, digits and -'))
    .default('platform'),
  gidNamespace: words().default('platform'),
  arrangement: oneOf(['direct', 'relay']).default('direct'),
  baseUrl: z
    .string(expected('an address'))
    .refine(isSafeBase, expected('an address that begins with https://, or http:// of this machine'))
    .default('https://{shop}'),
  shopSuffix: words().optional(),
  allowedShops: listOf(words()).default([]),
  clientId: secret.optional(),
  clientSecret: secret.optional(),
  previousClientSecret: secret.optional(),
  apiVersion: z
    .string(expected('a version such as "2026-07"'))
    .regex(/^\d{4}-\d{2}$/, expected('a version such as "2026-07"'))
    .default('2026-07'),
  accessTokenHeader: words().default('X-Platform-Access-Token'),
  tokenTypePrefix: words().default('urn:platform:params:oauth:token-type:'),
  clockToleranceS: whole(0, 300).default(10),
  timeoutS: whole(1, 100).default(10),
  mapping: mapping.default({}),
})
export type PlatformConfig = z.output<typeof platform>

/** The file of a service that knows these families. */
export const configFileOf = (families: readonly Family[]) =>
  members({
    family: z.enum(families as [Family, ...Family[]], expected(oneOfFamilies(families))).optional(),
    device: device.optional(),
    profile: words().optional(),
    baud: whole(300, 4_000_000).optional(),
    data: words('a folder or "memory"').optional(),
    listen: members({
      host: host.optional(),
      httpPort: port.optional(),
      httpsPort: port.optional(),
      panelPort: port.optional(),
      https: z.boolean(expected('true or false')).optional(),
      open: z.boolean(expected('true or false')).optional(),
      hosts: listOf(host).optional(),
      origins: listOf(origin).optional(),
    }).optional(),
    tls: members({ certificate: words('a file'), key: words('a file') }).optional(),
    apiKey: secret.optional(),
    defaults: members({
      operator: whole(1, 30).optional(),
      password: secret.optional(),
      pointOfSale: whole(1, 99_999).optional(),
      customer: members({
        taxNumber: words().optional(),
        name: words().optional(),
        address: words().optional(),
      }).optional(),
    }).optional(),
    operators: table(/^(?:[1-9]|[12]\d|30)$/, 'an operator, "1" to "30",', members({ password: secret })).optional(),
    payments: table(/^(?:0|[1-9]\d?)$/, 'a payment mode, "0" to "99",', words()).optional(),
    taxRates: table(/^[A-H]$/, 'a tax group, A to H,', percent).optional(),
    legacy: members({
      plu: listOf(
        members({ name: words().optional(), taxCode: taxCode.optional(), plu }).refine(
          (entry) => entry.name !== undefined || entry.taxCode !== undefined,
          expected('name or taxCode'),
        ),
      ).optional(),
    }).optional(),
    platform: platform.optional(),
  })

export const configFile = configFileOf(FAMILIES)
export type ConfigFile = z.output<typeof configFile>
