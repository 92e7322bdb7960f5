/**
 * X, Z and fiscal memory reports on paper. Each value has its own line, label left and value right, so that programs
 * can parse a report in the journal.
 */
import { formatMoney, formatPercent } from '../../drivers/model/money.ts'
import type { GrandTotals, ZRecord } from '../fiscal/types/day.ts'
import type { ByTaxGroup, CountedAmount } from '../fiscal/types/registers.ts'
import { documentNumber, type Page, taxLetterOf, titleLine } from './document-layout.ts'
import { columns, type DrawingOperation, rule, text } from './drawing-operations.ts'

const zNumber = (number: number): string => String(number).padStart(4, '0')
const counted = (value: CountedAmount): string => `${value.count}  ${formatMoney(value.amount)}`

export type PaymentNames = Readonly<Record<number, string>>

/** Sums of registers that the Z record does not contain. */
export interface DayRegisters {
  readonly departments: readonly {
    readonly number: number
    readonly name: string
    readonly count: number
    readonly amount: number
  }[]
  /** Grand totals after this Z report, including its sums. */
  readonly grand: GrandTotals
}

export function dayReport(
  page: Page,
  kind: 'x' | 'z',
  record: ZRecord,
  payments: PaymentNames,
  registers: DayRegisters,
): DrawingOperation[] {
  const { words } = page.style
  return [
    titleLine(`${kind === 'x' ? words.reportX : words.reportZ} ${zNumber(record.number)}`),
    rule(1),
    ...countBlock(page, record),
    rule(1),
    ...record.taxes.flatMap((tax) => taxLines(page, tax)),
    columns(words.total, formatMoney(record.total), { bold: true }),
    ...invoiceLines(page, record),
    rule(1),
    ...paymentLines(record, payments),
    rule(1),
    columns(page.more.discounts, counted(record.discounts)),
    columns(page.more.surcharges, counted(record.surcharges)),
    columns(page.more.voids, counted(record.voids)),
    columns(page.more.cancelledReceipts, counted(record.cancelled)),
    columns(words.cashIn, formatMoney(record.cashIn)),
    columns(words.cashOut, formatMoney(record.cashOut)),
    columns(page.more.drawerCash, formatMoney(record.drawerCash), { bold: true }),
    ...foreignLines(page, record, payments),
    ...(page.style.fullReports ? [...departmentLines(page, registers), ...grandLines(page, record, registers)] : []),
  ]
}

function foreignLines({ style: { words }, more }: Page, { foreign }: ZRecord, names: PaymentNames): DrawingOperation[] {
  if (!foreign) return []
  const currency = names[foreign.mode] ?? ''
  return [
    columns(`${words.cashIn} ${currency}`, formatMoney(foreign.cashIn)),
    columns(`${words.cashOut} ${currency}`, formatMoney(foreign.cashOut)),
    columns(`${more.drawerCash} ${currency}`, formatMoney(foreign.drawerCash)),
  ]
}

function invoiceLines({ style: { words }, more }: Page, { invoiced }: ZRecord): DrawingOperation[] {
  if (!invoiced) return []
  return [
    columns(words.invoice, formatMoney(invoiced.turnover)),
    columns(`${words.invoice} ${more.tax}`, formatMoney(invoiced.tax)),
  ]
}

function departmentLines(page: Page, { departments }: DayRegisters): DrawingOperation[] {
  if (departments.length === 0) return []
  const lines = departments.map(({ number, name, ...value }) =>
    columns(`${page.more.department} ${String(number).padStart(2, '0')} ${name}`.trimEnd(), counted(value)),
  )
  return [rule(1), ...lines]
}

