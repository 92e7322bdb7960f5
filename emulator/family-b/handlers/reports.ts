/** Reports on paper or as streamed lines (sheet 10.7 to 10.9). */
import { type DailyReportRequest, isX, isZ } from '../../../drivers/family-b/protocol/commands/reports.ts'
import {
  JOURNAL_END,
  REPORT_END,
  writeJournalLine,
  writeReportLine,
} from '../../../drivers/family-b/protocol/commands/stream.ts'
import { formatMoney, formatPercent, formatQuantity } from '../../../drivers/model/money.ts'
import type { TextLine } from '../../../drivers/model/receipt.ts'
import type { DocumentKind } from '../../fiscal/types/day.ts'
import { type Context, done, error, type Handlers, type Reply, refused } from '../context.ts'
import { closureList } from '../day-lists.ts'
import { blocked } from '../document-blockers.ts'
import { PARAMETERS, parameterOf, zClears } from '../parameters.ts'
import { REASONS } from '../refusals.ts'
import { wrongOperator } from './receipt.ts'

/** Time after 153, in ms, within which the next report is sent as text. */
const TEXT_MODE_MS = 5_000

/** Returns true if the next report must be sent instead of printed. Clears this request of 153. */
function takesText({ session, device }: Context): boolean {
  const until = session.textUntil
  session.textUntil = undefined
  return until !== undefined && device.now() <= until
}

type Empty = undefined

function streamed(context: Context, lines: readonly TextLine[]): Reply<Empty> {
  const { page } = context.edition
  const out = lines.map(({ text, bold }, index) => writeReportLine(index + 1, text, bold === true, page))
  return { ...done(), stream: [...out, REPORT_END] }
}

function report(context: Context, kind: DocumentKind, lines: readonly TextLine[]): Reply<Empty> {
  if (takesText(context)) return streamed(context, lines)
  const outcome = context.device.printReport(kind, lines)
  return outcome.ok ? done() : refused(REASONS[outcome.refusal])
}

const withResult = (reply: Reply<Empty>): Reply<{ done: boolean }> =>
  reply.ok ? { ...reply, values: { done: true } } : reply

const title = (text: string): TextLine => ({ text, bold: true })
const line = (text: string): TextLine => ({ text })

function operatorLines({ device }: Context, codes: readonly number[]): TextLine[] {
  return codes.flatMap((code) => {
    const { receipts, total, discounts, surcharges, voids } = device.registers.operatorTotals(code)
    if (receipts === 0) return []
    return [
      line(`${code} ${device.registers.operator(code)?.name ?? ''}`),
      line(`  ${receipts} x = ${formatMoney(total)}`),
      line(
        `  - ${discounts.count} ${formatMoney(discounts.amount)} + ${surcharges.count} ${formatMoney(surcharges.amount)}`,
      ),
      line(`  CORRECTION ${voids.count} ${formatMoney(voids.amount)}`),
    ]
  })
}

function articleLines({ device }: Context, from: number, to: number): TextLine[] {
  const lines: TextLine[] = []
  for (let article = device.articles.next(from, 'up', 'sold'); article && article.plu <= to; ) {
    const { plu, name, sold, turnover } = article
    lines.push(line(`${plu} ${name}`), line(`  ${formatQuantity(sold)} = ${formatMoney(turnover)}`))
    article = device.articles.next(plu + 1, 'up', 'sold')
  }
  return lines
}

function departmentLines({ device }: Context): TextLine[] {
  const lines: TextLine[] = []
  for (let number = 1; number <= device.profile.departments; number++) {
    const { sales, reversals } = device.registers.departmentTotals(number)
    if (sales.count === 0 && reversals.count === 0) continue
    const { name } = device.registers.department(number)
    lines.push(line(`${number} ${name}`), line(`  ${sales.count} x = ${formatMoney(sales.amount)}`))
    if (reversals.count > 0) lines.push(line(`  REFUND ${reversals.count} x = ${formatMoney(reversals.amount)}`))
  }
  return lines
}

function parameterLines({ device }: Context): TextLine[] {
  return Object.entries(PARAMETERS).map(([number, { meaning }]) =>
    line(`${number.padStart(2, '0')} ${meaning}: ${parameterOf(device, Number(number))}`),
  )
}

