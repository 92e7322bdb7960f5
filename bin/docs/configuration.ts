import { z } from 'zod'
import { settingsOf } from '../../server/config.ts'
import { configFile } from '../../server/config-schema.ts'
import { blocks, code, table } from './table.ts'

interface Key {
  /** Path such as `listen.httpPort`, `platform.mapping.plu[].title` or `operators.N.password`. */
  readonly path: string
  readonly meaning: string
  readonly type: string
  readonly expected: string
  readonly fallback: string
  readonly example: string
  readonly isGroup: boolean
}

const inner = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return inner(schema.unwrap())
  return schema instanceof z.ZodPipe ? inner(schema.in) : schema
}

/** A remark that the page makes once for all keys. */
const IN_QUOTES = / \(in quotes, if it looks like a number\)$/

/** Returns the expected value that the schema's error message names, for example `1 to 8`. */
function expectedOf(schema: z.core.$ZodType): string {
  const { error } = z.safeParse(schema, Symbol('nothing'))
  const words = error === undefined ? '' : expectedWords(error)
  const bare = inner(schema)
  return bare instanceof z.ZodRecord ? `by ${keyWords(bare)}: ${expectedOf(bare.valueType)}` : words
}

/** Returns `name` if the members may have any names. */
function keyWords({ keyType }: z.ZodRecord): string {
  if (!(inner(keyType) instanceof z.ZodString)) return expectedOf(keyType)
  const { error } = z.safeParse(keyType, '')
  return error === undefined ? 'name' : expectedWords(error).replace(/,$/, '')
}

const expectedWords = (error: z.core.$ZodError): string =>
  (error.issues[0]?.message ?? '').replace(/^expected /, '').replace(IN_QUOTES, '')

function typeOf(schema: z.core.$ZodType): string {
  const bare = inner(schema)
  if (bare instanceof z.ZodUnion) return [...new Set(bare.options.map(typeOf))].join(' or ')
  const type = TYPES.find(([kind]) => bare instanceof kind)?.[1]
  if (type === undefined) throw new Error(`bin/docs/configuration.ts: no type for ${bare.constructor.name}`)
  return type
}

const TYPES: readonly (readonly [kind: new (...of: never[]) => z.core.$ZodType, type: string])[] = [
  [z.ZodObject, 'object'],
  [z.ZodRecord, 'object'],
  [z.ZodArray, 'list'],
  [z.ZodBoolean, 'true or false'],
  [z.ZodEnum, 'text'],
  [z.ZodNumberFormat, 'whole number'],
  [z.ZodNumber, 'number'],
  [z.ZodString, 'text'],
]

