/**
 * What became of a request whose answer was lost, found by asking the device (decisions 3, "Outcome unknown"): is a
 * receipt open, what was paid, what is the number of the last document. A receipt that a composite request opened is
 * cancelled, or completed once a payment makes that impossible; it is never forgotten.
 */
import { DeviceError } from '../../drivers/model/errors.ts'
import type { Money } from '../../drivers/model/money.ts'
import type { FiscalPrinter, TransactionStatus } from '../../drivers/model/printer.ts'
import type { ProgressRecord } from './progress.ts'

export type Settled =
  /** The fiscal receipt exists. `paidRest`: the rest was paid in cash to be able to close it. */
  | { readonly became: 'closed'; readonly receiptNumber: string; readonly paidRest: boolean }
  /** A receipt had been begun and is now cancelled. */
  | { readonly became: 'cancelled' }
  /** The device carried it out; of its answer this is what the device can still tell. */
  | { readonly became: 'done'; readonly data: SettledData }
  /** The device carried out nothing of it. */
  | { readonly became: 'nothing' }

export type SettledData = string | { readonly ReceiptNumber: string; readonly Raw: string }

/** `PaymentMode` 0 is cash on every family (decisions 4). */
export const CASH = 0

const NOTHING: Settled = { became: 'nothing' }

export const isRefusal = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && error.problem.kind === 'refused'

const SILENCE: ReadonlySet<DeviceError['problem']['kind']> = new Set([
  'outcomeUnknown',
  'noAnswer',
  'atWork',
  'portLost',
  'portMissing',
  'lineNoise',
])

/** The device said nothing that can be relied on; what it was asked for last, or before that, may be carried out. */
export const isSilence = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && SILENCE.has(error.problem.kind)

