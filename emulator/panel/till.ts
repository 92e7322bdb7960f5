import { exactNumber, JsonNumber } from '../../drivers/model/json.ts'
import type { Step } from '../../drivers/model/steps.ts'
import type { FiscalDevice, PaperDocument } from '../fiscal/api.ts'
import type { OpenReceipt } from '../fiscal/types/receipt.ts'
import { type ReceiptEnd, WrongCall } from './call-input.ts'
import type { PrintedView } from './contract.ts'
import { documentSteps, NoServiceCall, type ServiceCall, type ServiceCalls } from './document-export/document-steps.ts'

/**
 * Sends a print request (JSON) to a service, and resolves to its answer. The control panel thus depends neither on the
 * service nor on drivers.
 */
export type Till = (path: string, body: string) => Promise<TillAnswer>

export interface TillAnswer {
  readonly StatusCode: number
  readonly Message?: string
  readonly Errors?: readonly { readonly Path: string; readonly Message: string }[]
}

export interface PanelTill {
  readonly till: Till
  readonly serviceCalls: ServiceCalls
}

/** Writes amounts with the digits with which they were read. */
const exactly = (_name: string, value: unknown): unknown =>
  value instanceof JsonNumber ? exactNumber(value.source) : value

const send = ({ till }: PanelTill, { path, body = {} }: ServiceCall) => till(path, JSON.stringify(body, exactly))

/** Prints a receipt whose body has the form of the service. */
export const printReceipt = (device: FiscalDevice, till: PanelTill | undefined, body: unknown): Promise<PrintedView> =>
  printCalls(device, till, ({ serviceCalls }) => [serviceCalls.receipt(body)])

/** Executes the calls until an answer is not 200. A receipt that the calls have opened is then cancelled. */
async function printCalls(
  device: FiscalDevice,
  till: PanelTill | undefined,
  callsOf: (till: PanelTill) => readonly ServiceCall[],
): Promise<PrintedView> {
  if (!till) throw new WrongCall('nothing was printed: no REST service runs on this device')
  const last = device.counters.papers
  for (const [index, call] of callsOf(till).entries()) {
    const answer = await send(till, call)
    if (answer.StatusCode === 200) continue
    // The first of several calls opens the receipt. If that call was refused, the open receipt belongs to another
    // program.
    if (device.receipt && index > 0) await endReceipt(device, till, 'cancel')
    return printedView(device, last, answer)
  }
  return printedView(device, last)
}

/**
 * Cancels or closes the open receipt, whichever program opened it. Rejects with WrongCall if no receipt is open, or if
 * no service runs.
 */
export async function endReceipt(
  device: FiscalDevice,
  till: PanelTill | undefined,
  end: ReceiptEnd,
): Promise<PrintedView> {
  const { receipt } = device
  if (!receipt) throw new WrongCall('no receipt is open')
  if (!till) throw new WrongCall('the receipt is still open: no REST service runs on this device')
  const last = device.counters.papers
  for (const call of till.serviceCalls.of(endingSteps(receipt, end))) {
    const answer = await send(till, call)
    if (answer.StatusCode !== 200) return printedView(device, last, answer)
  }
  return printedView(device, last)
}

function endingSteps(receipt: OpenReceipt, end: ReceiptEnd): readonly Step[] {
  if (receipt.kind === 'nonFiscal') return [{ does: end === 'close' ? 'closeNonFiscal' : 'cancelNonFiscal' }]
  const { total, paid } = receipt.fiscal
  const remaining: Step = { does: 'pay', payment: { mode: CASH, amount: total - paid } }
  return [...(end === 'close' && paid < total ? [remaining] : []), { does: end }]
}

const CASH = 0

/** `answer` is the refusal of the service, if there is one. */
function printedView({ counters }: FiscalDevice, last: number, answer?: TillAnswer): PrintedView {
  const documents = Array.from({ length: Math.max(0, counters.papers - last) }, (_nothing, index) => last + 1 + index)
  const document = documents.at(-1) ?? null
  if (!answer) return { document, documents, message: null, errors: [] }
  const { Message: message = '', Errors = [{ Path: '', Message: message }] } = answer
  return { document, documents, message, errors: Errors.map((one) => ({ path: one.Path, message: one.Message })) }
}

/** Prints a new document with the content of this one. Rejects with WrongCall if that is impossible. */
export async function printAgain(
  device: FiscalDevice,
  till: PanelTill | undefined,
  document: PaperDocument,
): Promise<PrintedView> {
  const steps = stepsFor(device, document)
  const printed = await printCalls(device, till, ({ serviceCalls }) => serviceCalls.of(steps))
  const fresh = printed.document === null ? undefined : device.document(printed.document)
  const isAsBefore = fresh?.total === document.total || printed.errors.length > 0
  return isAsBefore
    ? printed
    : { ...printed, message: 'The total differs from the original: articles have other prices now.' }
}

/** Returns the reason why a document cannot be printed again; `null` if it can. */
export function whyNotAgain(device: FiscalDevice, till: PanelTill | undefined, document: PaperDocument): string | null {
  if (!till) return 'no REST service runs on this device'
  try {
    stepsFor(device, document)
    return null
  } catch (problem) {
    if (problem instanceof WrongCall) return problem.message
    throw problem
  }
}

function stepsFor(device: FiscalDevice, document: PaperDocument): readonly Step[] {
  const cannot = (why: string) => new WrongCall(`it cannot be printed again: ${why}`)
  if (document.kind === 'z') throw cannot('a second Z report would close the current day')
  if (document.kind === 'copy' && device.counters.lastReceipt > document.number)
    throw cannot('a device copies only its last receipt, and another receipt has been printed since')
  try {
    return documentSteps(device, document).steps
  } catch (problem) {
    throw problem instanceof NoServiceCall ? cannot(problem.message) : problem
  }
}