/** Examples that cannot be derived from the possible values. */
const EXAMPLES: Readonly<Record<string, string>> = {
  device: '/dev/ttyUSB0',
  'device.address': 'tcp://192.0.2.7:4999',
  'device.firstAnswerMs': '1000',
  'device.gapMs': '2000',
  'device.documentMs': '60000',
  profile: 'ro',
  baud: '9600',
  data: 'memory',
  listen: '{ httpPort: 8080 }',
  'listen.host': '0.0.0.0',
  'listen.httpPort': '8080',
  'listen.httpsPort': '8443',
  'listen.panelPort': '0',
  'listen.panelHost': '0.0.0.0',
  'listen.hosts': '[till.example]',
  'listen.origins': "['https://pos.example']",
  tls: '{ certificate: till.pem, key: till.key }',
  'tls.certificate': 'till.pem',
  'tls.key': 'till.key',
  apiKey: '{ env: FISCAL_RIG_KEY }',
  defaults: '{ operator: 2, pointOfSale: 24 }',
  'defaults.operator': '2',
  'defaults.password': '"0000"',
  'defaults.pointOfSale': '24',
  'defaults.customer': '{ taxNumber: "123456789", name: Example Ltd }',
  'defaults.customer.taxNumber': '"123456789"',
  'defaults.customer.name': 'Example Ltd',
  'defaults.customer.address': '1 Main Street',
  operators: '{ "2": { password: "0002" } }',
  'operators.N.password': '"0002"',
  payments: '{ "1": "C" }',
  taxRates: '{ A: 20, B: 9 }',
  legacy: '{ plu: [{ name: Bread, plu: 7 }] }',
  'legacy.plu': '[{ taxCode: 1, plu: 12 }]',
  'legacy.plu[].name': 'Bread',
  'legacy.plu[].taxCode': '1',
  'legacy.plu[].plu': '7',
  platform: '{ word: platform, mapping: { currency: RON } }',
  'platform.word': 'platform',
  'platform.gidNamespace': 'platform',
  'platform.baseUrl': "'https://{shop}'",
  'platform.shopSuffix': 'myshop.example',
  'platform.allowedShops': '[one.myshop.example]',
  'platform.clientId': '{ env: CLIENT_ID }',
  'platform.clientSecret': '{ env: CLIENT_SECRET }',
  'platform.previousClientSecret': '{ file: secret.before }',
  'platform.apiVersion': '"2026-07"',
  'platform.accessTokenHeader': 'X-Platform-Access-Token',
  'platform.tokenTypePrefix': '"urn:platform:params:oauth:token-type:"',
  'platform.clockToleranceS': '30',
  'platform.timeoutS': '20',
  'platform.mapping': '{ currency: RON, noTaxCode: 3 }',
  'platform.mapping.currency': 'RON',
  'platform.mapping.decimals': '2',
  'platform.mapping.gidNamespace': 'platform',
  'platform.mapping.taxCodes': '[{ rate: "21.00", code: 1 }]',
  'platform.mapping.taxCodes[].rate': '"21.00"',
  'platform.mapping.taxCodes[].code': '1',
  'platform.mapping.noTaxCode': '3',
  'platform.mapping.shippingTaxCode': '1',
  'platform.mapping.feeTaxCode': '1',
  'platform.mapping.department': '1',
  'platform.mapping.unit': 'pcs',
  'platform.mapping.gateways': '{ cash_on_delivery: cash, "": card }',
  'platform.mapping.modes': '{ cash: 0, card: 1 }',
  'platform.mapping.pendingGateways': '[cash_on_delivery]',
  'platform.mapping.roundingToleranceMinor': '2',
  'platform.mapping.orderText': 'Order {name}',
  'platform.mapping.operator': '{ OperatorCode: 2, PointOfSaleNumber: 24 }',
  'platform.mapping.operator.OperatorCode': '2',
  'platform.mapping.operator.OperatorPassword': '{ env: TILL_PASSWORD }',
  'platform.mapping.operator.PointOfSaleNumber': '24',
  'platform.mapping.plu': '[{ sku: BREAD-1, plu: 7, price: 1.50 }]',
  'platform.mapping.plu[].title': 'Bread',
  'platform.mapping.plu[].sku': 'BREAD-1',
  'platform.mapping.plu[].taxCode': '1',
  'platform.mapping.plu[].plu': '7',
  'platform.mapping.plu[].price': '1.50',
}

function exampleOf(bare: z.core.$ZodType, path: string): string {
  const own = EXAMPLES[path]
  if (own !== undefined) return own
  if (bare instanceof z.ZodBoolean) return 'true'
  if (bare instanceof z.ZodEnum) return String(bare.options.at(-1))
  throw new Error(`bin/docs/configuration.ts: ${path} has no example`)
}

const defaults = settingsOf({}) as unknown as Readonly<Record<string, unknown>>

function fallbackOf(schema: z.core.$ZodType, path: string): string {
  if (schema instanceof z.ZodDefault) return JSON.stringify(schema.def.defaultValue)
  const value = path
    .split('.')
    .reduce<unknown>((so, step) => (so as Readonly<Record<string, unknown>> | undefined)?.[step], defaults)
  const isGroup = typeof value === 'object' && !Array.isArray(value)
  return value === undefined || isGroup ? '' : JSON.stringify(value)
}

