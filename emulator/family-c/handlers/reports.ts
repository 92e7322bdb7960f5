/** Reports of the day (sheet 4.12), of the fiscal memory and of the journal (sheet 4.15), on paper or as a stream. */
import { digits, writeTime } from '../../../drivers/family-c/protocol/cells.ts'
import type { JournalAsk, MemoryRange } from '../../../drivers/family-c/protocol/commands/reports.ts'
import { formatMoney, formatPercent, formatQuantity } from '../../../drivers/model/money.ts'
import type { TextLine } from '../../../drivers/model/receipt.ts'
import { hasTurnover } from '../../fiscal/articles.ts'
import type { DocumentKind, FiscalMemoryEvent, JournalDocument } from '../../fiscal/types/day.ts'
import { type Context, done, from, type Handlers, type Reply, streamedAnswer, syntax } from '../context.ts'
import { markReport } from '../unzeroed-reports.ts'

const column = ({ device }: Context, label: string, value: string): TextLine => {
  const width = device.profile.lineWidth
  const room = Math.max(1, width - value.length - 1)
  return { text: `${label.slice(0, room).padEnd(room)} ${value}` }
}

function printed(
  context: Context,
  kind: 'X' | 'Z',
  lines: readonly TextLine[],
  mark: Parameters<typeof markReport>[1],
  clear: () => void,
): Reply<undefined> {
  const outcome = context.device.printReport('service', lines)
  if (outcome.ok && kind === 'Z') {
    clear()
    markReport(context, mark)
  }
  return from(outcome)
}

function articleReport(context: Context, kind: 'X' | 'Z'): Reply<undefined> {
  const { device } = context
  const lines: TextLine[] = [{ text: `ARTICLE REPORT ${kind}` }]
  let total = 0
  for (const article of device.articles.all()) {
    if (!hasTurnover(article)) continue
    const { sold, turnover, reversed } = article
    total += turnover
    lines.push({ text: `${digits(article.plu, 5)} ${article.name}` })
    lines.push(column(context, `  ${formatQuantity(sold)}`, formatMoney(turnover)))
    if (!reversed) continue
    lines.push(column(context, `  STORNO ${formatQuantity(reversed.quantity)}`, formatMoney(reversed.amount)))
  }
  lines.push(column(context, 'TOTAL', formatMoney(total)))
  return printed(context, kind, lines, 'articles', () =>
    device.articles.clearTurnover(1, device.profile.articles.maxNumber),
  )
}

function departmentReport(context: Context, kind: 'X' | 'Z'): Reply<undefined> {
  const { device } = context
  const lines: TextLine[] = [{ text: `DEPARTMENT REPORT ${kind}` }]
  for (let number = 1; number <= device.profile.departments; number++) {
    const { sales, reversals } = device.registers.departmentTotals(number)
    if (sales.count === 0 && reversals.count === 0) continue
    const { name } = device.registers.department(number)
    lines.push(
      column(
        context,
        `${digits(number, 2)} ${name}`,
        `${sales.count}  ${formatMoney(sales.amount - reversals.amount)}`,
      ),
    )
  }
  return printed(context, kind, lines, 'departments', () => device.registers.clearDepartmentTotals())
}

function operatorReport(context: Context, kind: 'X' | 'Z', operator: number): Reply<undefined> {
  const { device } = context
  // A Z report clears all operators at once (sheet 4.12).
  if (kind === 'Z' && operator !== 0) return syntax
  const [first, last] = operator === 0 ? [1, device.profile.operators] : [operator, operator]
  const lines: TextLine[] = [{ text: `OPERATOR REPORT ${kind}` }]
  for (let code = first; code <= last; code++) {
    const totals = device.registers.operatorTotals(code)
    if (operator === 0 && totals.receipts === 0 && totals.cashIn.count + totals.cashOut.count === 0) continue
    lines.push({ text: `${digits(code, 2)} ${device.registers.operator(code)?.name ?? ''}` })
    lines.push(
      column(context, '  RECEIPTS', String(totals.receipts)),
      column(context, '  TURNOVER', formatMoney(totals.total)),
    )
    lines.push(column(context, '  CASH IN', formatMoney(totals.cashIn.amount)))
    lines.push(column(context, '  CASH OUT', formatMoney(totals.cashOut.amount)))
  }
  return printed(context, kind, lines, 'operators', () =>
    device.registers.clearOperatorTotals(1, device.profile.operators),
  )
}

