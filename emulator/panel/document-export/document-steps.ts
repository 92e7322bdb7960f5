/** The steps of the REST service that print a document, derived from the requests in the books. */
import type { Element, Sale, Step } from '../../../drivers/model/steps.ts'
import type { FiscalDevice, PaperDocument } from '../../fiscal/api.ts'
import type { PrintRequest } from '../../fiscal/types/print-request.ts'

export interface ServiceCall {
  /** Path below `/api`, such as `/register-plu-sale`. */
  readonly path: string
  readonly body?: object | undefined
}

/** The calls of the REST service. The emulator knows neither their paths nor their fields. */
export interface ServiceCalls {
  of(steps: readonly Step[]): readonly ServiceCall[]
  /** Returns the call that prints a complete receipt with a body in the form of the service. */
  receipt(body: unknown): ServiceCall
}

export interface DocumentExport {
  readonly steps: readonly Step[]
  /** Sentences about details that depend on the configuration of the service, or that the steps omit. */
  readonly remarks: readonly string[]
}

export class NoServiceCall extends Error {}

type RequestOf<Name extends PrintRequest['ask']> = Extract<PrintRequest, { readonly ask: Name }>

const REPORTS = { reportX: 'x', reportZ: 'z', copy: 'copy' } as const

/** Throws NoServiceCall. */
export function documentSteps(device: FiscalDevice, { id, kind }: Pick<PaperDocument, 'id' | 'kind'>): DocumentExport {
  const printed = device.printedSteps(id)
  if (!printed)
    throw new NoServiceCall(`the service has no call that prints this: it is ${NAMES[kind] ?? 'another document'}`)
  const [first, ...others] = printed.flatMap((step) => step.asked ?? [])
  const requests = others.filter(hasStep)
  const remarks = others.flatMap(remarkOn)
  switch (first?.ask) {
    case 'reportX':
    case 'reportZ':
    case 'copy':
      return { steps: [{ does: 'document', kind: REPORTS[first.ask] }], remarks }
    case 'fiscal': {
      const end: Step = { does: kind === 'cancelled' ? 'cancel' : 'close' }
      return { steps: [opening(device, first), ...requests.map((one) => fiscalStep(device, one)), end], remarks }
    }
    case 'nonFiscal': {
      const steps = requests.map((one) => printing(one, 'nonFiscal'))
      return { steps: [nonFiscalOpening(device, first), ...steps, { does: 'closeNonFiscal' }], remarks }
    }
    default:
      throw new NoServiceCall('the request for this document is not stored')
  }
}

export const hasStep = ({ ask }: PrintRequest): boolean => ask !== 'customer' && ask !== 'feed' && ask !== 'cut'

const NAMES: Readonly<Record<string, string>> = {
  service: 'cash in or out, or a list of the device',
  memory: 'a report of the fiscal memory',
  x: 'a report other than the daily one',
}

function remarkOn({ ask }: PrintRequest): readonly string[] {
  if (ask === 'customer') return ['The customer is that of the configuration: defaults.customer.']
  if (ask !== 'feed' && ask !== 'cut') return []
  return [`Omitted, the service has no call for it: ${ask === 'cut' ? 'a cut' : 'paper fed'}.`]
}

function opening({ registers }: FiscalDevice, { operator, pointOfSale, invoice, kind }: RequestOf<'fiscal'>): Step {
  if (kind === 'reversal') throw new NoServiceCall('the service has no call for a reversal')
  const password = registers.operator(operator)?.password ?? ''
  return { does: 'open', opening: { operator: { code: operator, password }, pointOfSale, invoice } }
}

/** Two wire protocols open a non-fiscal receipt without an operator. */
function nonFiscalOpening({ registers }: FiscalDevice, { operator: code }: RequestOf<'nonFiscal'>): Step {
  const password = registers.operator(code)?.password
  return { does: 'openNonFiscal', ...(password !== undefined && { operator: { code, password } }) }
}

export function fiscalStep(device: FiscalDevice, request: PrintRequest): Step {
  switch (request.ask) {
    case 'sale':
      return { does: 'sell', sale: saleOf(device, request) }
    case 'subtotal':
      return { does: 'subtotal', subtotal: { print: true, ...request } }
    case 'payment':
      return { does: 'pay', payment: request }
    default:
      return printing(request, 'fiscal')
  }
}

function saleOf({ profile }: FiscalDevice, { row, ownPrice }: RequestOf<'sale'>): Sale {
  const { plu, ...sale } = row
  if (ownPrice) throw new NoServiceCall(`the service sells article ${plu} at its programmed price only`)
  if (plu !== 0) return row
  if (profile.articlesOnly) throw new NoServiceCall('the service sells programmed articles only on this family')
  // The service requires a unit, but the device may have received none.
  return { ...sale, unit: sale.unit || ' ' }
}

const printing = (request: PrintRequest, on: 'fiscal' | 'nonFiscal'): Step => ({
  does: 'print',
  element: elementOf(request),
  on,
})

function elementOf(request: PrintRequest): Element {
  switch (request.ask) {
    case 'text':
      return { is: 'text', line: request.line }
    case 'barcode':
      return { is: 'barcode', barcode: request.barcode }
    case 'separator':
      if (request.style !== 'nothingDue') return { is: 'separatingLine', style: request.style }
      throw new NoServiceCall('the service has no call for the line that says that nothing is due')
    case 'voidPayments':
      throw new NoServiceCall('the service cannot void payments')
    default:
      throw new NoServiceCall(`the service has no call for this: ${request.ask}`)
  }
}
