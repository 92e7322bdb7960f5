/** Device evidence by the commands 90, 76, 255, 110 and the electronic journal (sheet 6.6 to 6.8, 6.12, 6.13). */
import type { DeviceClient } from '../link/protocol-adapter.ts'
import { askNumbers, askPresent, openReceiptOf } from '../link/same-device.ts'
import type { Session } from '../link/session.ts'
import { documentTotal } from '../model/journal-text.ts'
import {
  type DaySums,
  type DeviceNumbers,
  type DocumentFacts,
  type Evidence,
  type EvidenceSource,
  UNREPORTED_DAY,
} from '../model/printer.ts'
import { selectedText } from './archive.ts'
import { lastReceipt, numberAt, statusAndLastReceipt } from './queries-and-reports.ts'
import type { DeviceA } from './session.ts'
import type { WireA } from './wire.ts'

export const evidence = (session: Session<WireA>): EvidenceSource => ({
  evidence: ({ thorough = false, of } = {}) =>
    askPresent(session, numbersOf, (device) => evidenceOf(device, thorough), of),
  numbers: () => askNumbers(session, numbersOf),
  documentOf: (number) => session.queryReportedDevice((device) => documentOf(device, number)),
  linesOf: (number) => session.queryReportedDevice((device) => selectedText(device, () => selected(device, number))),
  daySums: () => session.look(daySums),
})

/**
 * Resolves to the numbers of the device. If the answer to command 90 lacks the number of the fiscal memory, the number
 * from the start-up is used, provided that the serial number is the same.
 */
export async function numbersOf(device: DeviceA): Promise<DeviceNumbers> {
  const { values } = await device.ask('deviceInfo', { form: 'tabs', checksum: false })
  const serialNumber = values.serialNumber.trim()
  const { identity } = device.facts
  const fiscalMemoryNumber = identity.serialNumber === serialNumber ? identity.fiscalMemoryNumber : ''
  return { serialNumber, fiscalMemoryNumber: values.fiscalMemoryNumber ?? fiscalMemoryNumber }
}

async function evidenceOf(device: DeviceA, thorough: boolean) {
  const { status, last = await lastReceipt(device) } = await statusAndLastReceipt(device)
  return {
    open: openReceiptOf(status),
    lastDocument: await wholeAt(device, 'nBon'),
    lastReceipt: last === '' ? null : Number(last),
    lastZ: await lastZ(device),
    day: thorough ? await dayOf(device) : UNREPORTED_DAY,
  }
}

export const lastZ = async (device: DeviceClient<WireA>): Promise<number | null> =>
  (await wholeAt(device, 'nZreport')) ?? lastClosure(device)

async function wholeAt(device: DeviceClient<WireA>, parameter: string): Promise<number | null> {
  const number = await numberAt(device, parameter)
  return number === undefined ? null : Number(number)
}

async function lastClosure(device: DeviceClient<WireA>): Promise<number | null> {
  const details = (await device.askUnlessRefused('any', 'deviceDetails', { option: 'lastDocuments' }))?.values
  return details?.form === 'lastDocuments' ? details.closure : null
}

async function dayOf(device: DeviceA): Promise<Evidence['day']> {
  const sales = (await device.askUnlessRefused('any', 'dayCounters', { of: 'sales' }))?.values
  const cash = (await device.askUnlessRefused('any', 'dayCounters', { of: 'cash' }))?.values
  return {
    ...(sales?.form === 'sales'
      ? { turnover: sales.total, receipts: sales.clients }
      : { turnover: null, receipts: null }),
    ...(cash?.form === 'pairs'
      ? { cashIn: cash.firstSum, cashOut: Math.abs(cash.secondSum) }
      : { cashIn: null, cashOut: null }),
  }
}

async function daySums(device: DeviceA): Promise<DaySums> {
  const turnovers = (await device.askUnlessRefused('any', 'daySums', { of: 'turnover' }))?.values.sums
  const paid = (await device.askUnlessRefused('any', 'dayCounters', { of: 'payments' }))?.values
  const adjusted = (await device.askUnlessRefused('any', 'dayCounters', { of: 'adjustments' }))?.values
  const corrected = (await device.askUnlessRefused('any', 'dayCounters', { of: 'corrections' }))?.values
  const { turnover, ...day } = await dayOf(device)
  const pair = adjusted?.form === 'pair' ? adjusted : undefined
  return {
    ...day,
    turnovers: turnovers ?? null,
    total: turnover,
    payments: paid?.form === 'payments' ? paid.amounts.map((amount, paymentMode) => ({ paymentMode, amount })) : null,
    surcharges: pair ? { count: pair.firstCount, amount: Math.abs(pair.firstSum) } : null,
    discounts: pair ? { count: pair.secondCount, amount: Math.abs(pair.secondSum) } : null,
    voids: corrected?.form === 'pair' ? { count: corrected.firstCount, amount: Math.abs(corrected.firstSum) } : null,
  }
}

const ALL_DOCUMENT_TYPES = 0
const KINDS: Readonly<Record<number, DocumentFacts['kind']>> = {
  1: 'fiscal', 2: 'z', 3: 'fiscal', 4: 'nonFiscal', 5: 'cash', 6: 'fiscal', 7: 'fiscal', 8: 'cancelled', 9: 'x',
} // biome-ignore format: a table

export async function documentOf(device: DeviceA, number: number): Promise<DocumentFacts | undefined> {
  const type = await selected(device, number)
  if (type === undefined) return undefined
  const kind = KINDS[type] ?? 'other'
  return { kind, total: kind === 'fiscal' ? await totalOf(device, number) : null }
}

/**
 * Selects a document for further reading of the electronic journal. Resolves to its type; `undefined` if the device
 * does not have it.
 */
async function selected(device: DeviceA, number: number): Promise<number | undefined> {
  if (number < 1 || number > 9_999_999) return undefined
  const values = (
    await device.askUnlessRefused('any', 'journalRead', { option: '0', number, type: ALL_DOCUMENT_TYPES })
  )?.values
  return values?.form === 'document' && values.document === number ? values.type : undefined
}

/**
 * Resolves to the total of a receipt from a row that command 125 returns for tables of other programs (options 9 and
 * 8). The edition ro has no such rows, so the total is read from the text of the document.
 */
async function totalOf(device: DeviceA, number: number): Promise<number | null> {
  if (device.edition.name === 'ro')
    return documentTotal((await selectedText(device, () => selected(device, number))) ?? [])
  const prepared = await device.askUnlessRefused('any', 'journalRead', { option: '9', first: number, last: number })
  const row = prepared && (await device.askUnlessRefused('any', 'journalRead', { option: '8' }))
  return row?.values.form === 'row' && row.values.document === number ? row.values.total : null
}
