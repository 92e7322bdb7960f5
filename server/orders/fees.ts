/**
 * Duties and additional fees. They are included in the total, but no line of the order contains them (platform orders
 * 5.3).
 */
import type { Money } from '../../drivers/model/money.ts'
import { groupOf, line, type OrderLine, type TaxOfLine, taxOf, taxOfLine } from './lines.ts'
import type { Mapping } from './mapping.ts'
import type { AdditionalFee, PlatformOrder, TaxLine } from './order.ts'
import { cleanText, moneyIn, priceIn, productName, showMoney } from './platform-values.ts'
import { badRequest } from './refusal.ts'

const LABEL = 'the fee'

interface Fee {
  readonly title: string
  readonly price: Money
  readonly taxLines: readonly TaxLine[]
}

/** Returns rows with a total of exactly `amount`; `undefined` if duties and fees do not add up to it. */
export function feeRows(
  order: PlatformOrder,
  amount: Money,
  mapping: Mapping,
  taxesIncluded: boolean,
): readonly OrderLine[] | undefined {
  const duties = dutiesOf(order)
  const fees = feesOf(order)
  const sumOf = (list: readonly Fee[]): Money =>
    list.reduce((sum, fee) => sum + fee.price + (taxesIncluded ? 0 : taxOf(fee.taxLines, LABEL)), 0)
  const fitting = [[...duties, ...fees], duties, fees].find((list) => list.length > 0 && sumOf(list) === amount)
  return fitting?.map((fee) =>
    line({
      id: undefined,
      label: LABEL,
      kind: 'fee',
      name: productName(fee.title, 'Fee'),
      title: cleanText(fee.title),
      sku: undefined,
      ...groupOfFee(fee, amount, mapping),
      unit: fee.price,
      pieces: 1,
      discount: 0,
      tax: taxOf(fee.taxLines, LABEL),
      taxLines: fee.taxLines,
      taxesIncluded,
    }),
  )
}

function groupOfFee({ taxLines }: Fee, amount: Money, mapping: Mapping): TaxOfLine {
  if (taxLines.length > 0) return taxOfLine(taxLines, LABEL, mapping)
  if (mapping.feeTaxCode !== undefined) return groupOf(mapping.feeTaxCode, mapping)
  throw badRequest(
    `order total contains ${showMoney(amount)} of duties and additional fees, which are no lines of the order; ` +
      'set platform.mapping.feeTaxCode to print them as a line',
  )
}

function dutiesOf({ currentTotalDutiesSet: set }: PlatformOrder): readonly Fee[] {
  const price = set ? priceIn(set, 'the duties') : 0
  return price === 0 ? [] : [{ title: 'Duties', price, taxLines: [] }]
}

function feesOf({ additionalFees, currentTotalAdditionalFeesSet: set }: PlatformOrder): readonly Fee[] {
  const fees = (additionalFees ?? []).map(feeOf).filter(({ price }) => price > 0)
  const total = set ? moneyIn(set, 'the fees') : 0
  return fees.length === 0 && total > 0 ? [{ title: 'Fee', price: total, taxLines: [] }] : fees
}

const feeOf = ({ name, price, taxLines }: AdditionalFee): Fee => ({
  title: name,
  price: priceIn(price, LABEL),
  taxLines: taxLines ?? [],
})