function walk(path: string, schema: z.core.$ZodType): Key[] {
  const bare = inner(schema)
  const object = bare instanceof z.ZodUnion ? bare.options.map(inner).find(isDescribed) : bare
  const below =
    object instanceof z.ZodObject
      ? members(`${path}.`, object)
      : bare instanceof z.ZodArray && inner(bare.element) instanceof z.ZodObject
        ? members(`${path}[].`, inner(bare.element) as z.ZodObject)
        : bare instanceof z.ZodRecord && inner(bare.valueType) instanceof z.ZodObject
          ? members(`${path}.N.`, inner(bare.valueType) as z.ZodObject)
          : []
  const meaning = (schema as z.ZodType).description
  if (meaning === undefined) throw new Error(`server/config-schema.ts: ${path} has no description`)
  const isGroup = bare instanceof z.ZodObject
  const own = {
    ...{ path, meaning, isGroup },
    ...{ type: typeOf(schema), expected: expectedOf(bare), fallback: fallbackOf(schema, path) },
    example: exampleOf(bare, path),
  }
  return [own, ...below]
}

const isDescribed = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodObject &&
  Object.values(schema.shape).every((member) => (member as z.ZodType).description !== undefined)

const members = (before: string, schema: z.ZodObject): Key[] =>
  Object.entries(schema.shape).flatMap(([name, member]) => walk(before + name, member))

export const configurationKeys = (): readonly Key[] => members('', configFile)

const INTRODUCTION = `The configuration is a file in YAML or JSON. \`--config FILE\` chooses the file; without it, \`fiscal-rig.yaml\` or
\`fiscal-rig.json\` in the working folder is used, if it exists. Options on the [command line](./command-line.md) override the
file. The whole file is checked before anything starts. Each mistake is reported on a separate line, with its place and the
expected value; the exit status is then 2.

A password, a key or a secret can be stored elsewhere: \`{env: NAME}\` reads it from the environment, \`{file: PATH}\` from a
file. Paths are relative to the folder of the configuration file. Put a text that looks like a number in quotes. In the tables,
\`N\` is a key that you choose, and \`[]\` means each entry of a list.`

const EXAMPLE = `\`\`\`yaml
family: A
profile: ro
data: memory
listen: { httpPort: 0, httpsPort: 0, panelPort: 0, https: false }
apiKey: { env: FISCAL_RIG_KEY }
defaults: { operator: 1, pointOfSale: 24 }
taxRates: { A: 20, B: 20, C: 20, D: 9 }
\`\`\``

const CHOICES_MAX = 10

export function configurationText(): string {
  const keys = configurationKeys()
  const below = (name: string) => keys.filter(({ path }) => path.startsWith(`${name}.`) || path.startsWith(`${name}[]`))
  const isSection = ({ path }: Key) =>
    below(path).length > (path.includes('.') ? CHOICES_MAX : 0) && !path.includes('[]') && !path.includes('.N.')
  const heads = keys.filter(isSection)
  const sectionOf = ({ path }: Key) =>
    heads.findLast((head) => path === head.path || below(head.path).some((one) => one.path === path))
  const alone = keys.filter((key) => !sectionOf(key))
  const rows = (own: readonly Key[]) =>
    table(
      ['key', 'meaning', 'type', 'expected', 'default', 'example'],
      own.map(({ path, meaning, type, expected, fallback, example }) => [
        ...[code(path), meaning, type, expected],
        ...[code(fallback), code(example)],
      ]),
    )
  const sections = heads.map((head) => {
    const own = keys.filter((key) => key !== head && sectionOf(key) === head)
    return blocks(`## ${head.path}`, head.meaning, rows(head.isGroup ? own : [head, ...own]))
  })
  return blocks(INTRODUCTION, EXAMPLE, '## The file itself', rows(alone), ...sections)
}
