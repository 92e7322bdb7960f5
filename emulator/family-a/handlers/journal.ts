/** Electronic journal (sheet 6.12). */
import { xml } from '../../../drivers/host/markup.ts'
import { formatQuantity } from '../../../drivers/model/money.ts'
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import type { DocumentKind, JournalDocument, ZRecord } from '../../fiscal/types/day.ts'
import { type Context, done, from, type Handlers, type Reply, refused } from '../context.ts'
import type { CsvRow, Session } from '../session.ts'
import { fileName, fileOf, piecesOf, structured } from './closure-files.ts'

const LINE_CHARACTERS = 64

/** Returns the document type for 124 and 125. In requests, 0 means any type and 10 any fiscal receipt. */
function typeOf(document: JournalDocument): number {
  if (document.cash !== undefined) return 5
  const { kind, reversal } = document
  switch (kind) {
    case 'fiscal':
      return reversal ? 6 : 1
    case 'invoice':
      return reversal ? 7 : 3
    case 'z':
      return 2
    case 'nonFiscal':
      return 4
    case 'cancelled':
      return 8
    case 'x':
      return 9
    case 'copy':
    case 'memory':
    case 'service':
      return 0
  }
}

const KINDS: Readonly<Record<number, readonly DocumentKind[]>> = {
  1: ['fiscal'],
  2: ['z'],
  3: ['invoice'],
  4: ['nonFiscal'],
  5: ['service'],
  6: ['fiscal'],
  7: ['invoice'],
  8: ['cancelled'],
  9: ['x'],
  10: ['fiscal', 'invoice'],
}

const matches = (document: JournalDocument, type: number): boolean => {
  const own = typeOf(document)
  return type === 0 || own === type || (type === 10 && [1, 3, 6, 7].includes(own))
}

type Query = Parameters<Context['device']['journal']['documents']>[0]

function documents(context: Context, type: number, query: Query = {}): JournalDocument[] {
  const kinds = KINDS[type]
  return context.device.journal
    .documents({ ...query, ...(kinds && type !== 5 ? { kinds } : {}) })
    .filter((one) => matches(one, type))
}

/** `number` is the number of a Z report for type 2, otherwise a document number. */
function select(context: Context, number: number, type: number): JournalDocument | undefined {
  if (type === 2) return documents(context, 2, { fromZ: number, toZ: number }).find((one) => one.kindNumber === number)
  return documents(context, type, { from: number, to: number })[0]
}

/**
 * Returns the number of a document among those of its kind. The edition ro restarts the numbers of fiscal receipts
 * after each Z report (sheet 9.1).
 */
function numberOf({ device, edition }: Context, { kind, kindNumber, document, z }: JournalDocument): number {
  if (edition.name === 'bg' || (kind !== 'fiscal' && kind !== 'invoice')) return kindNumber
  return device.journal.documents({ fromZ: z, toZ: z, to: document, kinds: ['fiscal', 'invoice'] }).length
}

const answerOf = (context: Context, document: JournalDocument) =>
  ({
    form: 'document',
    document: document.document,
    closureOfNumber: document.z,
    number: numberOf(context, document),
    at: document.at.slice(0, 19),
    type: typeOf(document),
    closure: document.z,
  }) as const

function csvRows(context: Context, matching: readonly JournalDocument[]): CsvRow[] {
  return matching.flatMap((document) => {
    const receipt = context.device.journal.receipt(document.document)
    if (!receipt) return []
    const kind = document.kind === 'cancelled' ? 'cancelled' : receipt.kind === 'reversal' ? 'reversal' : 'sale'
    return receipt.rows.map((_, row) => ({ document: document.document, kind, receipt, row }))
  })
}

function csvAnswer({ device }: Context, { document, kind, receipt, row }: CsvRow) {
  const sold = receipt.rows[row]
  return done({
    form: 'row',
    device: device.numbers.serialNumber,
    kind,
    document,
    saleNumber: receipt.saleNumber ?? '',
    name: sold?.name ?? '',
    price: sold?.price ?? 0,
    quantity: formatQuantity(sold?.void ? -sold.quantity : (sold?.quantity ?? 0)),
    value: sold?.amount ?? 0,
    total: receipt.total,
    invoice: receipt.invoiceNumber === undefined ? '' : String(receipt.invoiceNumber),
    buyer: receipt.customer?.taxNumber ?? '',
    reversedReceipt: receipt.extra?.original ?? '',
    reversedInvoice: receipt.extra?.toInvoice ?? '',
    reason: receipt.extra?.reasonText ?? receipt.reason ?? '',
  } as const)
}

/**
 * Returns the refusal after the last line or piece. The switch `journalEnd` selects it; by default, the edition does.
 */
const endOf = ({ edition, switches: { journalEnd } }: Context) =>
  refused(journalEnd === 'edition' ? edition.endOfReading : journalEnd)

export function nextOf(context: Context, what: keyof Session['lines']): Reply<{ form: 'text'; text: string }> {
  const text = context.session.lines[what].shift()
  return text === undefined ? endOf(context) : done({ form: 'text', text })
}

