/** Sales (sheet 10.4). */
import { taxCodeOf } from '../../../drivers/family-b/protocol/numbers.ts'
import { ONE } from '../../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../../drivers/model/receipt.ts'
import type { FiscalDevice } from '../../fiscal/api.ts'
import type { Outcome } from '../../fiscal/types/outcome.ts'
import type { SaleRow } from '../../fiscal/types/receipt.ts'
import { showSale } from '../configured-display.ts'
import { type Context, done, error, from, type Handlers, type Reply } from '../context.ts'
import { departmentDigits, operationForbidden } from '../parameters.ts'
import { comment } from './text.ts'

/**
 * Department of articles that were programmed with department 0, which forbids their sale. A stored 0 means the hidden
 * department of a tax group.
 */
export const NO_SALE_DEPARTMENT = -1

interface Amounts {
  readonly void: boolean
  readonly quantity?: number
  readonly percent?: number
  readonly netto?: number
}

const signed = (value: number): 'discount' | 'surcharge' => (value < 0 ? 'discount' : 'surcharge')

export function adjustmentOf({ percent, netto }: Pick<Amounts, 'percent' | 'netto'>): Adjustment | undefined {
  if (percent !== undefined) return { kind: signed(percent), percent: Math.abs(percent) }
  if (netto !== undefined) return { kind: signed(netto), amount: Math.abs(netto) }
  return undefined
}

function wrongAmounts({ device }: Context, ask: Amounts): Reply<never> | undefined {
  if (ask.percent !== undefined && ask.netto !== undefined) return error(22)
  if (ask.void && operationForbidden(device, 'void')) return error(22)
  if (!ask.void && adjustmentOf(ask) && operationForbidden(device, 'adjustment')) return error(22)
  return undefined
}

const adjustmentFor = (ask: Amounts): { adjustment?: Adjustment } => {
  const adjustment = ask.void ? undefined : adjustmentOf(ask)
  return adjustment ? { adjustment } : {}
}

function showOnDisplay(device: FiscalDevice, outcome: Outcome<SaleRow>): Reply<SaleRow> {
  if (outcome.ok) showSale(device, outcome.value)
  return from(outcome, (row) => row)
}

interface FreeSale extends Amounts {
  readonly name: string
  readonly taxCode: TaxCode
  readonly price: number
  readonly department?: number
}

function sellFree(context: Context, ask: FreeSale): Reply<SaleRow> {
  const { device } = context
  const wrong = wrongAmounts(context, ask)
  if (wrong) return wrong
  // Sheet 10.4: a void is matched by price, quantity and group. The books set the name of the voided item.
  const sale = {
    name: ask.name,
    taxCode: ask.taxCode,
    price: ask.price,
    quantity: ask.quantity ?? ONE,
    void: ask.void,
    ...(ask.department === undefined ? {} : { department: ask.department }),
    ...adjustmentFor(ask),
  }
  return showOnDisplay(device, device.sell(sale))
}

interface FreeRequest extends Amounts {
  readonly text1?: string
  readonly text2?: string
  readonly taxLetter: string
  readonly price: number
}

/**
 * Sells an item without an article. If there are two texts, the first is a comment. It is printed after the sale, so
 * that a refused sale prints nothing.
 */
function freeSale(context: Context, ask: FreeRequest): Reply<SaleRow> {
  const { edition } = context
  const taxCode = taxCodeOf(edition.firstGroup, edition.groups, ask.taxLetter)
  if (taxCode === undefined) return error(14)
  const second = ask.text2 ?? ''
  const name = (second === '' ? (ask.text1 ?? '') : second).slice(0, edition.commentWidth)
  const reply = sellFree(context, { ...ask, name, taxCode })
  if (reply.ok && second !== '' && ask.text1) comment(context, ask.text1)
  return reply
}

const without = (reply: Reply<SaleRow>): Reply<undefined> => (reply.ok ? done() : reply)

const isReversal = ({ receipt }: FiscalDevice): boolean =>
  receipt?.kind === 'fiscal' && receipt.fiscal.kind === 'reversal'

export const sale = {
  saleByPlu(context, ask) {
    const { device } = context
    const number = Number(ask.article)
    const byNumber = ask.article.length <= 5 && number >= 1 && number <= device.profile.articles.maxNumber
    const article = byNumber ? device.articles.get(number) : device.articles.byBarcode(ask.article)
    if (!article) {
      const { quantity = ONE, void: isVoid } = ask
      if (number > 0)
        device.noteRefused({ ask: 'article', sale: { plu: number, quantity, void: isVoid } }, 'articleUnknown')
      return error(44)
    }
    const wrong = wrongAmounts(context, ask)
    if (wrong) return wrong
    // Clients send the programmed price with every article, which is not a price change.
    if (ask.price !== undefined && ask.price !== article.price && article.priceType === 'fixed') return error(7)
    if (article.department === NO_SALE_DEPARTMENT) return error(7)
    if (article.stock === 0 && !ask.void && !isReversal(device)) return error(28)
    if (operationForbidden(device, 'article')) return error(22)
    const price = ask.price ?? (article.priceType === 'fixed' ? undefined : article.price)
    const outcome = device.sellArticle({
      plu: article.plu,
      quantity: ask.quantity ?? ONE,
      void: ask.void,
      ...(price === undefined ? {} : { price }),
      ...adjustmentFor(ask),
    })
    return without(showOnDisplay(device, outcome))
  },
  sale: (context, ask) => without(freeSale(context, ask)),
  saleOnDisplay(context, ask) {
    const reply = freeSale(context, ask)
    if (reply.ok) showSale(context.device, reply.values, true)
    return without(reply)
  },
  saleByDepartment(context, ask) {
    const { device } = context
    if (ask.department < 1 || ask.department > device.profile.departments) return error(21)
    const { name, taxCode } = device.registers.department(ask.department)
    const digits = departmentDigits(device, ask.department)
    if (digits === 0) return error(22)
    if (String(ask.price).length > digits) return error(16)
    return without(sellFree(context, { ...ask, name, taxCode }))
  },
} satisfies Partial<Handlers>