/** The last document's number; null where the device will not tell it now. */
export async function lastDocument(printer: FiscalPrinter): Promise<number | null> {
  try {
    return await printer.lastDocument()
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** What a step inside a receipt changes; a line of text changes nothing of it, and may be printed once more. */
export const statusText = ({ kind, receiptNumber, raw }: TransactionStatus): string =>
  JSON.stringify([kind, receiptNumber, raw])

/** Told before the command that it announces, so that settling itself may be cut off and begun again. */
export type Announce = (stage: 'cancelling' | 'closing') => void

/** Rejects with DeviceError while the device cannot be asked. */
export async function settle(printer: FiscalPrinter, record: ProgressRecord, announce: Announce): Promise<Settled> {
  if (record.stage === 'before') return NOTHING
  if (record.stage === 'done') return alreadyDone(record)
  const status = await printer.transactionStatus()
  switch (record.undertaking) {
    case 'fiscalReceipt':
      return settleFiscal(printer, record, status, announce)
    case 'nonFiscalReceipt':
      return settleNonFiscal(printer, record, status, announce)
    case 'closeFiscal':
      return status.isOpen ? NOTHING : closedAs(await lastDocument(printer))
    case 'document':
      return (await isNewer(printer, record)) ? done(await readBack(printer, record)) : NOTHING
    case 'step':
      return record.statusBefore !== null && statusText(status) !== record.statusBefore ? done() : NOTHING
  }
}

const done = (data: SettledData = ''): Settled => ({ became: 'done', data })

const alreadyDone = ({ receiptNumber }: ProgressRecord): Settled =>
  receiptNumber === undefined ? done() : { became: 'closed', receiptNumber, paidRest: false }

/** Where the wire tells no number, the answer is empty: what was printed is never invented. */
async function readBack(printer: FiscalPrinter, { readBack: what }: ProgressRecord): Promise<SettledData> {
  if (what === 'zReport') return (await printer.lastReportZ?.()) ?? ''
  if (what === 'lastReceipt') return { ReceiptNumber: (await printer.lastReceipt?.()) ?? '', Raw: '' }
  return ''
}

const closedAs = (number: number | null, paidRest = false): Settled => ({
  became: 'closed',
  receiptNumber: number === null ? '' : String(number),
  paidRest,
})

/** Has the device begun a document since this request began? Without a number to compare with: yes. */
async function isNewer(printer: FiscalPrinter, { documentBefore }: ProgressRecord): Promise<boolean> {
  const last = await lastDocument(printer)
  return documentBefore === null || last === null || last !== documentBefore
}

async function settleFiscal(
  printer: FiscalPrinter,
  record: ProgressRecord,
  status: TransactionStatus,
  announce: Announce,
): Promise<Settled> {
  const newer = await isNewer(printer, record)
  if (!status.isOpen) {
    const couldBeClosed = record.stage === 'paying' || record.stage === 'closing'
    if (couldBeClosed && newer) return closedAs(await lastDocument(printer))
    return record.stage === 'cancelling' ? { became: 'cancelled' } : NOTHING
  }
  // An older receipt that is still open was not opened by this request: it stays as it is.
  if (!newer || status.kind === 'NonFiscal') return NOTHING
  if (status.paid !== null && status.paid > 0) return complete(printer, status, announce)
  announce('cancelling')
  try {
    await printer.cancelFiscal()
    return { became: 'cancelled' }
  } catch (error) {
    if (!isRefusal(error)) throw error
    // A device that was without power for a moment refuses the repeat of what it has done.
    if (!(await printer.transactionStatus()).isOpen) return { became: 'cancelled' }
    // What the wire does not tell, its refusal does: something is paid.
    return complete(printer, status, announce)
  }
}

/** Pays what is left in cash and closes. */
async function complete(
  printer: FiscalPrinter,
  { remaining }: TransactionStatus,
  announce: Announce,
): Promise<Settled> {
  announce('closing')
  const paidRest = remaining !== 0 && (await paysRest(printer, remaining))
  const { receiptNumber } = await printer.closeFiscal()
  return { became: 'closed', receiptNumber, paidRest }
}

async function paysRest(printer: FiscalPrinter, remaining: Money | null): Promise<boolean> {
  try {
    await printer.pay({ mode: CASH })
    return true
  } catch (error) {
    // Where the wire cannot tell what is left, nothing may be left.
    if (remaining === null && isRefusal(error)) return false
    throw error
  }
}

/** What a receipt stands at that could not be brought to its end. */
export type Standing =
  /** Paid: it will be ended, and nothing else. */
  | { readonly stands: 'paid'; readonly receiptNumber: string }
  /** Nothing is paid: it will be cancelled. */
  | { readonly stands: 'unpaid' }

/** Asked after `settle` has failed on a device that answers; undefined: that cannot be told. */
export async function standing(printer: FiscalPrinter, record: ProgressRecord): Promise<Standing | undefined> {
  try {
    const { isOpen, kind, paid } = await printer.transactionStatus()
    if (!isOpen || !(await isNewer(printer, record))) return undefined
    if (record.undertaking === 'nonFiscalReceipt') return { stands: 'unpaid' }
    if (kind === 'NonFiscal') return undefined
    if (paid === 0 && record.stage !== 'closing') return { stands: 'unpaid' }
    const number = await lastDocument(printer)
    const isPaid = record.stage === 'closing' || (paid !== null && paid > 0)
    return isPaid && number !== null ? { stands: 'paid', receiptNumber: String(number) } : undefined
  } catch (error) {
    if (error instanceof DeviceError) return undefined
    throw error
  }
}

async function settleNonFiscal(
  printer: FiscalPrinter,
  record: ProgressRecord,
  status: TransactionStatus,
  announce: Announce,
): Promise<Settled> {
  const newer = await isNewer(printer, record)
  if (!newer) return NOTHING
  if (!status.isOpen) return record.stage === 'closing' ? done() : NOTHING
  if (status.kind !== 'NonFiscal') return NOTHING
  announce('cancelling')
  await printer.cancelNonFiscal()
  return { became: 'cancelled' }
}
