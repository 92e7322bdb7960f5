/** The calls of the API that execute steps. The declarations of the endpoints write their bodies. */
import type { z } from 'zod'
import type { Step } from '../drivers/model/steps.ts'
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

interface RestCall {
  /** Path below `/api`. */
  readonly path: string
  readonly body?: object | undefined
}

const RECEIPT = '/print-fiscal-receipt'
const ENDS = {
  close: '/close-fiscal-receipt',
  closeNonFiscal: '/close-non-fiscal-receipt',
  cancel: '/cancel-fiscal-receipt',
  cancelNonFiscal: '/cancel-non-fiscal-receipt',
} as const
const TEXTS = { fiscal: '/print-fiscal-text', nonFiscal: '/print-non-fiscal-text' } as const
const REPORTS = { x: '/report-x', z: '/report-z', copy: '/copy-of-last-fiscal-receipt' } as const

export const restCalls = {
  /** Returns a single call if the steps have the form of a complete receipt, otherwise a call for each step. */
  of(steps: readonly Step[]): readonly RestCall[] {
    const receipt = completeReceipt(steps)
    return receipt ? [{ path: RECEIPT, body: written(fiscalReceipt, receipt) }] : steps.map(callOf)
  },
  /** Returns the call that prints a complete receipt with this body. */
  receipt: (body: unknown): RestCall => ({ path: RECEIPT, body: body as object }),
}

const written = <T>(schema: z.ZodType<T>, value: T | undefined) => writeAs(schema, value) as object | undefined

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

function callOf(step: Step): RestCall {
  switch (step.does) {
    case 'open':
      return { path: '/open-fiscal-receipt', body: written(openFiscalReceipt, step.opening) }
    case 'openNonFiscal':
      return { path: '/open-non-fiscal-receipt', body: written(operatorFields, step.operator) }
    case 'sell':
      return 'plu' in step.sale
        ? { path: '/register-plu-sale', body: written(pluSale, step.sale) }
        : { path: '/register-free-sale', body: written(freeSale, step.sale) }
    case 'subtotal':
      return { path: '/subtotal', body: written(subtotalBody, step.subtotal) }
    case 'print':
      return elementCall(step)
    case 'pay':
      return { path: '/payment', body: written(registerPayment, step.payment) }
    case 'close':
    case 'closeNonFiscal':
    case 'cancel':
    case 'cancelNonFiscal':
      return { path: ENDS[step.does] }
    case 'document':
      if (step.kind === 'cashIn' || step.kind === 'cashOut') throw new Error(`the API has no call for ${step.kind}`)
      return { path: REPORTS[step.kind] }
  }
}

function elementCall({ element, on }: Extract<Step, { does: 'print' }>): RestCall {
  switch (element.is) {
    case 'text':
      return { path: TEXTS[on], body: written(textObject, element.line) }
    case 'barcode':
      return { path: '/print-bar-code', body: written(barcodeObject, element.barcode) }
    case 'separatingLine':
      return { path: `/print-separating-line/${element.style}` }
  }
}
