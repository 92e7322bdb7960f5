/** Sales, voids and adjustments (sheet 6.4). */
import type { Requests } from '../../../drivers/family-a/protocol/index.ts'
import type { Adjustment, TaxCode } from '../../../drivers/model/receipt.ts'
import { showSale } from '../../fiscal/customer-display.ts'
import { type Context, from, type Handlers, refused } from '../context.ts'

interface PriceModifier {
  readonly modifier?: Requests['sale']['modifier']
  readonly modifierValue?: number | undefined
}

export function adjustmentOf({ modifier = 'none', modifierValue = 0 }: PriceModifier): {
  readonly adjustment?: Adjustment
} {
  switch (modifier) {
    case 'none':
      return {}
    case 'surchargePercent':
      return { adjustment: { kind: 'surcharge', percent: modifierValue } }
    case 'discountPercent':
      return { adjustment: { kind: 'discount', percent: modifierValue } }
    case 'surchargeAmount':
      return { adjustment: { kind: 'surcharge', amount: modifierValue } }
    case 'discountAmount':
      return { adjustment: { kind: 'discount', amount: modifierValue } }
  }
}

/**
 * Returns the quantity in thousandths, one piece if it is missing. A quantity of 0.000 is refused (`undefined`) unless
 * the switch `zeroQuantity` makes it one piece.
 */
function quantityOf({ switches }: Context, quantity: number | undefined): number | undefined {
  if (quantity === undefined) return 1_000
  return quantity > 0 ? quantity : switches.zeroQuantity === 'one' ? 1_000 : undefined
}

/** Returns the numbers of the open fiscal receipt. `fiscalNumber` is its number within the open day. */
export const documentOf = ({ device }: Context) => ({
  document: device.receipt?.kind === 'fiscal' ? device.receipt.fiscal.document : 0,
  closure: device.counters.lastZ + 1,
  fiscalNumber: device.day.receipts + 1,
})

export const sale = {
  sale(context, ask) {
    const quantity = quantityOf(context, ask.quantity)
    if (quantity === undefined) return refused('valueField4')
    const isVoid = ask.price < 0
    const outcome = context.device.sell({
      name: ask.name,
      taxCode: ask.taxCode as TaxCode,
      price: Math.abs(ask.price),
      quantity,
      department: ask.department ?? 0,
      ...(ask.unit === undefined ? {} : { unit: ask.unit }),
      void: isVoid,
      ...adjustmentOf(ask),
    })
    showSale(context.device, outcome)
    return from(outcome, () => documentOf(context))
  },

  saleByPlu(context, ask) {
    const { device } = context
    const quantity = quantityOf(context, ask.quantity)
    if (quantity === undefined) return refused('valueField2')
    const plu = Math.abs(ask.plu)
    if (plu === 0 || plu > device.profile.articles.maxNumber) return refused('valueField1')
    const isVoid = ask.plu < 0
    // The price must match that of the voided sale (sheet 6.4).
    const outcome = device.sellArticle({
      plu,
      quantity,
      void: isVoid,
      ...(ask.price === undefined ? {} : { price: ask.price }),
      ...adjustmentOf(ask),
    })
    showSale(device, outcome)
    return from(outcome, () => documentOf(context))
  },
} satisfies Partial<Handlers>