function diagnosticLines({ device, edition }: Context): TextLine[] {
  const { profile, numbers, memory, counters } = device
  return [
    line(edition.firmware(profile)),
    line(`SN ${numbers.serialNumber}`),
    line(`FM ${numbers.fiscalMemoryNumber}`),
    line(`Z ${counters.lastZ}, free ${memory.remaining}`),
    line(`RAM resets ${counters.ramResets}`),
  ]
}

const everyOperator = ({ device }: Context): number[] =>
  Array.from({ length: device.profile.operators }, (_, index) => index + 1)

const WITHOUT_PAPER = 6

function daily(context: Context, { item = 0, keepOperators }: DailyReportRequest) {
  const { device, edition } = context
  if (item === 5) {
    return done({ kind: 'journal' as const, free: device.journal.remaining, total: device.profile.journalCapacity })
  }
  const stop = blocked(context, isZ(item) ? ['fiscalMemory', 'clock', 'journal'] : [])
  if (stop) return stop
  if (!isZ(item) && !isX(item)) {
    const outcome = device.printReport('service', [title('DEPARTMENTS'), ...departmentLines(context)])
    return outcome.ok ? done({ kind: 'none' as const }) : refused(REASONS[outcome.refusal])
  }
  const outcome = isZ(item) ? device.reportZ({ onPaper: item !== WITHOUT_PAPER }) : device.reportX()
  if (!outcome.ok) return refused(REASONS[outcome.refusal])
  const record = outcome.value
  if (isZ(item)) {
    if (zClears(device, 'operators') && !keepOperators)
      device.registers.clearOperatorTotals(1, device.profile.operators)
    if (zClears(device, 'articles')) device.articles.clearTurnover(1, device.profile.articles.maxNumber)
  }
  // Sheet 10.7: before the first Z report, an X report answers 0000.
  const closure = !isZ(item) && device.counters.lastZ === 0 ? 0 : record.number
  return done({ kind: 'report' as const, closure, ...closureList(edition, [record], 'gross') })
}

function memory(context: Context, from: number, to: number, detailed: boolean): Reply<Empty> {
  const { device, edition, session } = context
  if (edition.memoryReportsLocked && !session.memoryUnlocked) return error(118)
  if (from > to) return error(21)
  if (takesText(context)) return streamed(context, device.memoryReportLines(from, to, detailed).map(line))
  const outcome = device.printMemoryReport(from, to, detailed)
  return outcome.ok ? done() : refused(REASONS[outcome.refusal])
}

/** Reports the Z records of a period. The device prints a document even if the period has no Z report. */
function memoryByDate(context: Context, from: string, to: string, detailed: boolean): Reply<Empty> {
  if (from > to) return error(21)
  const records = context.device.memory.zsByDate(from, to)
  return memory(context, records[0]?.number ?? 0, records.at(-1)?.number ?? 0, detailed)
}

