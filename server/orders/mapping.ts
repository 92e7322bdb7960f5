import type { Money, Percent } from '../../drivers/model/money.ts'
import { parseDecimal } from '../../drivers/model/money.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'
import type { MappingConfig } from '../config-schema.ts'

type TenderClass = 'cash' | 'card' | 'transfer' | 'voucher'

export interface OrderArticle {
  readonly title?: string
  readonly sku?: string
  readonly taxCode?: number
  readonly plu: number
  readonly price?: Money
}

export interface Mapping {
  /** If it is missing, no order is printed. */
  readonly currency: string | undefined
  readonly money: 'shop' | 'presentment'
  readonly taxCodes: ReadonlyMap<Percent, TaxCode>
  readonly noTaxCode: TaxCode | undefined
  readonly shippingTaxCode: TaxCode | undefined
  readonly shippingTax: 'exact' | 'fixed' | 'highest' | 'split'
  readonly feeTaxCode: TaxCode | undefined
  readonly vatCheck: 'refuse' | 'warn' | 'off'
  readonly testOrders: 'refuse' | 'print'
  readonly department: number
  readonly unit: string
  readonly gateways: ReadonlyMap<string, TenderClass>
  readonly modes: Readonly<Partial<Record<TenderClass, number>>>
  readonly defaultGateway: TenderClass | undefined
  readonly pendingGateways: ReadonlySet<string>
  readonly roundingTolerance: Money
  readonly zeroNetLines: 'text' | 'zero-price'
  readonly refundPolicy: 'net' | 'gross' | 'reject'
  readonly orderText: string | undefined
  readonly variantInName: boolean
  readonly skuText: boolean
  readonly unpaidPolicy: 'reject' | 'auto'
  readonly cashTendered: 'net' | 'tendered'
  readonly plu: readonly OrderArticle[]
}

export const gatewayKey = (name: string): string => name.trim().toLowerCase()

/** `isEmulated`: the device prints no valid receipts, so test orders are printed by default. */
export function mappingOf(config: MappingConfig, isEmulated = false): Mapping {
  return {
    currency: config.currency,
    money: config.money ?? 'shop',
    taxCodes: new Map((config.taxCodes ?? []).map(({ rate, code }) => [percentOf(rate), code as TaxCode])),
    noTaxCode: config.noTaxCode as TaxCode | undefined,
    shippingTaxCode: config.shippingTaxCode as TaxCode | undefined,
    shippingTax: config.shippingTax ?? 'exact',
    feeTaxCode: config.feeTaxCode as TaxCode | undefined,
    vatCheck: config.vatCheck ?? 'refuse',
    testOrders: config.testOrders ?? (isEmulated ? 'print' : 'refuse'),
    department: config.department ?? 1,
    unit: config.unit ?? 'buc',
    gateways: new Map(Object.entries(config.gateways ?? {}).map(([name, tender]) => [gatewayKey(name), tender])),
    modes: { cash: 0, card: 1, ...config.modes },
    defaultGateway: config.defaultGateway,
    pendingGateways: new Set((config.pendingGateways ?? []).map(gatewayKey)),
    roundingTolerance: config.roundingToleranceMinor ?? 5,
    zeroNetLines: config.zeroNetLines ?? 'text',
    refundPolicy: config.refundPolicy ?? 'net',
    orderText: config.orderText,
    variantInName: config.variantInName ?? false,
    skuText: config.skuText ?? false,
    unpaidPolicy: config.unpaidPolicy ?? 'reject',
    cashTendered: config.cashTendered ?? 'net',
    plu: (config.plu ?? []) as readonly OrderArticle[],
  }
}

function percentOf(rate: string): Percent {
  const value = parseDecimal(rate, 2)
  if (typeof value !== 'number') throw new RangeError(`not a rate: ${rate}`)
  return value
}