const daily = ({ device }: Context, kind: 'X' | 'Z'): Reply<undefined> =>
  from(kind === 'X' ? device.reportX() : device.reportZ())

const day = (text: string): string => `20${text.slice(4, 6)}-${text.slice(2, 4)}-${text.slice(0, 2)}`

function memoryRange(
  { device }: Context,
  ask: MemoryRange,
  by: 'block' | 'date',
): { from: number; to: number } | undefined {
  const records =
    by === 'block'
      ? device.memory.zs(Number(ask.from), Number(ask.to))
      : device.memory.zsByDate(day(ask.from), day(ask.to))
  const [first, last] = [records[0], records[records.length - 1]]
  return first && last ? { from: first.number, to: last.number } : undefined
}

/**
 * Reports a range of the fiscal memory. A range without Z reports is refused with 30/34 (sheet 4.15). Storage 8 is the
 * host; 2 and 4 are media, for which nothing is printed.
 */
function memoryReport(context: Context, ask: MemoryRange, by: 'block' | 'date', detailed: boolean): Reply<undefined> {
  const { device } = context
  const range = memoryRange(context, ask, by)
  if (!range) return syntax
  if (ask.storage === '8') return streamedAnswer(device.memoryReportLines(range.from, range.to, detailed))
  if (ask.storage !== undefined) return done()
  if (!ask.payments) return from(device.printMemoryReport(range.from, range.to, detailed))
  const names = device.registers.payments
  const lines = device.memory
    .zs(range.from, range.to)
    .flatMap((z) => [
      column(context, `Z REPORT ${digits(z.number, 4)}`, writeTime(z.at)),
      ...names.map(({ mode, name }) => column(context, name, formatMoney(z.payments[mode] ?? 0))),
    ])
  return from(device.printReport('memory', [{ text: 'FISCAL MEMORY PAYMENTS' }, ...lines]))
}

function eventLine(event: FiscalMemoryEvent): string | undefined {
  switch (event.kind) {
    case 'fiscalised':
      return `${writeTime(event.at)} FISCALISED`
    case 'taxRates':
      return `${writeTime(event.at)} VAT ${event.rates.map((rate) => formatPercent(rate ?? -100)).join(' ')}`
    case 'header':
      return `${writeTime(event.at)} HEADER`
    case 'ramReset':
      return `${writeTime(event.at)} RAM RESET`
    case 'z':
      return undefined
  }
}

/** Types of blocks in 75h. Type 4 is published as the daily report; the emulator defines the others. */
const BLOCK_TYPES = { fiscalised: '1', ramReset: '2', taxRates: '3', z: '4', header: '5' } as const

function blockData(event: FiscalMemoryEvent): string {
  switch (event.kind) {
    case 'fiscalised':
      return `${event.serialNumber};${event.taxNumber}`
    case 'taxRates':
      return event.rates.map((rate) => `${formatPercent(rate ?? -100)}%`).join(';')
    case 'header':
      return event.lines.join(';')
    case 'ramReset':
      return ''
    case 'z': {
      const { z } = event
      const turnover = z.taxes.map((tax) => formatMoney(tax.turnover))
      const classes = Array.from({ length: 8 }, (_, index) => turnover[index] ?? '0.00')
      const tax = z.taxes.reduce((total, each) => total + each.tax, 0)
      return [digits(z.number, 4), digits(z.document - 1, 6), ...classes, formatMoney(z.total), formatMoney(tax)].join(
        ';',
      )
    }
  }
}

function kindsOf({ custom }: JournalAsk): ((document: JournalDocument) => boolean) | undefined {
  if (!custom) return undefined
  const fiscal = (bit: number) => ((custom.fiscal >> bit) & 1) === 1
  const other = (bit: number) => ((custom.other >> bit) & 1) === 1
  const isChosen: Readonly<Record<DocumentKind, (document: JournalDocument) => boolean>> = {
    fiscal: ({ reversal }) => fiscal(reversal ? 2 : 0),
    invoice: ({ reversal }) => fiscal(reversal ? 3 : 1),
    service: ({ cash }) => (cash === undefined ? other(3) : fiscal(cash.direction === 'in' ? 4 : 5)),
    copy: () => other(0),
    z: () => other(1),
    x: () => other(2),
    nonFiscal: () => other(3),
    cancelled: () => other(3),
    memory: () => other(4),
  }
  return (document) => isChosen[document.kind](document)
}