export const reports = {
  dailyReport: daily,
  dailyReportWithArticles(context, ask) {
    const { device } = context
    const stop = blocked(context, isZ(ask.item ?? 0) ? ['fiscalMemory', 'clock', 'journal'] : [])
    if (stop) return stop
    if (ask.item === WITHOUT_PAPER) return daily(context, ask)
    const articles = articleLines(context, 1, device.profile.articles.maxNumber)
    const outcome = device.printReport('service', [title('ARTICLES'), ...articles])
    return outcome.ok ? daily(context, ask) : refused(REASONS[outcome.refusal])
  },

  memoryReportByNumber: (context, { from, to }) => memory(context, from, to, true),
  memoryReportShortByNumber: (context, { from, to }) => memory(context, from, to, false),
  memoryReportByDate: (context, { from, to }) => memoryByDate(context, from, to, true),
  memoryReportShortByDate: (context, { from, to }) => memoryByDate(context, from, to, false),
  memoryPassword({ session, switches }, { password }) {
    if (password !== switches.memoryPassword) {
      return refused({ channel: 'error', error: 108, flag: 'wrongPassword' })
    }
    session.memoryUnlocked = true
    return done()
  },

  operatorsReport: (context) =>
    report(context, 'service', [title('OPERATORS'), ...operatorLines(context, everyOperator(context))]),
  clearOperators(context, { operator, password }) {
    const { device } = context
    if (operator !== undefined) {
      const wrong = wrongOperator(context, operator, password ?? '')
      if (wrong) return wrong
    }
    const codes = operator === undefined ? everyOperator(context) : [operator]
    const outcome = report(context, 'service', [title('OPERATORS'), ...operatorLines(context, codes)])
    if (outcome.ok) for (const code of codes) device.registers.clearOperatorTotals(code, code)
    return outcome
  },
  articlesReport(context, { clear = 0, from = 1, to }) {
    const { device } = context
    const last = to ?? device.profile.articles.maxNumber
    if (from > last) return error(21)
    // Sheet 10.8: articles can be cleared only after the daily Z report.
    if (clear === 1 && device.day.receipts > 0) return error(91)
    const outcome = report(context, 'service', [title('ARTICLES'), ...articleLines(context, from, last)])
    if (outcome.ok && clear === 1) device.articles.clearTurnover(from, last)
    return withResult(outcome)
  },
  departmentsReport: (context) =>
    withResult(report(context, 'service', [title('DEPARTMENTS'), ...departmentLines(context)])),
  parametersReport: (context) =>
    withResult(report(context, 'service', [title('PARAMETERS'), ...parameterLines(context)])),
  diagnosticsReport: (context) => report(context, 'service', [title('DIAGNOSTICS'), ...diagnosticLines(context)]),

  taxRatesByDate(context, { from, to }) {
    const { device, edition } = context
    if (from !== undefined && to !== undefined && from > to) return error(21)
    const until = to ?? from ?? '9999-12-31'
    const changes = device.memory.eventsOf('taxRates')
    const last = changes.findLast(({ at }) => at.slice(0, 10) <= until)
    const [first] = [...device.memory.eventsOf('fiscalised'), ...changes].map(({ at }) => at.slice(0, 10)).toSorted()
    if (!last && (first === undefined || first > until)) return done({ found: false, rates: [] })
    const rates = (last?.rates ?? device.registers.taxRates).slice(0, edition.groups)
    const date = (last?.at ?? first ?? device.localTime()).slice(0, 10)
    const lines = rates.map((rate, group) => line(`${group + 1}: ${rate === null ? '-' : `${formatPercent(rate)} %`}`))
    const outcome = report(context, 'memory', [title(`TAX RATES ${date}`), ...lines])
    return outcome.ok ? { ...outcome, values: { found: true, rates, date } } : outcome
  },

  duplicate(context, { count = 1, document }) {
    const { device, edition } = context
    if (edition.copies === 'one' && (count !== 1 || document !== undefined)) return error(21)
    if (count < 1) return error(21)
    if (document !== undefined && document !== device.counters.lastReceipt) return error(50)
    for (let copy = 0; copy < count; copy++) {
      const outcome = device.copyLastReceipt()
      if (!outcome.ok) return refused(REASONS[outcome.refusal])
    }
    return done()
  },

  reportAsText({ session, device }) {
    session.textUntil = device.now() + TEXT_MODE_MS
    return done()
  },

  journalRead(context, { content, by, from, to, option }) {
    const { device, edition } = context
    if (by !== 'date' && Number(from) > Number(to)) return error(21)
    if (by === 'date' && from > to) return error(21)
    const borders =
      by === 'document'
        ? { from: Number(from), to: Number(to) }
        : by === 'z'
          ? { fromZ: Number(from), toZ: Number(to) }
          : { fromTime: `${from}T00:00:00`, toTime: `${to}T23:59:59` }
    const kinds: readonly DocumentKind[] | undefined =
      content === 'z' ? ['z'] : content === 'fiscal' ? ['fiscal', 'invoice', 'cancelled'] : undefined
    const documents = device.journal.documents({ ...borders, ...(kinds ? { kinds } : {}) })
    const lines = documents.flatMap(({ document }) => device.journal.linesOf(document))
    if (option === undefined) return report(context, 'service', [title('JOURNAL'), ...lines.map(line)])
    if (lines.length === 0) return done()
    return { ...done(), stream: [...lines.map((text) => writeJournalLine(text, edition.page)), JOURNAL_END] }
  },
} satisfies Partial<Handlers>
