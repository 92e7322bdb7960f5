import { formatMoney, formatPercent, formatQuantity, formatShort, type Money } from '../../drivers/model/money.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { Adjustment, Barcode, SeparatingLine, TaxCode, TextLine } from '../../drivers/model/receipt.ts'
import type { PaperStyle } from '../fiscal/types/profile.ts'
import type { CustomerData, FiscalReceipt, PaymentRow, SaleRow } from '../fiscal/types/receipt.ts'
import { centered, columns, type DrawingOperation, rule, type TypeStyle, text } from './drawing-operations.ts'
import { type MoreWords, moreWords } from './paper-words.ts'

/** Blanks after an amount, in the column of the tax group letter. */
const NO_LETTER = '  '
const DOCUMENT_DIGITS = 7

export interface Page {
  readonly style: PaperStyle
  readonly more: MoreWords
  readonly width: number
}

export const pageOf = (style: PaperStyle, width: number): Page => ({ style, more: moreWords(style.words), width })

export const documentNumber = ({ style }: Page, number: number): string =>
  String(number).padStart(style.documentDigits ?? DOCUMENT_DIGITS, '0')
export const taxLetterOf = (page: Page, code: TaxCode): string => (page.style.taxLetters ?? 'ABCDEFGH').charAt(code - 1)

const money = (amount: Money): string => formatMoney(amount) + NO_LETTER
const stamp = (at: string): string => at.replace('T', ' ')

export interface HeaderFacts {
  readonly header: readonly string[]
  readonly taxNumber: string
}

export function headerBlock(page: Page, facts: HeaderFacts): DrawingOperation[] {
  const lines = facts.header.filter((line) => line.trim() !== '').map((line) => centered(line.trim()))
  return [
    { op: 'logo', name: 'shop', text: '' },
    ...lines,
    ...(facts.taxNumber === '' ? [] : [centered(`${page.more.taxNumber} ${facts.taxNumber}`)]),
  ]
}

export function titleLine(title: string): DrawingOperation {
  return centered(title, { bold: true, height: 'double' })
}

interface OpeningFacts extends HeaderFacts {
  readonly document: number
  readonly operator: number
  readonly operatorName: string
}

export function openingBlock(page: Page, facts: OpeningFacts, receipt?: FiscalReceipt): DrawingOperation[] {
  const { words } = page.style
  const titles = [
    ...(receipt?.invoice ? [`${words.invoice} ${invoiceNumber(receipt)}`.trimEnd()] : []),
    ...(receipt?.kind === 'reversal' ? [words.reversal] : []),
    ...(receipt?.invoice && page.more.original !== '' ? [page.more.original] : []),
  ]
  const operator = facts.operator === 0 ? '' : `${words.operator} ${facts.operator} ${facts.operatorName}`
  return [
    ...headerBlock(page, facts),
    ...titles.map(titleLine),
    ...(receipt?.reason ? [centered(page.more[receipt.reason])] : []),
    columns(operator.trimEnd(), `${page.more.document} ${documentNumber(page, facts.document)}`),
    ...(receipt?.saleNumber ? [text(receipt.saleNumber)] : []),
    rule(1),
  ]
}

const invoiceNumber = ({ invoiceNumber: number }: FiscalReceipt): string =>
  number === undefined ? '' : String(number).padStart(10, '0')

export function originalBlock(page: Page, original: { document: number; at: string; fiscalMemoryNumber: string }) {
  return [
    columns(page.more.originalDocument, documentNumber(page, original.document)),
    columns(`${page.more.fiscalMemory} ${original.fiscalMemoryNumber}`, stamp(original.at)),
  ]
}