function grandLines(page: Page, record: ZRecord, { grand }: DayRegisters): DrawingOperation[] {
  const { grandTotal, turnover, tax, reversals } = page.more
  const lines = [
    columns(`${grandTotal} ${turnover}`, formatMoney(grand.turnover)),
    columns(`${grandTotal} ${tax}`, formatMoney(grand.tax)),
  ]
  if (grand.reversal !== 0) {
    lines.push(columns(`${grandTotal} ${reversals}`, formatMoney(grand.reversal)))
    lines.push(columns(`${grandTotal} ${reversals} ${tax}`, formatMoney(grand.reversalTax)))
  }
  return [rule(1), ...placeLines(page, record), ...lines]
}

/** The number of the only journal, as command 6Eh 5 of family C reports it. */
const JOURNAL = '1'
const placeLines = (page: Page, record: ZRecord): DrawingOperation[] => [
  columns(page.more.lastDocument, documentNumber(page, lastDocumentOf(record))),
  columns(page.more.journal, JOURNAL),
]

const lastDocumentOf = ({ document }: Pick<ZRecord, 'document'>): number => document - 1

function countBlock(page: Page, record: ZRecord): DrawingOperation[] {
  const number = (value: number | null): string => (value === null ? '-' : documentNumber(page, value))
  return [
    columns(page.more.receipts, String(record.receiptsCount)),
    columns(page.more.firstReceipt, number(record.firstReceipt)),
    columns(page.more.lastReceipt, number(record.lastReceipt)),
    columns(page.more.reversalReceipts, String(record.reversalReceiptsCount)),
    columns(page.more.documents, `${number(record.journalDocuments.first)} - ${number(record.journalDocuments.last)}`),
  ]
}

type ZTax = ZRecord['taxes'][number]

function taxLines(page: Page, tax: ZTax): DrawingOperation[] {
  const letter = taxLetterOf(page, tax.taxCode)
  if (tax.rate === null) return [columns(`${letter} ${page.more.disabled}`, '')]
  const head = `${letter} ${formatPercent(tax.rate)}%`
  const lines = [
    columns(`${head} ${page.more.turnover}`, formatMoney(tax.turnover)),
    columns(`${head} ${page.more.net}`, formatMoney(tax.turnover - tax.tax)),
    columns(`${head} ${page.more.tax}`, formatMoney(tax.tax)),
  ]
  if (tax.reversal !== 0) {
    lines.push(columns(`${head} ${page.more.reversals}`, formatMoney(tax.reversal)))
    lines.push(columns(`${head} ${page.more.reversals} ${page.more.tax}`, formatMoney(tax.reversalTax)))
  }
  return lines
}

function paymentLines(record: ZRecord, names: PaymentNames): DrawingOperation[] {
  return Object.entries(names).map(([mode, name]) => columns(name, formatMoney(record.payments[Number(mode)] ?? 0)))
}

export const memoryLine = (page: Page, number: number, left: number): DrawingOperation[] => [
  columns(page.more.memoryRecord, zNumber(number)),
  columns(page.more.memoryLeft, String(left)),
]

interface RatesChange {
  readonly fromZ: number
  readonly at: string
  readonly rates: ByTaxGroup<number | null>
}

/** `detailed` adds the sums of each Z report. */
export function memoryReport(
  page: Page,
  records: readonly ZRecord[],
  changes: readonly RatesChange[],
  payments: PaymentNames,
  detailed: boolean,
): DrawingOperation[] {
  const first = records[0]
  const last = records[records.length - 1]
  const operations: DrawingOperation[] = [titleLine(page.more.memoryReport)]
  if (first && last)
    operations.push(columns(`${zNumber(first.number)} - ${zNumber(last.number)}`, String(records.length)))
  for (const change of changes) operations.push(...ratesLines(page, change))
  const lines = page.style.fullReports ? closureLines : recordLines
  if (detailed) for (const record of records) operations.push(...lines(page, record, payments))
  else if (page.style.fullReports) for (const record of records) operations.push(...shortLines(page, record))
  operations.push(rule(2), ...sumLines(page, records))
  return operations
}

