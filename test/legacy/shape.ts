import type { Adjustment } from '../../drivers/model/receipt.ts'
import type { LegacyJob, LegacyTax, ReceiptStep, ServiceCall } from '../../server/legacy/job.ts'

/** Converts a job to the format of the worked examples: the service's items, with amounts in currency units. */
export function shapeOf(job: LegacyJob, taxCode: (tax: LegacyTax) => number): unknown {
  switch (job.kind) {
    case 'service':
      return { ok: true, kind: 'service', commands: job.calls.map(commandOf) }
    case 'nonFiscal':
      return { ok: true, kind: 'nonfiscal', items: job.steps.map((step) => itemOf(step, true, taxCode)) }
    case 'fiscal':
      return {
        ok: true,
        kind: job.cancelled ? 'fiscal-cancelled' : 'fiscal',
        ...(job.customerTaxId !== undefined && { customerTaxId: job.customerTaxId }),
        ...(job.opening && {
          open: {
            OperatorCode: job.opening.operator,
            OperatorPassword: job.opening.password,
            PointOfSaleNumber: job.opening.pointOfSale,
            Invoice: job.opening.invoice,
          },
        }),
        items: job.steps.filter((step) => step.do !== 'payment').map((step) => itemOf(step, false, taxCode)),
        ...(!job.cancelled && {
          payments: job.steps
            .filter((step) => step.do === 'payment')
            .map(({ mode, amount }) => ({ PaymentMode: mode, Amount: amount / 100 })),
        }),
        total: job.total / 100,
        ...(!job.cancelled && { change: job.change / 100 }),
        ...(job.after.length > 0 && { commands: job.after.map(commandOf) }),
      }
  }
}

function itemOf(
  step: Exclude<ReceiptStep, { do: 'payment' }>,
  nonFiscal: boolean,
  taxCode: (tax: LegacyTax) => number,
): unknown {
  switch (step.do) {
    case 'sale':
      return {
        Type: 0,
        FreeSale: {
          ProductName: step.item.name,
          TaxCode: taxCode(step.item.tax),
          Price: step.item.price / 100,
          Department: step.item.department,
          Unit: step.item.unit,
          Quantity: step.item.quantity / 1000,
          ...discountOf(step.adjustment),
          ...(step.void && { Void: true }),
        },
      }
    case 'subtotal':
      return { Type: 'Subtotal', Subtotal: { Print: true, ...discountOf(step.adjustment) } }
    case 'text':
      return { Type: nonFiscal ? 0 : 2, Text: { Message: step.text } }
    case 'barcode':
      return { Type: nonFiscal ? 1 : 3, BarCode: { Type: step.type, Data: step.data } }
  }
}

function discountOf(adjustment: Adjustment | undefined): object {
  if (!adjustment) return {}
  if ('percent' in adjustment) {
    return { DiscountType: adjustment.kind === 'surcharge' ? 1 : 2, DiscountValue: adjustment.percent / 100 }
  }
  return { DiscountType: adjustment.kind === 'surcharge' ? 3 : 4, DiscountValue: adjustment.amount / 100 }
}

const COMMANDS = {
  reportX: 'report-x',
  reportZ: 'report-z',
  drawer: 'open-drawer',
  copy: 'copy-of-last-fiscal-receipt',
  cancel: 'cancel',
  clearDisplay: 'clear-display',
  cashIn: 'cash-in',
  cashOut: 'cash-out',
} as const

function commandOf(call: ServiceCall): unknown {
  if (call.call === 'display') {
    return { Command: call.row === 1 ? 'display-line-one' : 'display-line-two', Text: call.text }
  }
  return { Command: COMMANDS[call.call], ...('amount' in call && { Amount: call.amount / 100 }) }
}