export function saleBlock(page: Page, row: SaleRow): DrawingOperation[] {
  const letter = taxLetterOf(page, row.taxCode)
  const gross = `${formatMoney(row.amount - row.adjusted)} ${letter}`
  const quantity = `${formatQuantity(row.quantity)} x ${formatMoney(row.price)}`
  const operations: DrawingOperation[] = []
  const { nameBreak } = page.style
  const lines = nameBreak === undefined ? [row.name] : row.name.split(nameBreak)
  const [first, last = ''] = [lines.slice(0, -1), lines.at(-1)]
  if (row.void) operations.push(text(page.style.words.correction, { bold: true }))
  if (page.style.itemLayout === 'quantityFirst') {
    operations.push(text(`${quantity} =`), columns(row.name, gross))
  } else if (row.quantity === 1000 && row.unit === '') {
    operations.push(...first.map((line) => text(line)), columns(last, gross))
  } else {
    operations.push(
      ...lines.map((line) => text(line)),
      columns(`  ${formatShort(row.quantity, 3)} ${unitOf(row)}x ${formatMoney(row.price)}`, gross),
    )
  }
  if (row.adjustment && row.adjusted !== 0) {
    operations.push(columns(`  ${adjustmentLabel(page, row.adjustment)}`, `${formatMoney(row.adjusted)} ${letter}`))
  }
  return operations
}

const unitOf = (row: SaleRow): string => (row.unit === '' ? '' : `${row.unit} `)

function adjustmentLabel(page: Page, adjustment: Adjustment): string {
  const { words } = page.style
  const word = adjustment.kind === 'discount' ? words.discount : words.surcharge
  const sign = adjustment.kind === 'discount' ? '-' : '+'
  return 'percent' in adjustment ? `${word} ${sign}${formatPercent(adjustment.percent)}%` : word
}

export function subtotalBlock(
  page: Page,
  before: Money,
  adjustment: { readonly adjustment: Adjustment; readonly amount: Money } | undefined,
): DrawingOperation[] {
  const operations: DrawingOperation[] = [columns(page.style.words.subtotal, money(before), { bold: true })]
  if (adjustment) {
    operations.push(columns(adjustmentLabel(page, adjustment.adjustment), money(adjustment.amount)))
    operations.push(columns(page.style.words.subtotal, money(before + adjustment.amount), { bold: true }))
  }
  return operations
}

export function totalBlock(page: Page, total: Money): DrawingOperation[] {
  return [rule(2), columns(page.style.words.total, money(total), { bold: true, height: 'double' }), rule(2)]
}

export function paymentBlock(page: Page, name: string, payment: PaymentRow, paid: boolean): DrawingOperation[] {
  const operations: DrawingOperation[] = [columns(name, money(payment.tendered))]
  if (paid && payment.change !== 0) {
    operations.push(columns(page.style.words.change, money(payment.change), { bold: true }))
  }
  return operations
}

interface TaxLine {
  readonly taxCode: TaxCode
  readonly rate: number | null
  readonly turnover: Money
  readonly tax: Money
}

export function taxBlock(page: Page, taxes: readonly TaxLine[]): DrawingOperation[] {
  return [
    rule(1),
    ...taxes.map(({ taxCode, rate, turnover, tax }) =>
      columns(
        `${page.more.tax} ${taxLetterOf(page, taxCode)} ${formatPercent(rate ?? 0)}%`,
        `${formatMoney(turnover)}  ${formatMoney(tax)}${NO_LETTER}`,
      ),
    ),
  ]
}

export function customerBlock(page: Page, customer: CustomerData): DrawingOperation[] {
  const named = [customer.name, customer.taxNumber, customer.address]
  const lines = (customer.fields.length > 0 ? customer.fields : named).filter((line) => line && line.trim() !== '')
  if (lines.length === 0) return []
  return [text(page.more.customer, { bold: true }), ...lines.map((line) => text(`  ${line?.trim()}`))]
}

export interface ClosingFacts {
  readonly at: string
  readonly document: number
  readonly footer: readonly string[]
  readonly serialNumber: string
  readonly fiscalMemoryNumber: string
  /** If false, all documents end with the words of a service receipt. */
  readonly fiscalised: boolean
}

export function fiscalClosing(page: Page, facts: ClosingFacts, items: number, total: Money): DrawingOperation[] {
  const qr = [
    facts.fiscalMemoryNumber,
    documentNumber(page, facts.document),
    ...facts.at.split('T'),
    formatMoney(total),
  ]
  return [
    rule(1),
    ...footerLines(facts),
    columns(`${page.more.items} ${items}`, `${page.more.document} ${documentNumber(page, facts.document)}`),
    ...deviceBlock(page, facts),
    ...(facts.fiscalised
      ? ([
          { op: 'barcode', type: 4, label: 'QR', data: qr.join('*'), size: 4, align: 'center', printText: false },
          { op: 'logo', name: 'fiscal', text: page.style.words.fiscalReceipt },
        ] as const)
      : [notFiscal(page, facts)]),
    { op: 'cut' },
  ]
}

