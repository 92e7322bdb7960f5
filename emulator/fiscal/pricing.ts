/** Converts a sale or a void to a row of the receipt, or returns the reason to refuse it (sheet A 6.4 and 7). */
import type { OpenDocument } from './open-document.ts'
import type { RegisterBook } from './registers.ts'
import { adjustmentOf, rowAmount } from './rounding.ts'
import type { Refusal } from './types/outcome.ts'
import type { BookRules, DeviceProfile } from './types/profile.ts'
import type { ArticleSaleIntent, FiscalReceipt, Sale, SaleRow } from './types/receipt.ts'
import type { Article } from './types/registers.ts'

interface PricedSale {
  readonly row: SaleRow
  readonly voidsRow?: number
}

export type Selling = OpenDocument & { readonly fiscal: FiscalReceipt }

export function articleSale(
  open: Selling,
  intent: ArticleSaleIntent,
  article: Article | undefined,
  rules: BookRules,
): Sale | Refusal {
  if (!article) return 'articleUnknown'
  const { plu, quantity, adjustment, price = article.price } = intent
  if (price !== article.price && !intent.void) {
    if (article.priceType === 'fixed') return 'articlePriceFixed'
    if (article.priceType === 'maximum' && price > article.price) return 'articlePriceAboveMaximum'
  }
  if (price === 0) return 'articleWithoutPrice'
  const takesStock = !intent.void && open.fiscal.kind === 'sale'
  if (rules.stockChecked && takesStock && article.stock !== null) {
    if ((open.articles.get(plu) ?? 0) + quantity > article.stock) return 'outOfStock'
  }
  const { name, taxCode, department } = article
  return { plu, name, taxCode, department, price, quantity, void: intent.void, ...(adjustment ? { adjustment } : {}) }
}

export function priceSale(
  open: Selling,
  sale: Sale,
  profile: DeviceProfile,
  registers: RegisterBook,
): PricedSale | Refusal {
  const { rules } = profile
  const receipt = open.fiscal
  const { department = 0, quantity, price, taxCode } = sale
  if (receipt.rows.length >= profile.maxSales) return 'tooManySales'
  if (taxCode > profile.taxGroups || registers.taxRates[taxCode - 1] === null) return 'taxGroupDisabled'
  if (department < 0 || department > profile.departments) return 'departmentUnknown'
  const gross = rowAmount(price, quantity)
  if (gross > rules.rowMaximum) return 'rowTooLarge'
  if (gross === 0) return 'zeroRow'
  const earlier = sale.void && rules.voidRepeatsRow ? earlierRow(open, sale) : undefined
  if (sale.void && rules.voidRepeatsRow && !earlier) return 'nothingToVoid'
  const adjusted = earlier ? earlier.row.adjusted : adjustmentOf(gross, sale.adjustment)
  const amount = gross + adjusted
  if (amount < 0) return 'negativeRow'
  if (amount === 0) return 'zeroRow'
  if (amount > rules.rowMaximum) return 'rowTooLarge'
  const refusal = sale.void ? refuseVoid(open, sale, amount, profile) : refuseSale(receipt, amount, profile)
  if (refusal) return refusal
  const adjustment = earlier ? earlier.row.adjustment : sale.adjustment
  const row: SaleRow = {
    name: earlier ? earlier.row.name : sale.name,
    taxCode,
    price,
    quantity,
    department,
    unit: sale.unit ?? '',
    plu: sale.plu ?? 0,
    void: sale.void,
    ...(adjustment ? { adjustment } : {}),
    amount: sale.void ? 0 - amount : amount,
    adjusted: sale.void ? 0 - adjusted : adjusted,
  }
  return earlier ? { row, voidsRow: earlier.index } : { row }
}

const refuseSale = (receipt: FiscalReceipt, amount: number, profile: DeviceProfile): Refusal | undefined =>
  receipt.total + amount > profile.rules.receiptMaximum ? 'receiptTooLarge' : undefined

function refuseVoid(open: Selling, sale: Sale, amount: number, { rules }: DeviceProfile): Refusal | undefined {
  const receipt = open.fiscal
  const group = receipt.groups[sale.taxCode - 1] ?? 0
  if (!rules.voidAfterSubtotalAdjustment && receipt.subtotalAdjustments.length > 0) return 'voidAfterSubtotalAdjustment'
  const { name, taxCode, price, plu = 0 } = sale
  const byRow = !rules.voidRepeatsRow && (rules.voidMatches === 'row' || plu !== 0)
  if (byRow && open.voidableQuantity({ name, taxCode, price, plu }) < sale.quantity) return 'nothingToVoid'
  if (group >= amount) return undefined
  return rules.voidMatches === 'group' ? 'nothingToVoid' : 'negativeGroup'
}

/**
 * Returns the last row with this price and quantity that no void has reversed, of the same article or, in a free sale,
 * of the same tax group and department.
 */
function earlierRow(open: Selling, sale: Sale): { readonly row: SaleRow; readonly index: number } | undefined {
  const { rows } = open.fiscal
  const { department = 0, taxCode } = sale
  const alike = (row: SaleRow): boolean =>
    sale.plu ? row.plu === sale.plu : row.plu === 0 && row.taxCode === taxCode && row.department === department
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index]
    if (!row || row.void || open.voidedRows.has(index)) continue
    if (alike(row) && row.price === sale.price && row.quantity === sale.quantity) return { row, index }
  }
  return undefined
}
