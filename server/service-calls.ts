/** The calls of the API that execute steps. The declarations of the endpoints write their bodies. */
import type { z } from 'zod'
import type { Step, StepOfKind } from '../drivers/model/steps.ts'
import {
  barcodeObject,
  fiscalReceipt,
  freeSale,
  openFiscalReceipt,
  operatorFields,
  pluSale,
  registerPayment,
  subtotalBody,
  textObject,
} from './endpoints/bodies.ts'
import { writeAs } from './fields.ts'
import type { FiscalItem, FiscalReceipt } from './receipt.ts'

const call = <T>(path: string, schema?: z.ZodType<T>, value?: T) => ({
  path,
  body: schema && (writeAs(schema, value) as object | undefined),
})
type RestCall = ReturnType<typeof call>

const RECEIPT = '/print-fiscal-receipt'

export const serviceCalls = {
  /** Returns a single call if the steps have the form of a complete receipt, otherwise a call for each step. */
  of(steps: readonly Step[]): readonly RestCall[] {
    const receipt = completeReceipt(steps)
    if (receipt) return [call(RECEIPT, fiscalReceipt, receipt)]
    return steps.map((step) => (CALLS[step.does] as (step: Step) => RestCall)(step))
  },
  /** Returns the call that prints a complete receipt with this body. */
  receipt: (body: unknown): RestCall => ({ path: RECEIPT, body: body as object }),
}

/** The form is: an opening, sales and elements, at most one subtotal, payments, and the close. */
function completeReceipt([open, ...steps]: readonly Step[]): FiscalReceipt | undefined {
  if (open?.does !== 'open' || !open.opening || steps.pop()?.does !== 'close') return undefined
  const end = steps.findIndex(({ does }) => does === 'subtotal' || does === 'pay')
  const items = steps.slice(0, Math.max(0, end)).flatMap(itemOf)
  const subtotal = steps[end]?.does === 'subtotal' ? steps[end].subtotal : undefined
  const payments = steps.flatMap((step) => (step.does === 'pay' ? [step.payment] : []))
  const isInOrder = steps.slice(end + (subtotal ? 1 : 0)).every(({ does }) => does === 'pay')
  const sells = items.some((item) => 'sale' in item && !item.sale.void)
  if (!isInOrder || !sells || payments.length === 0) return undefined
  return { opening: open.opening, items, payments, ...(subtotal && { subtotal }) }
}

function itemOf(step: Step): readonly FiscalItem[] {
  if (step.does === 'print') return [step.element]
  if (step.does !== 'sell') return []
  const { sale } = step
  return ['plu' in sale ? { is: 'articleSale', sale } : { is: 'freeSale', sale }]
}

const TEXTS = { fiscal: '/print-fiscal-text', nonFiscal: '/print-non-fiscal-text' }
const REPORTS = { x: '/report-x', z: '/report-z', copy: '/copy-of-last-fiscal-receipt' }

const CALLS: { readonly [Does in Step['does']]: (step: StepOfKind<Does>) => RestCall } = {
  open: ({ opening }) => call('/open-fiscal-receipt', openFiscalReceipt, opening),
  openNonFiscal: ({ operator }) => call('/open-non-fiscal-receipt', operatorFields, operator),
  sell: ({ sale }) =>
    'plu' in sale ? call('/register-plu-sale', pluSale, sale) : call('/register-free-sale', freeSale, sale),
  subtotal: ({ subtotal }) => call('/subtotal', subtotalBody, subtotal),
  pay: ({ payment }) => call('/payment', registerPayment as z.ZodType<typeof payment>, payment),
  print({ element, on }) {
    if (element.is === 'text') return call(TEXTS[on], textObject, element.line)
    if (element.is === 'barcode') return call('/print-bar-code', barcodeObject, element.barcode)
    return call(`/print-separating-line/${element.style}`)
  },
  close: () => call('/close-fiscal-receipt'),
  closeNonFiscal: () => call('/close-non-fiscal-receipt'),
  cancel: () => call('/cancel-fiscal-receipt'),
  cancelNonFiscal: () => call('/cancel-non-fiscal-receipt'),
  document({ kind }) {
    if (kind === 'cashIn' || kind === 'cashOut') throw new Error(`no endpoint exists for ${kind}`)
    return call(REPORTS[kind])
  },
}