function ratesLines(page: Page, change: RatesChange): DrawingOperation[] {
  const rates = change.rates.map((rate, index) => {
    const letter = taxLetterOf(page, (index + 1) as ZTax['taxCode'])
    return `${letter} ${rate === null ? page.more.disabled : `${formatPercent(rate)}%`}`
  })
  const line = (from: number, count: number): string => `  ${rates.slice(from, from + count).join('  ')}`
  const fits = (count: number) => rates.every((_, at) => at % count !== 0 || line(at, count).length <= page.width)
  const row = fits(4) ? 4 : 2
  const lines = rates.flatMap((_, at) => (at % row === 0 ? [text(line(at, row))] : []))
  return [columns(page.more.taxRates, change.at.replace('T', ' ')), ...lines]
}

const recordTitle = (page: Page, record: ZRecord): DrawingOperation[] => [
  rule(1),
  columns(`${page.style.words.reportZ} ${zNumber(record.number)}`, record.at.replace('T', ' '), { bold: true }),
]

/** Groups A to D are always printed, the others only if they were used (sheet C 4.15). */
const isShown = (tax: ZTax): boolean => tax.taxCode <= 4 || tax.turnover !== 0 || tax.reversal !== 0

/** The order of the lines is that of sheet C 4.15. */
function shortLines(page: Page, record: ZRecord): DrawingOperation[] {
  return [
    ...recordTitle(page, record),
    ...record.taxes.filter(isShown).flatMap((tax) => taxLines(page, tax).slice(0, 1)),
    columns(page.style.words.total, formatMoney(record.total), { bold: true }),
    ...placeLines(page, record),
  ]
}

function closureLines(page: Page, record: ZRecord, payments: PaymentNames): DrawingOperation[] {
  return [
    ...recordTitle(page, record),
    ...record.taxes.filter(isShown).flatMap((tax) => taxLines(page, tax)),
    columns(page.style.words.total, formatMoney(record.total), { bold: true }),
    ...placeLines(page, record),
    ...countBlock(page, record),
    ...sumBlock(page, record, payments),
  ]
}

function recordLines(page: Page, record: ZRecord, payments: PaymentNames): DrawingOperation[] {
  return [
    ...recordTitle(page, record),
    ...countBlock(page, record),
    ...record.taxes.flatMap((tax) => taxLines(page, tax)),
    columns(page.style.words.total, formatMoney(record.total), { bold: true }),
    ...sumBlock(page, record, payments),
  ]
}

function sumBlock(page: Page, record: ZRecord, payments: PaymentNames): DrawingOperation[] {
  return [
    ...paymentLines(record, payments),
    columns(page.more.discounts, counted(record.discounts)),
    columns(page.more.surcharges, counted(record.surcharges)),
    columns(page.more.voids, counted(record.voids)),
    columns(page.more.cancelledReceipts, counted(record.cancelled)),
    columns(page.style.words.cashIn, formatMoney(record.cashIn)),
    columns(page.style.words.cashOut, formatMoney(record.cashOut)),
    ...foreignLines(page, record, payments),
  ]
}

function sumLines(page: Page, records: readonly ZRecord[]): DrawingOperation[] {
  const all = (pick: (record: ZRecord) => number): number => records.reduce((total, record) => total + pick(record), 0)
  const groups = records[0]?.taxes.map((tax) => tax.taxCode) ?? []
  const lines = groups.flatMap((code) => {
    const turnover = all((record) => record.taxes[code - 1]?.turnover ?? 0)
    const tax = all((record) => record.taxes[code - 1]?.tax ?? 0)
    if (turnover === 0) return []
    const letter = taxLetterOf(page, code)
    return [
      columns(`${letter} ${page.more.turnover}`, formatMoney(turnover)),
      columns(`${letter} ${page.more.tax}`, formatMoney(tax)),
    ]
  })
  return [
    ...lines,
    columns(page.more.receipts, String(all((record) => record.receiptsCount))),
    columns(page.style.words.total, formatMoney(all((record) => record.total)), { bold: true }),
  ]
}
