import type { DeviceClient } from '../link/protocol-adapter.ts'
import type { Session } from '../link/session.ts'
import type {
  ArchivedZ,
  ProgrammedArticle,
  Questions,
  ReceiptKind,
  Reports,
  TransactionStatus,
} from '../model/printer.ts'
import { ratesByCode } from '../model/receipt.ts'
import { readArchivedZ } from './archive.ts'
import type { DeviceA } from './session.ts'
import { readParameter } from './startup.ts'
import type { WireA } from './wire.ts'

export const reports = ({
  look,
  queryReportedDevice,
  print,
  perform,
}: Session<WireA>): Questions & Omit<Reports, 'reportZ'> => ({
  transactionStatus: () => look(transactionStatus),
  lastDocument: () =>
    queryReportedDevice(async (device) => Number((await numberAt(device, 'nBon')) ?? (await currentDocument(device)))),
  lastReceipt: () => queryReportedDevice(lastReceipt),
  copyLastReceipt: () =>
    perform(async (device) => {
      const { text } = await device.ask('duplicate', {})
      const receiptNumber = await lastReceipt(device)
      device.assertSameDevice()
      return { receiptNumber, raw: text }
    }),
  reportX: () => print((device) => device.ask('report', { option: 'X' })),
  archivedZ: (number) => look((device): Promise<ArchivedZ | undefined> => readArchivedZ(device, number)),
  taxRates: () =>
    look(async (device) => {
      const { rates } = (await device.ask('taxRates', {})).values
      return ratesByCode(rates)
    }),
  article: (plu) => look((device) => article(device, plu)),
})

export async function article(device: DeviceA, plu: number): Promise<ProgrammedArticle | undefined> {
  if (plu < 1 || plu > 999_999) return undefined
  const missing = ['pluNotFound', 'notFound', 'valueField2'] as const
  const answer = await device.askUnlessRefused(missing, 'articles', { option: 'R', item: plu })
  if (answer?.values.form !== 'record') return undefined
  return { plu, name: answer.values.name, price: answer.values.price }
}

export const transactionStatus = async (device: DeviceA): Promise<TransactionStatus> =>
  (await statusAndLastReceipt(device)).status

/** `last`: the number of the last receipt, which is queried only if none is open. */
export async function statusAndLastReceipt(
  device: DeviceA,
): Promise<{ readonly status: TransactionStatus; readonly last: string | undefined }> {
  const { values, text } = await device.ask('transactionStatus', {})
  const isOpen = values.open !== 0
  let kind: ReceiptKind = 'None'
  if (values.open === 5) kind = 'NonFiscal'
  else if (isOpen) kind = (await device.ask('currentReceipt', {})).values.invoice ? 'Invoice' : 'Fiscal'
  // If no receipt is open, command 76 returns the number of the last document, which may be a report, and the sums of
  // the last receipt.
  const last = isOpen ? undefined : await lastReceipt(device)
  const number = last ?? String(values.document)
  const status: TransactionStatus = {
    isOpen,
    kind,
    receiptNumber: number === '0' || number === '' ? null : number,
    itemsCount: values.items,
    total: values.amount,
    paid: values.paid,
    remaining: isOpen ? Math.max(0, values.amount - values.paid) : 0,
    raw: text,
  }
  return { status, last }
}

/** Resolves to the number of the last receipt; to an empty string if the device does not report it. */
export const lastReceipt = async (device: DeviceA): Promise<string> => (await numberAt(device, 'nLastFiscalDoc')) ?? ''

const currentDocument = async (device: DeviceA): Promise<number> =>
  (await device.ask('transactionStatus', {})).values.document

export async function numberAt(device: DeviceClient<WireA>, parameter: string): Promise<string | undefined> {
  const number = await readParameter(device, parameter)
  return number !== undefined && /^\d+$/.test(number) ? number : undefined
}

/**
 * Resolves to the text with which command 69 answered the last Z report: its number, the sums of sales and the sums of
 * reversals. They are read with command 64, which returns them in two answers. In the edition ro, the sum of invoices
 * and their tax take the place of the sums of reversals.
 */
export async function lastReportZ(device: DeviceClient<WireA>): Promise<string> {
  const isRo = device.edition.name === 'ro'
  const sales = await device.ask('lastClosure', { of: 'turnover' })
  const secondAnswer = await device.ask('lastClosure', { of: isRo ? 'tax' : 'reversals' })
  const [sums, rest] = [sales.text.split('\t').slice(0, -1), secondAnswer.text.split('\t').slice(1, -1)]
  return [...sums, ...(isRo ? rest.slice(-1) : rest)].join('\t')
}
