import type { FiscalPrinter } from '../../../drivers/index.ts'
import { formatMoney } from '../../../drivers/model/money.ts'
import { hexOf } from '../../../drivers/wire/charset.ts'
import type { FrameView } from '../../../emulator/panel/contract.ts'
import { type FrameDecoder, readFrames } from '../../line/frames.ts'
import type { Piece } from '../../line/piece.ts'
import {
  type DeviceReader,
  type PrintedKind,
  reportedDay,
  reportedZ,
  type Sums,
  UNREPORTED_DAY,
} from '../device-sums.ts'
import type { HttpCall, Pending } from '../inject.ts'
import { hundredths } from '../match.ts'
import { TargetUnreachable } from './target.ts'

type Ask = <T>(question: (printer: FiscalPrinter) => Promise<T>) => Promise<T>

const KINDS = { None: null, NonFiscal: 'nonFiscal', Fiscal: 'fiscal', Invoice: 'invoice' } as const

/** `piecesOfLine` returns all recorded traffic. */
export function readerOfDriver(ask: Ask, piecesOfLine: () => readonly Piece[], meaning: FrameDecoder): DeviceReader {
  return {
    numbers: () =>
      ask(async (printer) => {
        const { lastDocument, lastZ } = await printer.evidence()
        return { lastDocument, lastZ }
      }),
    day: () => ask(async (printer) => (printer.daySums ? reportedDay(await printer.daySums()) : UNREPORTED_DAY)),
    openReceipt: () =>
      ask(async (printer) => {
        const { open } = await printer.evidence()
        if (!open) return null
        const { kind, number, items, total, paid } = open
        return { kind: KINDS[kind], number, items, total: amount(total), paid: amount(paid) }
      }),
    zReport: (number) =>
      ask(async (printer) => {
        const z = await printer.archivedZ(number)
        return z && reportedZ(z)
      }),
    documents: (first, last) =>
      ask(async (printer) => {
        if (!printer.documentOf) return null
        if (last - first >= DOCUMENTS_MAX)
          throw new Error(
            `the device reports ${last - first + 1} new documents (${first} to ${last}); at most ${DOCUMENTS_MAX} can be read: split the scenario`,
          )
        const documents: PrintedKind[] = []
        for (let number = first; number <= last; number++) {
          const facts = await printer.documentOf(number)
          documents.push({ number, kind: facts?.kind ?? null })
        }
        return documents
      }),
    frames: () => framesOf(piecesOfLine(), meaning),
  }
}

/** Maximum number of documents: each of them costs a query, and no scenario prints as many. */
const DOCUMENTS_MAX = 20_000

const amount = (value: number | null): string | null => (value === null ? null : formatMoney(value))

const framesOf = (pieces: readonly Piece[], meaning: FrameDecoder): readonly FrameView[] =>
  readFrames(pieces, meaning)
    .filter(({ kind }) => kind === 'frame')
    .map(({ at, direction, bytes, command, fields, status }, index) => ({
      id: index + 1,
      at: new Date(at).toISOString(),
      direction,
      hex: hexOf(bytes),
      command,
      fields,
      status,
    }))

type Values = Readonly<Record<string, unknown>>

/** The REST interface reports only the open receipt and archived Z reports. */
export function readerOverRest(call: (call: HttpCall) => Pending): DeviceReader {
  const ask = async (method: string, path: string): Promise<{ readonly status: number; readonly data: Values }> => {
    const answer = await call({ method, path: `/api${path}` }).answer
    if (!answer) throw new TargetUnreachable('the service did not answer: check that it is running, and its log')
    const { StatusCode, Data, Message } = JSON.parse(answer.text) as Values
    if (StatusCode !== 200 && StatusCode !== 404) throw new Error(String(Message))
    return { status: Number(StatusCode), data: (Data ?? {}) as Values }
  }
  const zReport = async (number: number): Promise<Sums | undefined> => {
    const { status, data } = await ask('get', `/ask-for-z-report-structured-information/${number}`)
    return status === 404 ? undefined : zOfAnswer(data)
  }
  return {
    async numbers() {
      return { lastDocument: null, lastZ: await lastOf(async (number) => (await zReport(number)) !== undefined) }
    },
    day: async () => UNREPORTED_DAY,
    async openReceipt() {
      const { data } = await ask('post', '/status-of-the-fiscal-transaction')
      if (data['IsOpen'] !== true) return null
      const { Kind, ReceiptNumber, ItemsCount, Total, Paid } = data
      return {
        kind: KINDS[Kind as keyof typeof KINDS] ?? null,
        number: ReceiptNumber === null ? null : Number(ReceiptNumber),
        items: ItemsCount as number | null,
        total: sum(Total),
        paid: sum(Paid),
      }
    },
    zReport,
    documents: async () => null,
    frames: () => null,
  }
}

function sum(value: unknown): string | null {
  const read = hundredths(value)
  return read === undefined ? null : amount(read)
}

function zOfAnswer(data: Values): Sums {
  const counted = (value: unknown) => {
    const { Count = null, Amount } = (value ?? {}) as Values
    return value === null || value === undefined ? null : { count: Count as number | null, amount: sum(Amount) }
  }
  const rows = (value: unknown) => (Array.isArray(value) ? (value as readonly Values[]) : null)
  const payments = rows(data['Payments'])
  return {
    number: Number(data['Number']),
    total: sum(data['Total']),
    taxes: Object.fromEntries((rows(data['Taxes']) ?? []).map((one) => [String(one['Letter']), sum(one['Turnover'])])),
    payments: payments && Object.fromEntries(payments.map((one) => [String(one['PaymentMode']), sum(one['Amount'])])),
    discounts: counted(data['Discounts']),
    surcharges: counted(data['Surcharges']),
    voids: counted(data['Voids']),
    cashIn: sum(data['CashIn']),
    cashOut: sum(data['CashOut']),
    receiptsCount: data['ReceiptsCount'] as number | null,
    firstReceipt: data['FirstReceipt'] as number | null,
    lastReceipt: data['LastReceipt'] as number | null,
  }
}

/** Maximum number of Z reports: more than any fiscal memory stores. */
const Z_REPORTS_MAX = 16_384

/** Finds the last Z report by a binary search, because numbers begin with 1 and have no gaps. */
async function lastOf(isThere: (number: number) => Promise<boolean>): Promise<number> {
  let [there, missing] = [0, 1]
  while (await isThere(missing)) {
    if (missing >= Z_REPORTS_MAX) throw new Error('the service reports more Z reports than any device can store')
    ;[there, missing] = [missing, missing * 2]
  }
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2)
    if (await isThere(middle)) there = middle
    else missing = middle
  }
  return there
}
