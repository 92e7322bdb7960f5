/**
 * Values of a Z report that command 114 does not return (sheet 10.7 and 14.1). The text has one value per line, the
 * label left and the value right. A value is null if its label is missing or in another language.
 */

import { parseDecimal } from '../model/money.ts'
import type { CountedAmount } from '../model/printer.ts'

export interface ZText {
  readonly dateTime: string | null
  readonly firstReceipt: number | null
  readonly lastReceipt: number | null
  readonly receiptsCount: number | null
  readonly payments: readonly { readonly paymentMode: number; readonly amount: number }[] | null
  readonly discounts: CountedAmount | null
  readonly surcharges: CountedAmount | null
  readonly voids: CountedAmount | null
  readonly cashIn: number | null
  readonly cashOut: number | null
}

const DATE_TIME = /(?:(\d{4})-(\d{2})-(\d{2})|(\d{2})[-.](\d{2})[-.](\d{4}|\d{2})) (\d{2}:\d{2}(?::\d{2})?)/

function dateTimeIn(lines: readonly string[]): string | null {
  const line = lines.findLast((line) => DATE_TIME.test(line))
  const match = line === undefined ? null : DATE_TIME.exec(line)
  if (!match) return null
  const [, year, month, day, dayFirst, monthNext, yearLast = '', time = ''] = match
  const date = year === undefined ? `${yearLast.padStart(4, '20')}-${monthNext}-${dayFirst}` : `${year}-${month}-${day}`
  return `${date}T${time.length === 5 ? `${time}:00` : time}`
}

const moneyIn = (text: string | undefined): number | null => {
  const value = text === undefined ? '' : parseDecimal(text.trim(), 2)
  return typeof value === 'number' ? value : null
}

const countIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : null

function countedIn(text: string | undefined): CountedAmount | null {
  const match = text === undefined ? null : /^(\d+)\s+(-?[\d.]+)$/.exec(text.trim())
  return match ? { count: Number(match[1]), amount: moneyIn(match[2]) } : null
}

export function readZText(lines: readonly string[], payments: readonly { mode: number; name: string }[]): ZText {
  const valueAfter = (label: string): string | undefined =>
    lines.find((line) => line.startsWith(`${label} `) && /^\s+\S/.test(line.slice(label.length)))?.slice(label.length)
  const byMode = payments.map(({ mode, name }) => ({ paymentMode: mode, amount: moneyIn(valueAfter(name)) }))
  const reportedSums = byMode.filter((one): one is { paymentMode: number; amount: number } => one.amount !== null)
  return {
    dateTime: dateTimeIn(lines),
    firstReceipt: countIn(valueAfter('FIRST RECEIPT')),
    lastReceipt: countIn(valueAfter('LAST RECEIPT')),
    receiptsCount: countIn(valueAfter('RECEIPTS')),
    payments: reportedSums.length > 0 && reportedSums.length === byMode.length ? reportedSums : null,
    discounts: countedIn(valueAfter('DISCOUNTS')),
    surcharges: countedIn(valueAfter('SURCHARGES')),
    voids: countedIn(valueAfter('VOIDS')),
    cashIn: moneyIn(valueAfter('CASH IN')),
    cashOut: moneyIn(valueAfter('CASH OUT')),
  }
}
