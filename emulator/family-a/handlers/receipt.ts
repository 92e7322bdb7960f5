import type { Opening } from '../../../drivers/family-a/protocol/commands/receipt.ts'
import type { Commands } from '../../../drivers/family-a/protocol/index.ts'
import type { Adjustment, TaxCode } from '../../../drivers/model/receipt.ts'
import type { RequestOf } from '../../../drivers/wire/command.ts'
import type { CustomerData } from '../../fiscal/types.ts'
import { type Context, type Failure, fail, from, type Handlers, plain } from '../context.ts'
import { KEY_OF } from '../refusals.ts'

/** Fiscal receipts: sheet 6.3 to 6.5. */
type Names =
  | 'openFiscal'
  | 'openReversal'
  | 'sale'
  | 'saleByPlu'
  | 'subtotal'
  | 'payment'
  | 'invoiceData'
  | 'closeFiscal'
  | 'cancelFiscal'
  | 'duplicate'

/** What stands before the fields of 48 and 43 (sheet 6.3), in the order given there. */
export function openingBlocked({ device }: Context): Failure | undefined {
  const { refusals, registers } = device
  const refusal = refusals.fiscalised()
  if (refusal !== undefined) return fail(KEY_OF[refusal])
  if (registers.taxRates.every((rate) => rate === null)) return fail('noVatRates')
  const blocked = refusals.fiscalMemory() ?? refusals.journal() ?? refusals.day()
  return blocked === undefined ? undefined : fail(KEY_OF[blocked])
}

function operatorRefused({ device }: Context, operator: number, password: string, invoice: boolean) {
  const refusal = device.refusals.operator(operator, password)
  if (refusal !== undefined) return fail(KEY_OF[refusal])
  const range = invoice ? device.refusals.invoiceRange() : undefined
  return range === undefined ? undefined : fail(KEY_OF[range])
}

/** Profile ro carries the client's tax number in 48, which is all that its invoice wants (sheet 9). */
function customerOf({ national }: Context, ask: Opening): { readonly customer?: CustomerData } {
  if (ask.form === 'client' && ask.taxNumber !== '') {
    return { customer: { taxNumber: ask.taxNumber, fields: [ask.taxNumber] } }
  }
  return national === 'ro' && ask.invoice ? { customer: { fields: [] } } : {}
}

interface Modified {
  readonly modifier?: RequestOf<Commands['sale']>['modifier']
  readonly modifierValue?: number | undefined
}