function journalDocuments({ device }: Context, ask: JournalAsk): readonly JournalDocument[] {
  const { from = '', to = '' } = ask
  switch (ask.by) {
    case '*':
      return device.journal.documents({})
    case 'N':
      return device.journal.documents({ from: Number(from), to: Number(to) })
    case 'Z':
      return device.journal.documents({ fromZ: Number(from), toZ: Number(to) })
    case 'D':
      return device.journal.documents({ fromTime: `${day(from)}T00:00:00`, toTime: `${day(to)}T23:59:59` })
  }
}

/**
 * Returns fiscal receipts as CSV, one row per sale. The columns are the emulator's own, because no format is published.
 */
function csv({ device }: Context, documents: readonly JournalDocument[]): string[] {
  return documents.flatMap(({ document, at, kind }) =>
    (device.journal.receipt?.(document)?.rows ?? []).map(
      (row) =>
      [
        digits(document, 6), writeTime(at), kind, row.name.replaceAll('|', ' '), String(row.taxCode), formatMoney(row.price),
        formatQuantity(row.void ? -row.quantity : row.quantity), formatMoney(row.amount),
      ].join(','), // biome-ignore format: one row
    ),
  )
}

function journal(context: Context, ask: JournalAsk): Reply<undefined> {
  const { device } = context
  const isChosen = kindsOf(ask)
  const all = journalDocuments(context, ask)
  const documents = isChosen ? all.filter(isChosen) : all
  if (all.length === 0 && ask.by !== '*') return syntax
  if (ask.target === '2' || ask.target === '4') return done()
  const lines =
    ask.custom?.form === 'C'
      ? csv(context, documents)
      : documents.flatMap(({ document }) =>
          ask.target === '8' ? device.journal.linesOf(document).slice(0, 4) : device.journal.linesOf(document),
        )
  if (ask.target === '1')
    return from(
      device.printReport(
        'service',
        lines.map((text) => ({ text })),
      ),
    )
  return streamedAnswer(lines, { raw: ask.custom?.form === 'C' })
}

export const reports = {
  reportX: (context) => daily(context, 'X'),
  reportZ: (context) => daily(context, 'Z'),
  // The journal is an electronic memory and not a tape, so that `E` clears nothing (sheet 4.12).
  paperJournal: ({ device }) => from(device.printReport('service', [{ text: 'JOURNAL' }])),
  journalRead: journal,
  articleDailyReport(context, { kind }) {
    const reply = articleReport(context, kind)
    return reply.ok ? daily(context, kind) : reply
  },
  departmentReport: (context, { kind }) => departmentReport(context, kind),
  articleReport: (context, { kind }) => articleReport(context, kind),
  operatorReport: (context, { kind, operator }) => operatorReport(context, kind, operator),
  memoryEvents(context, { payments }) {
    const { device } = context
    const lines = device.memory.events().flatMap((event) => eventLine(event) ?? [])
    const names = payments ? device.registers.payments.map(({ mode, name }) => `${mode} ${name}`) : []
    return from(
      device.printReport(
        'memory',
        ['SPECIAL EVENTS', ...lines, ...names].map((text) => ({ text })),
      ),
    )
  },
  memoryReport: (context, ask) => memoryReport(context, ask, 'block', true),
  archivedZ: (context, ask) => memoryReport(context, ask, 'block', true),
  memoryReportBrief: (context, ask) => memoryReport(context, ask, 'block', false),
  memoryReportByDate: (context, ask) => memoryReport(context, ask, 'date', true),
  memoryReportByDateBrief: (context, ask) => memoryReport(context, ask, 'date', false),
  electronicReceipt({ device }, { document }) {
    const lines = device.journal.linesOf(document)
    return lines.length === 0 ? syntax : streamedAnswer(lines)
  },
  memoryDump({ device }) {
    const lines = device.memory.events().map((event, index) => {
      const at = event.kind === 'z' ? event.z.at : event.at
      return `${digits(index + 1, 4)}${BLOCK_TYPES[event.kind]}${writeTime(at)}0${blockData(event)}`
    })
    return streamedAnswer(lines, { raw: true, end: `${digits(lines.length + 1, 4)}@` })
  },
} satisfies Partial<Handlers>
