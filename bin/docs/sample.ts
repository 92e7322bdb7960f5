import { type Lookup, resolveSchema, type Schema } from './schema-table.ts'

/** Values by member name, of a device that has printed its first receipt. */
const VALUES: Readonly<Record<string, unknown>> = {
  ReceiptNumber: '17',
  Kind: 'Fiscal',
  IsOpen: true,
  ItemsCount: 1,
  Total: 1.2,
  Paid: 0,
  Remaining: 1.2,
  Raw: '',
  Number: 1,
  DateTime: '2026-07-14T12:30:00',
  Rate: 20,
  Letter: 'A',
  ReceiptStatus: 'true',
  ErrorCode: '',
  ErrorInfo: '',
  family: 'A',
  profile: 'bg',
  model: 'FPA-EMULATOR-100X',
  serialNumber: 'DT000123',
  fiscalMemoryNumber: '02000123',
  name: 'Bread',
  price: '1.20',
  letter: 'A',
  rate: '20.00',
  line: 'Bread                               1.20 A',
  text: 'Bread                               1.20 A',
  chain: 'b94d27b9934d3eb8…',
  command: 'closeFiscal',
  hex: '01 30 30',
  till: 'service',
  depth: 'quick',
  verdict: 'passed',
  case: 'noiseBefore',
  message: null,
  why: '',
  svg: '<svg …/>',
  address: 'http://127.0.0.1:65400/api',
  refusal: null,
  error: null,
}

const DEPTH_MAX = 8

export function sampleOf(schema: Schema, lookup: Lookup, name = '', depth = 0): unknown {
  const one = resolveSchema(schema, lookup) as Schema & {
    readonly examples?: readonly unknown[]
    readonly format?: string
  }
  if (one.examples?.[0] !== undefined) return one.examples[0]
  if ('const' in one) return one.const
  if (name in VALUES) return VALUES[name]
  if (one.enum) return one.enum[0]
  if (one.default !== undefined) return one.default
  const choices = one.anyOf ?? one.oneOf ?? one.allOf
  if (choices) return sampleOf(choices.find(({ type }) => type !== 'null') ?? choices[0] ?? {}, lookup, name, depth)
  if (depth > DEPTH_MAX) return null
  switch ([one.type].flat()[0]) {
    case 'object':
      return {
        ...Object.fromEntries(
          Object.entries(one.properties ?? {}).map(([member, value]) => [
            member,
            sampleOf(value, lookup, member, depth + 1),
          ]),
        ),
        ...(typeof one.additionalProperties === 'object' && {
          [KEYS[name] ?? '0']: sampleOf(one.additionalProperties, lookup, '', depth + 1),
        }),
      }
    case 'array':
      return [sampleOf(one.items ?? {}, lookup, name, depth + 1)]
    case 'integer':
    case 'number':
      return Math.max(1, one.minimum ?? 1)
    case 'boolean':
      return false
    case 'string':
      return ''
    default:
      return null
  }
}

/** Example keys for objects whose keys are not fixed, by the member that contains the object. */
const KEYS: Readonly<Record<string, string>> = { taxes: 'A', payments: '0', counts: 'passed', tables: 'documents' }
