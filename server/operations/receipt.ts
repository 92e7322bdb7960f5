import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { FiscalOpening, Operator, TextLine } from '../../drivers/model/receipt.ts'
import type { Step } from '../../drivers/model/steps.ts'
import type { ServiceFacts } from '../endpoint.ts'
import { receiptViolations } from '../limits.ts'
import type { FiscalItem, FiscalReceipt, NonFiscalItem } from '../receipt.ts'
import type { Operation } from './operation.ts'
import { refusal } from './outcome.ts'
import { CASH } from './payments.ts'
import { type RunContext, run } from './run.ts'

export interface Printing extends RunContext {
  readonly facts: ServiceFacts
}

export function defaultOperator(printer: FiscalPrinter, { defaults }: ServiceFacts): Operator {
  const password = defaults.password ?? printer.capabilities.defaultPassword(defaults.operator)
  return { code: defaults.operator, password }
}

/** Resolves to the number of the closed receipt; '' if the request cancels it. */
export async function printFiscalReceipt(receipt: FiscalReceipt, on: Printing): Promise<string> {
  const { printer, facts } = on
  // Limits and protocol variant are known only after the connection, and the default password depends on them.
  await printer.connect()
  const [violation] = receiptViolations(receipt, printer.capabilities)
  if (violation) throw refusal(400, `${violation.path} ${violation.message}.`)
  const opening = receipt.opening ?? {
    operator: defaultOperator(printer, facts),
    pointOfSale: facts.defaults.pointOfSale,
    invoice: false,
  }
  const { receiptNumber = '' } = await run(fiscalReceipt(receipt, opening), on)
  return receiptNumber
}

export async function printNonFiscalReceipt(
  items: readonly NonFiscalItem[],
  on: Printing,
  { cancelled = false, named = false }: { readonly cancelled?: boolean; readonly named?: boolean } = {},
): Promise<string> {
  await on.printer.connect()
  const steps: readonly Step[] = [
    { does: 'openNonFiscal', operator: defaultOperator(on.printer, on.facts) },
    ...items.map((element, index): Step => {
      const path = named ? { path: `ReceiptItems[${index}]` } : {}
      return { ...path, does: 'print', element, on: 'nonFiscal' }
    }),
    { does: cancelled ? 'cancelNonFiscal' : 'closeNonFiscal' },
  ]
  return (await run({ steps }, on)).text
}

function fiscalReceipt(receipt: FiscalReceipt, opening: FiscalOpening): Operation {
  const { items, subtotal, payments, expectedTotal, named = false, cancelled = false } = receipt
  const at = (path: string) => (named ? { path } : {})
  const paying: readonly Step[] =
    payments.length === 0
      ? [{ does: 'pay', payment: { mode: CASH } }]
      : payments.flatMap(({ textsBefore = [], ...payment }, index): Step[] => [
          ...textsBefore.map((line): Step => ({ ...at(`Payments[${index}]`), ...text(line) })),
          { ...at(`Payments[${index}]`), does: 'pay', payment },
        ])
  return {
    steps: [
      { ...(receipt.opening && at('OpenFiscalReceipt')), does: 'open', opening },
      ...items.map((item, index): Step => ({ ...at(`ReceiptItems[${index}]`), ...stepOf(item) })),
      ...(subtotal ? [{ ...at('Subtotal'), does: 'subtotal' as const, subtotal }] : []),
      ...(cancelled ? [{ does: 'cancel' as const }] : [...paying, closing(opening)]),
    ],
    ...(expectedTotal && { expectedTotal }),
  }
}

/**
 * Returns the close with the customer. The log does not store the opening, but a restarted service must close an
 * invoice with its customer.
 */
const closing = ({ invoice, customer }: FiscalOpening): Step => ({
  does: 'close',
  ...(invoice && customer && { customer }),
})

function stepOf(item: FiscalItem): Step {
  switch (item.is) {
    case 'freeSale':
    case 'articleSale':
      return { does: 'sell', sale: item.sale }
    case 'subtotal':
      return { does: 'subtotal', subtotal: item.subtotal }
    case 'text':
    case 'barcode':
    case 'separatingLine':
      return { does: 'print', element: item, on: 'fiscal' }
  }
}

const text = (line: TextLine) => ({ does: 'print', element: { is: 'text', line }, on: 'fiscal' }) as const
