/**
 * Reads an archived Z report from lines of text, because no command returns it as fields (sheet 4.15). Lines of the
 * form *label … amount* fill the report. Values without such a line are null; `raw` contains all lines.
 */
import { isRefusal } from '../link/session.ts'
import { parseDecimal } from '../model/money.ts'
import type { ArchivedZ, CountedAmount } from '../model/printer.ts'
import { TAX_CODES, type TaxCode, taxLetter } from '../model/receipt.ts'
import { lastZ } from './reported-values.ts'
import type { DeviceC } from './session.ts'
import type { WireC } from './wire.ts'

const BLOCK_MAX = 9_999

/**
 * Resolves to the Z report that command 78h sends to the host. If the device refuses that command, the report is read
 * from the electronic journal of that Z report (sheet 4.15).
 */
export async function readArchivedZ(device: DeviceC, number: number): Promise<ArchivedZ | undefined> {
  const last = await lastZ(device)
  if (number < 1 || number > Math.min(last, BLOCK_MAX)) return undefined
  const block = String(number).padStart(4, '0')
  const range = { from: block, to: block }
  const paymentNames = (await device.askUnlessRefused('any', 'readPayments', {}))?.values?.names ?? []
  const { taxClasses } = device.edition
  const report = await linesOf(device, 'archivedZ', { ...range, storage: '8' })
  if (report !== undefined) return archivedZ({ number, paymentNames, taxClasses, lines: report })
  const journal = await linesOf(device, 'journalRead', { target: '0', by: 'Z', ...range })
  return archivedZ({ number, paymentNames, taxClasses, lines: zOutOfJournal(journal ?? [], number) })
}

async function linesOf<Name extends 'archivedZ' | 'journalRead'>(
  device: DeviceC,
  name: Name,
  values: WireC['requests'][Name],
): Promise<readonly string[] | undefined> {
  try {
    return await device.lines(name, values)
  } catch (problem) {
    if (isRefusal(problem, 'any')) return undefined
    throw problem
  }
}

interface ZLines {
  readonly number: number
  readonly lines: readonly string[]
  /** Names of the payments by type (command 64h). The report has a line for each name. */
  readonly paymentNames: readonly string[]
  readonly taxClasses: number
}

interface TaxLine {
  rate: number | null
  turnover: number | null
  tax: number | null
}

function archivedZ({ number, lines, paymentNames, taxClasses }: ZLines): ArchivedZ {
  const payments = paymentNames.flatMap((name, paymentMode) => {
    const amount = amountOf(lines, name)
    return amount === null || name === '' ? [] : [{ paymentMode, amount }]
  })
  return {
    number,
    dateTime: timeOf(lines, number),
    firstReceipt: wholeOf(lines, 'FIRST RECEIPT'),
    lastReceipt: wholeOf(lines, has(lines, 'LAST RECEIPT') ? 'LAST RECEIPT' : 'LAST DOCUMENT'),
    receiptsCount: wholeOf(lines, 'RECEIPTS'),
    total: amountOf(lines, 'TOTAL'),
    taxes: taxesOf(lines, taxClasses),
    payments: payments.length === 0 ? null : payments,
    discounts: countedOf(lines, 'DISCOUNTS'),
    surcharges: countedOf(lines, 'SURCHARGES'),
    voids: countedOf(lines, 'VOIDS') ?? countedOf(lines, 'CORRECTIONS'),
    cashIn: amountOf(lines, 'CASH IN'),
    cashOut: amountOf(lines, 'CASH OUT'),
    raw: lines.join('\n'),
  }
}

function zOutOfJournal(lines: readonly string[], number: number): readonly string[] {
  const title = new RegExp(`^\\s*Z REPORT\\s+0*${number}\\s*$`)
  const start = lines.findIndex((line) => title.test(line))
  return start < 0 ? [] : lines.slice(start)
}

