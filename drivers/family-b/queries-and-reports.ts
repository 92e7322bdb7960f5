import type { DriverSettings } from '../family.ts'
import { LOOK_BACK } from '../link/closed-receipt.ts'
import type { DeviceClient } from '../link/protocol-adapter.ts'
import { openedNumber } from '../link/same-device.ts'
import type { Session } from '../link/session.ts'
import { refused } from '../model/errors.ts'
import { documentIn } from '../model/journal-text.ts'
import type { Questions, Reports, TransactionStatus } from '../model/printer.ts'
import { ratesByCode, TAX_CODES, type TaxCode } from '../model/receipt.ts'
import { readArchivedZ } from './archive.ts'
import { capabilities } from './capabilities.ts'
import { closedReceiptUpTo, journalOf } from './journal.ts'
import { taxByte } from './protocol/numbers.ts'
import type { DeviceB } from './session.ts'
import type { WireB } from './wire.ts'

const FISCAL_DOCUMENT = 'PF'

export const reports = (
  { look, queryReportedDevice, print, perform }: Session<WireB>,
  settings: DriverSettings,
): Questions & Omit<Reports, 'reportZ'> => ({
  transactionStatus: () => look(transactionStatus),
  lastDocument: () => queryReportedDevice(lastDocument),
  lastReceipt: () => queryReportedDevice(async (device) => (await lastReceipt(device)) ?? ''),
  copyLastReceipt: () =>
    perform(async (device) => {
      const receiptNumber = await lastReceipt(device)
      // The device counts a cancelled receipt as issued. The driver copies none, as on the other families (decisions
      // 3).
      if (receiptNumber === null) throw refused(50, 'notFound', 'nothing was found')
      const { text } = await device.ask('duplicate', { count: 1 })
      return { receiptNumber, raw: text }
    }),
  reportX: () => print((device) => device.ask('dailyReport', { item: 2, keepOperators: false })),
  archivedZ: (number) => look((device) => readArchivedZ(device, number, capabilities(settings).paymentModes)),
  taxRates: () =>
    look(async (device) => {
      const { rates } = (await device.ask('taxRates', {})).values
      return ratesByCode(rates)
    }),
  article: (plu) =>
    look(async (device) => {
      const { values } = await device.ask('article', { do: 'read', plu })
      if (values.result !== 'article') return undefined
      const taxCode = groupOf(values.taxLetter)
      return { plu, name: values.name, price: values.price, ...(taxCode !== undefined && { taxCode }) }
    }),
})

/**
 * Returns the tax code of a letter. If the byte of the first group is a blank, Latin letters mean other groups than
 * usual (sheet 6.2), so only the blank and the Cyrillic letters are certain.
 */
function groupOf(letter: string): TaxCode | undefined {
  if (letter === ' ') return 1
  return TAX_CODES.find((code) => taxByte(FIRST_CYRILLIC, code) === letter)
}
const FIRST_CYRILLIC = '\xc0'

export async function transactionStatus(device: DeviceB): Promise<TransactionStatus> {
  const { values, status, text: raw } = await device.ask('transactionStatus', { payments: true })
  const { items, amount, remainder = 0 } = values
  if (status.flags.has('fiscalReceiptOpen')) {
    const { canVoid, invoice } = (await device.ask('receiptSums', {})).values
    // The device reports a remainder of 0 before the first payment.
    const remaining = canVoid ? amount : remainder
    return {
      isOpen: true,
      kind: invoice ? 'Invoice' : 'Fiscal',
      receiptNumber: String(await lastDocument(device)),
      itemsCount: items,
      total: amount,
      paid: amount - remaining,
      remaining,
      raw,
    }
  }
  const isOpen = status.flags.has('nonFiscalReceiptOpen')
  return {
    isOpen,
    kind: isOpen ? 'NonFiscal' : 'None',
    receiptNumber: isOpen ? String(await lastDocument(device)) : null,
    itemsCount: 0,
    total: 0,
    paid: 0,
    remaining: 0,
    raw,
  }
}

export const lastDocument = async (device: DeviceB): Promise<number> =>
  (await device.ask('lastDocument', {})).values.document

export const numberOfOpened = (device: DeviceB): Promise<number | null> => openedNumber(device, lastDocument)

/**
 * Resolves to the last receipt that was closed and not cancelled; null if unknown. Command 116 reports the last
 * document; earlier documents are searched in the journal if `search` is set. A total of 0.00 in command 116 does not
 * decide, because cancelled receipts have it too.
 */
export async function closedReceipt(device: DeviceB, search: boolean): Promise<number | null> {
  const last = (await device.askUnlessRefused('any', 'lastDocumentQr', {}))?.values
  const [, number, , , amount] = last?.text.split('*') ?? []
  if (last?.result === FISCAL_DOCUMENT && Number(amount) > 0) return Number(number)
  if (!search) return null
  return closedReceiptUpTo(device, await lastDocument(device))
}

/**
 * Resolves to the number of the receipt that a copy duplicates, from command 116 or the journal; to an empty string if
 * neither shows it, and to null if the journal contains only cancelled receipts.
 */
async function lastReceipt(device: DeviceB): Promise<string | null> {
  const receipt = await closedReceipt(device, false)
  if (Number.isSafeInteger(receipt)) return String(receipt)
  const found = await receiptUpTo(device, await lastDocument(device))
  return found === null ? null : String(found ?? '')
}

async function receiptUpTo(device: DeviceB, last: number): Promise<number | null | undefined> {
  let cancelled = 0
  for (let number = last; number > Math.max(0, last - LOOK_BACK); number--) {
    const lines = await journalOf(device, 'fiscal', number)
    if (lines === undefined) return undefined
    if (lines.length === 0) continue
    if (documentIn(lines).kind !== 'cancelled') return number
    cancelled++
  }
  return cancelled > 0 && last <= LOOK_BACK ? null : undefined
}

/**
 * Resolves to the text of the last Z report, in the form in which command 69 returned it. Command 64 returns the same
 * fields, followed by the date.
 */
export async function lastReportZ(device: DeviceClient<WireB>): Promise<string> {
  const { text } = await device.ask('lastFiscalRecord', { sums: 'gross' })
  return text.replace(/,[^,]*$/, '')
}