function adjustmentOf({ modifier = 'none', modifierValue = 0 }: Modified): { readonly adjustment?: Adjustment } {
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

/** A missing quantity is one piece; 0.000 is refused, or counted as one by the switch of 6.4. */
function quantityOf({ quirks }: Context, quantity: number | undefined): number | undefined {
  if (quantity === undefined) return 1_000
  return quantity > 0 ? quantity : quirks.zeroQuantity === 'one' ? 1_000 : undefined
}

const documentOf = ({ device }: Context): { readonly document: number } => ({
  document: device.receipt?.kind === 'fiscal' ? device.receipt.fiscal.document : 0,
})

const CARD = 1
const CURRENCY = 6

export const receipt: Handlers<Names> = {
  openFiscal(context, ask) {
    const { device, national } = context
    if (ask.form === 'saleNumber' && national === 'ro') return fail('invalidSyntax')
    if (ask.form === 'client' && national === 'bg') return fail('invalidSyntax')
    const refused = operatorRefused(context, ask.operator, ask.password, ask.invoice)
    if (refused) return refused
    const outcome = device.openFiscal({
      kind: 'sale',
      invoice: ask.invoice,
      operator: ask.operator,
      pointOfSale: ask.pointOfSale,
      ...(ask.form === 'saleNumber' ? { saleNumber: ask.saleNumber } : {}),
      ...customerOf(context, ask),
    })
    if (outcome.ok && ask.form === 'saleNumber') device.registers.setParameter('UNP', ask.saleNumber)
    return from(outcome, ({ document }) => ({ document }))
  },

  openReversal(context, ask) {
    const invoice = ask.invoice === true
    const refused = operatorRefused(context, ask.operator, ask.password, invoice)
    if (refused) return refused
    const toInvoice = ask.toInvoice ?? undefined
    if (invoice && toInvoice === undefined) return fail('syntaxField9')
    const outcome = context.device.openFiscal({
      kind: 'reversal',
      reason: ask.reason,
      ...(ask.reasonText ? { reasonText: ask.reasonText } : {}),
      original: {
        document: ask.original,
        at: ask.originalAt,
        fiscalMemoryNumber: ask.fiscalMemory,
        ...(toInvoice === undefined ? {} : { invoice: toInvoice }),
      },
      invoice,
      operator: ask.operator,
      pointOfSale: ask.pointOfSale,
      ...(ask.saleNumber ? { saleNumber: ask.saleNumber } : {}),
      // What is reversed names its own invoice: 57 may come and need not.
      ...(invoice ? { customer: { fields: [] } } : {}),
      extra: {
        ...(toInvoice === undefined ? {} : { toInvoice }),
        original: String(ask.original),
        ...(ask.reasonText ? { reasonText: ask.reasonText } : {}),
      },
    })
    return from(outcome, ({ document }) => ({ document }))
  },

  sale(context, ask) {
    const quantity = quantityOf(context, ask.quantity)
    if (quantity === undefined) return fail('valueField4')
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
    return from(outcome, () => documentOf(context))
  },

  saleByPlu(context, ask) {
    const { device, profile } = context
    const quantity = quantityOf(context, ask.quantity)
    if (quantity === undefined) return fail('valueField2')
    const plu = Math.abs(ask.plu)
    if (plu === 0 || plu > profile.articles.maxNumber) return fail('valueField1')
    const isVoid = ask.plu < 0
    // 6.4: a void names the price at which it was sold.
    const outcome = device.sellArticle({
      plu,
      quantity,
      void: isVoid,
      ...(ask.price === undefined ? {} : { price: ask.price }),
      ...adjustmentOf(ask),
    })
    return from(outcome, () => documentOf(context))
  },

  subtotal(context, ask) {
    const { print = false, display = false } = ask
    const outcome = context.device.subtotal({ print, display, ...adjustmentOf(ask) })
    return from(outcome, ({ total, groups }) => ({ ...documentOf(context), subtotal: total, groups }))
  },

  payment({ device }, { mode = 0, amount, kind }) {
    const open = device.receipt
    if (open?.kind !== 'fiscal') return fail('receiptClosed')
    if (kind !== null && kind !== undefined) {
      const allowed = mode === CARD || mode === 2 ? [1, 12] : mode === CURRENCY ? [0, 1] : undefined
      // One client sends 1 with cash; what means nothing for a mode is passed over.
      if (allowed && !allowed.includes(kind)) return fail('valueField3')
    }
    const outcome = device.pay({ mode, ...(amount === undefined ? {} : { amount }) })
    if (!outcome.ok && open.fiscal.kind === 'reversal' && outcome.refusal === 'paymentTooLarge') {
      return fail('reversalChange')
    }
    return from(outcome, ({ rest, change }) =>
      change > 0 ? { status: 'R', amount: change } : { status: 'D', amount: rest },
    )
  },

  invoiceData({ device }, ask) {
    const open = device.receipt
    if (open?.kind !== 'fiscal') return fail('receiptClosed')
    if (!open.fiscal.invoice) return fail('receiptType')
    if (!/^\d{8,13}$/.test(ask.taxNumber)) return fail('valueField7')
    const address = [ask.address1, ask.address2].filter((line) => line !== undefined).join(' ')
    const outcome = device.setCustomer({
      taxNumber: ask.taxNumber,
      name: ask.buyer ?? '',
      address,
      fields: [
        ask.seller ?? '',
        ask.receiver ?? '',
        ask.buyer ?? '',
        ask.address1 ?? '',
        ask.address2 ?? '',
        ask.taxNumber,
        ask.vatNumber ?? '',
      ],
    })
    return from(outcome, plain)
  },

  closeFiscal: ({ device }) => from(device.closeFiscal(), ({ document }) => ({ document })),
  cancelFiscal: ({ device }) => from(device.cancelFiscal(), plain),
  duplicate: ({ device }) => from(device.copyLastReceipt(), plain),
}