export function serviceClosing(page: Page, facts: ClosingFacts, footer: boolean): DrawingOperation[] {
  return [
    rule(1),
    ...(footer ? footerLines(facts) : []),
    columns(stamp(facts.at), `${page.more.document} ${documentNumber(page, facts.document)}`),
    columns(`${page.more.serialNumber} ${facts.serialNumber}`, `${page.more.fiscalMemory} ${facts.fiscalMemoryNumber}`),
    notFiscal(page, facts),
    { op: 'cut' },
  ]
}

/** Reports end with the fiscal mark, but without footer and QR code. */
export function reportClosing(page: Page, facts: ClosingFacts, fiscalMark: boolean): DrawingOperation[] {
  return [
    rule(1),
    columns(stamp(facts.at), `${page.more.document} ${documentNumber(page, facts.document)}`),
    columns(`${page.more.serialNumber} ${facts.serialNumber}`, `${page.more.fiscalMemory} ${facts.fiscalMemoryNumber}`),
    fiscalMark ? { op: 'logo', name: 'fiscal', text: page.style.words.fiscalReceipt } : notFiscal(page, facts),
    { op: 'cut' },
  ]
}

/**
 * Returns the words of a service receipt; on a device that is not fiscalised, the family's words for that if there are
 * any.
 */
function notFiscal({ style: { words } }: Page, { fiscalised }: ClosingFacts): DrawingOperation {
  return titleLine(fiscalised ? words.nonFiscalReceipt : (words.notFiscalised ?? words.nonFiscalReceipt))
}

const footerLines = (facts: ClosingFacts): DrawingOperation[] =>
  facts.footer.filter((line) => line.trim() !== '').map((line) => centered(line.trim()))

const deviceBlock = (page: Page, facts: ClosingFacts): DrawingOperation[] => [
  text(stamp(facts.at)),
  columns(`${page.more.serialNumber} ${facts.serialNumber}`, `${page.more.fiscalMemory} ${facts.fiscalMemoryNumber}`),
]

export function cancelBlock(page: Page): DrawingOperation[] {
  return [rule(1), titleLine(page.style.words.cancelled), columns(page.style.words.total, money(0), { bold: true })]
}

/** Returns a line of free text, truncated to the paper width, between `#` signs if the style requires them. */
export function commentLine(page: Page, line: TextLine): DrawingOperation {
  const { text: words, alignment, height, bold, italic, underline } = line
  const style: TypeStyle = {
    ...(bold ? { bold } : {}),
    ...(italic ? { italic } : {}),
    ...(underline ? { underline } : {}),
    ...(height && height !== 'normal' ? { height } : {}),
  }
  if (!page.style.commentMarks) return text(words.slice(0, page.width), { ...style, align: alignment ?? 'left' })
  const room = page.width - 2
  const visible = words.slice(0, room)
  const before =
    alignment === 'right' ? room - visible.length : alignment === 'center' ? (room - visible.length) >> 1 : 0
  return text(`#${(' '.repeat(before) + visible).padEnd(room)}#`, style)
}

export function barcodeBlock(barcode: Barcode, label: string): DrawingOperation {
  const { qrSize: size, scale, height, printText } = barcode
  const align = (['left', 'center', 'right'] as const)[barcode.position ?? 1] ?? 'center'
  return {
    op: 'barcode',
    type: barcode.type,
    label,
    data: barcode.data,
    align,
    ...omitUndefined({ size, scale, height, printText }),
  }
}

export function separatorLine(page: Page, style: SeparatingLine | 'nothingDue'): DrawingOperation {
  return style === 'nothingDue' ? centered(page.more.nothingDue, { bold: true }) : rule(style)
}

export function cashBlock(page: Page, direction: 'in' | 'out', amount: Money, texts: readonly string[], currency = '') {
  const { words } = page.style
  return [
    ...texts.filter((line) => line !== '').map((line) => text(line)),
    columns(`${direction === 'in' ? words.cashIn : words.cashOut} ${currency}`.trim(), money(amount), {
      bold: true,
      height: 'double',
    } as const),
  ]
}