/** A line is cut to the maximum length of an answer; pieces are already short enough. */
function next(context: Context, what: 'lines' | 'pieces'): Reply<{ form: 'text'; text: string }> {
  const { session } = context
  const { reading } = session
  if (!reading) return endOf(context)
  const at = what === 'lines' ? reading.line : reading.piece
  const text = reading[what][at]
  if (text === undefined) return endOf(context)
  session.reading = what === 'lines' ? { ...reading, line: at + 1 } : { ...reading, piece: at + 1 }
  return done({ form: 'text', text: what === 'lines' ? text.slice(0, LINE_CHARACTERS) : text })
}

const documentsOfClosures = (context: Context, first: number, last: number): readonly JournalDocument[] =>
  context.device.journal.documents({ fromZ: first, toZ: last })

/**
 * Returns one line per document. The layout is the emulator's own, because the content of this log is not published.
 */
const logLines = (documents: readonly JournalDocument[]): string[] =>
  documents.map(
    ({ at, document, kind, z }) =>
      `${at.slice(0, 19).replace('T', ' ')} ${String(z).padStart(4, '0')} ${String(document).padStart(7, '0')} ${kind}`,
  )

/** Selects Z reports by date if both bounds are dates, by number if both are numbers, and otherwise none. */
function exported({ device }: Context, first: string, last: string): readonly ZRecord[] {
  const dates = [dayOf(first), dayOf(last)] as const
  if (dates[0] && dates[1]) return device.memory.zsByDate(dates[0], dates[1])
  return /^\d{1,4}$/.test(first) && /^\d{1,4}$/.test(last) ? device.memory.zs(Number(first), Number(last)) : []
}

/** Converts `DD-MM-YY`, alone or followed by a time, to `YYYY-MM-DD`. */
function dayOf(text: string): string | undefined {
  const match = /^(\d\d)-(\d\d)-(\d\d)(?: |$)/.exec(text)
  return match ? `20${match[3]}-${match[2]}-${match[1]}` : undefined
}

export const journal = {
  journalSearch(context, { from: fromTime, to: toTime, type = 0 }) {
    const matching = documents(context, type, omitUndefined({ fromTime, toTime }))
    const [first, last] = [matching[0], matching.at(-1)]
    if (!first || !last) return refused('ejNoRecords')
    const numberOf = (one: JournalDocument) => (type === 2 ? one.kindNumber : one.document)
    return done({
      from: fromTime ?? first.at.slice(0, 19),
      to: toTime ?? last.at.slice(0, 19),
      firstClosure: first.z,
      first: numberOf(first),
      lastClosure: last.z,
      last: numberOf(last),
    })
  },

  journalRead(context, ask) {
    const { device, session } = context
    switch (ask.option) {
      case '0': {
        const document = select(context, ask.number, ask.type)
        session.reading = undefined
        if (!document) return refused('ejNoRecords')
        const lines = device.journal.linesOf(document.document)
        session.reading = { lines, line: 0, pieces: structured(context, document), piece: 0 }
        return done(answerOf(context, document))
      }
      case '1':
        return next(context, 'lines')
      case '2':
        return next(context, 'pieces')
      case '3': {
        const document = select(context, ask.number, ask.type)
        if (!document) return refused('ejNoRecords')
        const lines = device.journal.linesOf(document.document).map((text) => ({ text }))
        return from(device.printReport('memory', lines), () => ({ form: 'none' }) as const)
      }
      case '8': {
        const row = session.rows.shift()
        return row ? csvAnswer(context, row) : endOf(context)
      }
      case '9': {
        session.rows = []
        if (ask.last < ask.first) return refused('valueField3')
        const matching = documents(context, 0, { from: ask.first, to: ask.last })
        const [document] = matching
        if (!document) return refused('ejNoRecords')
        session.rows = csvRows(context, matching)
        return done(answerOf(context, document))
      }
      case '10':
      case '13':
      case '20': {
        if (ask.last < ask.first) return refused('valueField3')
        const matching = documentsOfClosures(context, ask.first, ask.last)
        if (matching.length === 0) return refused('ejNoRecords')
        const none = () => ({ form: 'none' }) as const
        if (ask.option === '13') {
          const lines = logLines(matching).map((text) => ({ text }))
          return from(device.printReport('memory', lines), none)
        }
        if (ask.option === '10') session.lines.log = logLines(matching)
        else session.lines.journal = matching.flatMap(({ document }) => device.journal.linesOf(document))
        return done(none())
      }
      case '11':
        return nextOf(context, 'log')
      case '21':
        return nextOf(context, 'journal')
    }
  },

  exportFiles(context, ask) {
    const { device, session } = context
    if (ask.option === '1') return nextOf(context, 'files')
    const { first, last } = ask
    if (last === undefined) {
      const named = device.memory.zs(1, device.counters.lastZ).find((z) => fileName(z) === first)
      if (!named) return refused('notFound')
      session.lines.files = piecesOf(fileOf(context, named))
      return done({ form: 'none' })
    }
    const closures = exported(context, first, last)
    if (closures.length === 0) return refused('fmEmptyRange')
    session.lines.files = piecesOf(
      String(xml`<files>${closures.map((z) => xml`<file name="${fileName(z)}"/>`)}</files>`),
    )
    return done({ form: 'none' })
  },
} satisfies Partial<Handlers>
