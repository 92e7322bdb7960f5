import type { Session } from '../link/session.ts'
import type { Questions, Reports } from '../model/printer.ts'
import { ratesByCode } from '../model/receipt.ts'
import { readArchivedZ } from './archive.ts'
import { askConfirmed } from './confirmed-command.ts'
import { closedReceiptUpTo } from './journal.ts'
import * as probes from './probes.ts'
import { writeDate } from './protocol/cells.ts'
import { lastDocument } from './reported-values.ts'
import type { DeviceC } from './session.ts'
import { type RememberedFacts, transactionStatus } from './state.ts'
import type { WireC } from './wire.ts'

export const reports = (
  { look, queryReportedDevice, print, perform }: Session<WireC>,
  remembered: RememberedFacts,
): Questions & Reports => ({
  transactionStatus: () => look((device) => transactionStatus(device, remembered)),
  lastDocument: () => queryReportedDevice(lastDocument),
  lastReceipt: () => queryReportedDevice(lastReceipt),
  copyLastReceipt: () =>
    perform(async (device) => {
      const { text } = await askConfirmed(device, 'duplicate', {}, probes.newDocument('copy'))
      const receiptNumber = await lastReceipt(device)
      device.assertSameDevice()
      return { receiptNumber, raw: text }
    }),
  reportX: () => print((device) => askConfirmed(device, 'reportX', {}, probes.newDocument('x'))),
  /** The answer to the report has no data. Command 73h returns the number and the day of the report. */
  reportZ: () =>
    print(async (device) => {
      await askConfirmed(device, 'reportZ', {}, probes.dayClosed)
      const text = await lastReportZ(device)
      device.assertSameDevice()
      return { text }
    }),
  lastReportZ: () => queryReportedDevice(lastReportZ),
  archivedZ: (number) => look((device) => readArchivedZ(device, number)),
  taxRates: () => look(async (device) => ratesByCode((await device.ask('readTaxRates', {})).values?.rates ?? [])),
  article: (plu) =>
    look(async (device) => {
      const ask = device.edition.name === 'c4' ? { plu } : { plu, option: '1' as const }
      const answer = await device.askUnlessRefused('any', 'readArticle', ask)
      return answer?.values && { plu, name: answer.values.name ?? '', price: answer.values.price ?? 0 }
    }),
})

/**
 * Resolves to the number of the last receipt, or to an empty string if it is unknown. If command 72h B reports none, or
 * one of 0.00, which may have been cancelled, the journal is searched.
 */
async function lastReceipt(device: DeviceC): Promise<string> {
  const last = (await device.askUnlessRefused('any', 'receiptCode', {}))?.values
  if (last !== undefined && last.amount !== 0) return String(last.document)
  const found = await closedReceiptUpTo(device, last?.document ?? (await lastDocument(device)))
  return found === null ? '' : String(found || last?.document || '')
}

/**
 * Resolves to the last receipt that was closed and not cancelled; null if unknown. The journal is searched only if
 * `search` is true.
 */
export async function closedReceipt(device: DeviceC, search: boolean): Promise<number | null> {
  const last = (await device.askUnlessRefused('any', 'receiptCode', {}))?.values
  if (last !== undefined && last.amount !== 0) return last.document
  return search ? closedReceiptUpTo(device, await lastDocument(device)) : null
}

async function lastReportZ(device: DeviceC): Promise<string> {
  const { values } = await device.ask('lastZ', {})
  return values ? `${values.number};${values.day === undefined ? '' : writeDate(values.day)}` : ''
}
