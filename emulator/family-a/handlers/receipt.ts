/** Fiscal receipts (sheet 6.3 and 6.5), and the commands of sheet 6.4 that close or cancel a receipt. */
import type { Opening } from '../../../drivers/family-a/protocol/commands/receipt.ts'
import type { ErrorKey } from '../../../drivers/family-a/protocol/errors.ts'
import type { FiscalDevice } from '../../fiscal/api.ts'
import { showPayment } from '../../fiscal/customer-display.ts'
import type { CustomerData } from '../../fiscal/types/receipt.ts'
import { type Context, from, type Handlers, refused } from '../context.ts'
import { REASONS } from '../refusals.ts'
import type { Switches } from '../switches.ts'
import { adjustmentOf, documentOf } from './sale.ts'

/** Returns the refusal that 48 and 43 report before they check their fields (sheet 6.3). */
export function openingRefusal({ refusals, registers }: FiscalDevice, switches: Switches): ErrorKey | undefined {
  const refusal = switches.beforeFiscalised === 'refused' ? refusals.fiscalised() : undefined
  if (refusal !== undefined) return REASONS[refusal]
  if (registers.taxRates.every((rate) => rate === null)) return 'noVatRates'
  const blocked = refusals.fiscalMemory() ?? refusals.journal() ?? refusals.day()
  return blocked && REASONS[blocked]
}

function operatorRefusal({ device }: Context, operator: number, password: string, invoice: boolean) {
  const refusal = device.refusals.operator(operator, password)
  if (refusal !== undefined) return refused(REASONS[refusal])
  const isNumbered = invoice && !device.profile.rules.simplifiedInvoices
  const range = isNumbered ? device.refusals.invoiceRange() : undefined
  return range === undefined ? undefined : refused(REASONS[range])
}

/**
 * The edition ro sends the client's tax number in 48 and requires no further customer data for an invoice (sheet 9).
 */
function customerOf({ edition }: Context, ask: Opening): { readonly customer?: CustomerData } {
  if (ask.form === 'client' && ask.taxNumber !== '') {
    return { customer: { taxNumber: ask.taxNumber, fields: [ask.taxNumber] } }
  }
  return edition.name === 'ro' && ask.invoice ? { customer: { fields: [] } } : {}
}

const CARD = 1

export const lastOf = ({ lastFiscal, day, counters }: FiscalDevice) => ({
  document: lastFiscal?.document ?? 0,
  closure: lastFiscal?.closure ?? counters.lastZ + 1,
  fiscalNumber: lastFiscal?.receiptOfDay ?? day.receipts,
})

export const receipt = {
  openFiscal(context, ask) {
    const { device, edition, session } = context
    if (ask.form === 'saleNumber' && edition.name === 'ro') return refused('invalidSyntax')
    if (ask.form === 'client' && edition.name === 'bg') return refused('invalidSyntax')
    const stop = operatorRefusal(context, ask.operator, ask.password, ask.invoice)
    if (stop) return stop
    const outcome = device.openFiscal({
      kind: 'sale',
      invoice: ask.invoice,
      operator: ask.operator,
      pointOfSale: ask.pointOfSale,
      ...(ask.form === 'saleNumber' ? { saleNumber: ask.saleNumber } : {}),
      ...customerOf(context, ask),
    })
    if (outcome.ok && ask.form === 'saleNumber') session.persistentCells.UNP = ask.saleNumber
    return from(outcome, () => documentOf(context))
  },

  openReversal(context, ask) {
    const invoice = ask.invoice === true
    const stop = operatorRefusal(context, ask.operator, ask.password, invoice)
    if (stop) return stop
    const toInvoice = ask.toInvoice ?? undefined
    if (invoice && toInvoice === undefined) return refused('syntaxField9')
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
      // The reversed receipt already names the invoice, so that 57 is optional.
      ...(invoice ? { customer: { fields: [] } } : {}),
      extra: {
        ...(toInvoice === undefined ? {} : { toInvoice }),
        original: String(ask.original),
        ...(ask.reasonText ? { reasonText: ask.reasonText } : {}),
      },
    })
    return from(outcome, ({ document }) => ({ document }))
  },

  subtotal(context, ask) {
    const { print = false, display = false } = ask
    const outcome = context.device.subtotal({ print, display, ...adjustmentOf(ask) })
    const { taxGroups } = context.edition
    return from(outcome, ({ total, groups }) => ({
      ...documentOf(context),
      subtotal: total,
      groups: groups.slice(0, taxGroups),
    }))
  },

  payment({ device, edition, switches }, { mode = 0, amount, kind }) {
    const open = device.receipt
    if (open?.kind !== 'fiscal') return refused('receiptClosed')
    if (kind !== null && kind !== undefined) {
      const allowed = mode === CARD || mode === 2 ? [1, 12] : mode === edition.currencyMode ? [0, 1] : undefined
      // Clients send 1 with cash. A value that has no meaning for the payment mode is ignored.
      if (allowed && !allowed.includes(kind)) return refused('valueField3')
    }
    // An amount of 0.00 means the whole remaining amount, as an empty field does (sheet 6.4), unless the switch
    // `zeroPayment` says otherwise.
    const isRest = amount === undefined || (amount === 0 && switches.zeroPayment === 'rest')
    const outcome = device.pay({ mode, ...(isRest ? {} : { amount }) })
    if (!outcome.ok && open.fiscal.kind === 'reversal' && outcome.refusal === 'paymentTooLarge') {
      return refused('reversalChange')
    }
    showPayment(device, outcome)
    return from(outcome, ({ rest, change }) =>
      change > 0 ? { status: 'R', amount: change } : { status: 'D', amount: rest },
    )
  },

  invoiceData({ device }, ask) {
    const open = device.receipt
    if (open?.kind !== 'fiscal') return refused('receiptClosed')
    if (!open.fiscal.invoice) return refused('receiptType')
    if (!/^\d{8,13}$/.test(ask.taxNumber)) return refused('valueField7')
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
    return from(outcome)
  },

  closeFiscal(context) {
    const { device } = context
    return from(device.closeFiscal(), () => lastOf(device))
  },
  cancelFiscal: ({ device }) => from(device.cancelFiscal()),
  duplicate: ({ device }) => from(device.copyLastReceipt()),
} satisfies Partial<Handlers>
