import { readFileSync } from 'node:fs'
import { factorySettings } from '../../emulator/emulator.ts'
import type { Settings } from '../../server/config.ts'
import { configFile, type MappingConfig } from '../../server/config-schema.ts'

export interface OrderCase {
  readonly case: string
  readonly order: Readonly<Record<string, unknown>> & {
    readonly legacyResourceId: string
    readonly transactions: readonly object[]
  }
  readonly internal: { readonly taxesIncluded: boolean; readonly transactionStatuses: readonly string[] }
  readonly configOverride?: Readonly<Record<string, unknown>>
  readonly expected:
    | {
        readonly status: 200
        readonly receiptItems: readonly { readonly Type: 0; readonly FreeSale: Readonly<Record<string, unknown>> }[]
        readonly lineTotals: readonly string[]
        readonly payments: readonly { readonly PaymentMode: number; readonly Amount: string }[]
        readonly total: string
      }
    | { readonly status: 400; readonly message: string }
}

interface File {
  readonly config: Readonly<Record<string, unknown>>
  readonly fixtures: readonly OrderCase[]
  readonly rejections: readonly OrderCase[]
}

export const FILE: File = JSON.parse(readFileSync(new URL('../../fixtures/orders/cases.json', import.meta.url), 'utf8'))
export const CASES: readonly OrderCase[] = [...FILE.fixtures, ...FILE.rejections]

export function platformConfig(mapping: object, rest: object = {}): NonNullable<Settings['platform']> {
  const { platform } = configFile.parse({
    platform: {
      shopSuffix: 'myshop.example',
      clientId: 'fiscal-rig-demo',
      clientSecret: 'a-secret-for-demonstrations-only',
      mapping,
      ...rest,
    },
  })
  return platform as NonNullable<Settings['platform']>
}

export const mappingConfig = (override: object = {}): MappingConfig =>
  platformConfig({ ...FILE.config, ...override }).mapping

export const platformOrder = ({ order, internal }: OrderCase): unknown => ({
  ...order,
  taxesIncluded: internal.taxesIncluded,
  transactions: order.transactions.map((one, index) => ({ ...one, status: internal.transactionStatuses[index] })),
})

export const ratesOf = ({ taxCodes = [] }: Pick<MappingConfig, 'taxCodes'>): ReturnType<typeof factorySettings> =>
  factorySettings({
    taxRates: Object.fromEntries(
      taxCodes.map(({ rate, code }) => ['ABCDEFGH'[code - 1], Number(rate.replace('.', ''))]),
    ),
  })

export const ORDER_RATES = ratesOf(mappingConfig())

/** An article of the factory settings for each tax group, for a family without free sales. */
export const ARTICLES = [
  { taxCode: 1, plu: 1 },
  { taxCode: 2, plu: 4 },
  { taxCode: 3, plu: 9 },
  { taxCode: 4, plu: 7 },
]