const has = (lines: readonly string[], label: string): boolean => lines.some((line) => line.startsWith(label))

function valueAt(lines: readonly string[], label: string): string | undefined {
  for (const line of lines) {
    if (!line.startsWith(label)) continue
    const value = /^\s+(\S.*)$/.exec(line.slice(label.length))?.[1]
    if (value !== undefined && /^-?[\d.]+(\s+-?[\d.]+)?$/.test(value)) return value
  }
  return undefined
}

function decimal(text: string | undefined): number | null {
  if (text === undefined) return null
  const value = parseDecimal(text, 2)
  return typeof value === 'number' ? value : null
}

const amountOf = (lines: readonly string[], label: string): number | null =>
  decimal(valueAt(lines, label)?.split(/\s+/).at(-1))

function wholeOf(lines: readonly string[], label: string): number | null {
  const value = valueAt(lines, label)
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : null
}

function countedOf(lines: readonly string[], label: string): CountedAmount | null {
  const value = valueAt(lines, label)
  if (value === undefined) return null
  const pieces = value.split(/\s+/)
  return pieces.length === 1
    ? { count: null, amount: decimal(pieces[0]) }
    : { count: Number(pieces[0]), amount: decimal(pieces[1]) }
}

const CYRILLIC = 'АБВГДЕЖЗ'

/**
 * A report contains lines of the groups E to H only if the groups were used (sheet 4.15). A missing line of those
 * groups therefore means 0, provided that any group has a line.
 */
function taxesOf(lines: readonly string[], taxClasses: number): ArchivedZ['taxes'] {
  const groups = TAX_CODES.slice(0, taxClasses).map((taxCode) => ({ taxCode, ...taxOf(lines, taxCode) }))
  const isReported = groups.some(({ turnover }) => turnover !== null)
  return groups.map(({ taxCode, rate, turnover, tax }) => {
    const unused = isReported && taxCode > 4 && turnover === null
    const sums = unused ? { turnover: 0, tax: 0 } : { turnover, tax }
    return { taxCode, letter: taxLetter(taxCode), rate, ...sums }
  })
}

function taxOf(lines: readonly string[], code: TaxCode): TaxLine {
  const taxLine: TaxLine = { rate: null, turnover: null, tax: null }
  const letters = `${taxLetter(code)}${CYRILLIC.charAt(code - 1)}`
  const shape = new RegExp(`^[${letters}]\\s+([\\d.]+)%\\s+(TURNOVER|TAX)\\s+(-?[\\d.]+)$`)
  for (const line of lines) {
    const match = shape.exec(line)
    if (!match) continue
    taxLine.rate ??= decimal(match[1])
    if (match[2] === 'TURNOVER') taxLine.turnover ??= decimal(match[3])
    else taxLine.tax ??= decimal(match[3])
  }
  return taxLine
}

/** Parses the time in `Z REPORT 0008 2024-03-14 21:30:00`, or in `0008 14-03-2024`, the form of published samples. */
function timeOf(lines: readonly string[], number: number): string | null {
  const pattern = new RegExp(`^(?:Z REPORT\\s+)?0*${number}\\s+(\\S.*)$`)
  for (const line of lines) {
    const time = timeIn(pattern.exec(line)?.[1] ?? '')
    if (time !== null) return time
  }
  // A printed document ends with its time on a separate line.
  for (const line of [...lines].reverse()) {
    const time = timeIn(/(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d\d-\d\d-\d{4} \d\d:\d\d)/.exec(line)?.[0] ?? '')
    if (time !== null) return time
  }
  return null
}

function timeIn(text: string): string | null {
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return text.replace(' ', 'T')
  const match = /^(\d\d)-(\d\d)-(\d{4})(?: (\d\d:\d\d)(:\d\d)?)?$/.exec(text)
  if (!match) return null
  const [, day, month, year, time = '00:00', seconds = ':00'] = match
  return `${year}-${month}-${day}T${time}${seconds}`
}
