import { exactNumber, JsonNumber } from '../../drivers/model/json.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import type { FiscalDevice, PaperDocument } from '../fiscal/api.ts'
import type { OpenReceipt } from '../fiscal/types/receipt.ts'
import { type ReceiptEnd, WrongCall } from './call-input.ts'
import type { PrintedView } from './contract.ts'
import { NoServiceCall, type ServiceCall, serviceCalls } from './document-export/service-calls.ts'

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

/** Writes amounts with the digits with which they were read. */
const exactly = (_name: string, value: unknown): unknown =>
  value instanceof JsonNumber ? exactNumber(value.source) : value

/** Executes the calls until an answer is not 200. A receipt that the calls have opened is then cancelled. */
export async function printCalls(
  device: FiscalDevice,
  till: Till | undefined,
  calls: readonly { readonly path: string; readonly body?: unknown }[],
): Promise<PrintedView> {
  if (!till) throw new WrongCall('nothing was printed: no REST service runs on this device')
  const last = device.counters.papers
  for (const [index, { path, body = {} }] of calls.entries()) {
    const answer = await till(path, JSON.stringify(body, exactly))
    if (answer.StatusCode === 200) continue
    const { receipt } = device
    // The first of several calls opens the receipt. If that call was refused, the open receipt belongs to another
    // program.
    if (receipt && index > 0)
      await till(receipt.kind === 'fiscal' ? '/cancel-fiscal-receipt' : '/cancel-non-fiscal-receipt', '{}')
    return refused(answer, device, last)
  }
  return { ...printedSince(device, last), message: null, errors: [] }
}

/**
 * Cancels or closes the open receipt, whichever program opened it. Rejects with WrongCall if no receipt is open, or if
 * no service runs.
 */
export async function endReceipt(device: FiscalDevice, till: Till | undefined, end: ReceiptEnd): Promise<PrintedView> {
  const { receipt } = device
  if (!receipt) throw new WrongCall('no receipt is open')
  if (!till) throw new WrongCall('the receipt is still open: no REST service runs on this device')
  const last = device.counters.papers
  for (const { path, body = {} } of endingCalls(receipt, end)) {
    const answer = await till(path, JSON.stringify(body, exactly))
    if (answer.StatusCode !== 200) return refused(answer, device, last)
  }
  return { ...printedSince(device, last), message: null, errors: [] }
}

function endingCalls(receipt: OpenReceipt, end: ReceiptEnd): readonly ServiceCall[] {
  if (receipt.kind === 'nonFiscal') return [{ path: `/${end}-non-fiscal-receipt` }]
  const { total, paid } = receipt.fiscal
  const isUnpaid = end === 'close' && paid < total
  const rest = { PaymentMode: CASH, Amount: new JsonNumber(formatMoney(total - paid)) }
  return [...(isUnpaid ? [{ path: '/payment', body: rest }] : []), { path: `/${end}-fiscal-receipt` }]
}

const CASH = 0

function refused(answer: TillAnswer, device: FiscalDevice, last: number): PrintedView {
  const { Message = '', Errors = [{ Path: '', Message }] } = answer
  const errors = Errors.map((one) => ({ path: one.Path, message: one.Message }))
  return { ...printedSince(device, last), message: Message, errors }
}

function printedSince({ counters }: FiscalDevice, last: number): Pick<PrintedView, 'document' | 'documents'> {
  const documents = Array.from({ length: Math.max(0, counters.papers - last) }, (_nothing, index) => last + 1 + index)
  return { document: documents.at(-1) ?? null, documents }
}

/** Prints a new document with the content of this one. Rejects with WrongCall if that is impossible. */
export async function printAgain(
  device: FiscalDevice,
  till: Till | undefined,
  document: PaperDocument,
): Promise<PrintedView> {
  const printed = await printCalls(device, till, callsOf(device, document))
  const fresh = printed.document === null ? undefined : device.document(printed.document)
  const isAsBefore = fresh?.total === document.total || printed.errors.length > 0
  return isAsBefore
    ? printed
    : { ...printed, message: 'The total differs from the original: articles have other prices now.' }
}

/** Returns the reason why a document cannot be printed again; `null` if it can. */
export function whyNotAgain(device: FiscalDevice, till: Till | undefined, document: PaperDocument): string | null {
  if (!till) return 'no REST service runs on this device'
  try {
    callsOf(device, document)
    return null
  } catch (problem) {
    if (problem instanceof WrongCall) return problem.message
    throw problem
  }
}

function callsOf(device: FiscalDevice, document: PaperDocument): readonly ServiceCall[] {
  const cannot = (why: string) => new WrongCall(`it cannot be printed again: ${why}`)
  if (document.kind === 'z') throw cannot('a second Z report would close the current day')
  if (document.kind === 'copy' && device.counters.lastReceipt > document.number)
    throw cannot('a device copies only its last receipt, and another receipt has been printed since')
  try {
    return serviceCalls(device, document).calls
  } catch (problem) {
    throw problem instanceof NoServiceCall ? cannot(problem.message) : problem
  }
}
