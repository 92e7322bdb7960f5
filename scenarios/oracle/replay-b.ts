/**
 * Replays traffic of family B into a ledger (sheet B 5.4, 6.2, 6.5, 7, 8, 10). The protocol reports no document number
 * at open or close, so the ledger counts receipts.
 */

import { listen } from './conversation.ts'
import { decimal } from './decimal.ts'
import { type DeviceFrameB, type HostFrameB, readDeviceFramesB, readHostB } from './frames-b.ts'
import type { Ledger, Piece, ReplayOptions } from './ledger.ts'
import type { Adjustment } from './totals.ts'

/** An amount from the device is in units if it has a point, and in hundredths otherwise (6.3). */
const amount = (text: string | undefined): bigint | undefined => {
  if (text === undefined || text === '') return undefined
  return text.includes('.') ? decimal(text, 2) : decimal(text, 0)
}
/** An amount from the host is always in units. */
const written = (text: string | undefined): bigint | undefined => (text ? decimal(text, 2) : undefined)
const quantity = (text: string | undefined): bigint => (text ? (decimal(text, 3) ?? 0n) : 1000n)

/** Returns the index of the group. Tax letters begin at C0h or at the Latin A. A blank means the first group. */
function groupOf(sign: string | undefined): number {
  const code = (sign ?? ' ').charCodeAt(0)
  if (code >= 0xc0) return code - 0xc0
  return code === 0x20 ? 0 : code - 0x40
}

function adjustment(percent: string | undefined, netto: string | undefined): Adjustment | undefined {
  const part = written(percent) ?? 0n
  if (part !== 0n) return { percent: part }
  const size = written(netto) ?? 0n
  return size !== 0n ? { amount: size } : undefined
}

const MODES: Readonly<Record<string, number>> = { P: 0, N: 1, C: 2, D: 3, U: 3, B: 4, E: 4 }

export const replayB = (pieces: readonly Piece[], listening: ReplayOptions): Ledger =>
  listen<HostFrameB, DeviceFrameB>(pieces, listening, {
    readHost: readHostB,
    readDevice: readDeviceFramesB,
    isRepeat: isSame,
    isAnswer: isSame,
    follow,
  })

const isSame = (one: HostFrameB, other: HostFrameB): boolean => one.seq === other.seq && one.command === other.command

const refused = (answer: DeviceFrameB): boolean =>
  answer.error !== 0 || ['0.0', '0.1', '0.5', '1.1'].some((bit) => answer.bits.includes(bit))

interface Exchange {
  readonly command: number
  readonly data: string
  readonly answer: readonly string[]
}

function follow(books: Ledger, { command, data }: HostFrameB, answer: DeviceFrameB): void {
  if (refused(answer)) return
  const step = STEPS[command] ?? query
  step(books, { command, data, answer: answer.data.split(',') })
}

const STEPS: Readonly<Record<number, (books: Ledger, exchange: Exchange) => void>> = {
  38: (books) => books.openNonFiscal(),
  39: (books) => books.closeNonFiscal(),
  48(books, { data }) {
    const tail = data.split('\t').slice(1).join('\t')
    books.openReceipt(/^[RC]/.test(tail) ? 'reversal' : tail.startsWith('I') ? 'invoice' : 'sale')
  },
  49: sale,
  51: subtotal,
  52: sale,
  53: payment,
  56: (books) => books.closeReceipt(),
  58: sale,
  69: report,
  70: cash,
  108: report,
  130: (books) => books.cancelReceipt(),
  138: sale,
}

type Parts = Readonly<Partial<Record<'sign' | 'what' | 'price' | 'count' | 'percent' | 'netto', string>>>

interface SaleForm {
  readonly form: RegExp
  row(
    parts: Parts,
    books: Ledger,
  ): { readonly name: string; readonly group: number; readonly price: bigint } | undefined
}

const FREE: SaleForm = {
  form: /^(?<what>.)(?<sign>[+-]?)(?<price>[\d.]+)(?:\*(?<count>[\d.]+))?(?:,(?<percent>[+-]?[\d.]+))?(?:\$(?<netto>[+-]?[\d.]+))?$/s,
  row({ what, price }) {
    const group = groupOf(what)
    return { name: `free ${group}`, group, price: written(price) ?? 0n }
  },
}

const SALES: Readonly<Record<number, SaleForm>> = {
  49: FREE,
  52: FREE,
  58: {
    form: /^(?<sign>[+-]?)(?<what>\d+)(?:\*(?<count>[\d.]+))?(?:,(?<percent>[+-]?[\d.]+))?(?:@(?<price>[\d.]+))?(?:\$(?<netto>[+-]?[\d.]+))?$/,
    row({ what, price }, books) {
      const article = books.articles.get(Number(what))
      return article && { ...article, name: `article ${Number(what)}`, price: written(price) ?? article.price }
    },
  },
  138: {
    form: /^(?<sign>[+-]?)(?<what>\d+)@(?<price>[\d.]+)(?:\*(?<count>[\d.]+))?(?:,(?<percent>[+-]?[\d.]+))?(?:\$(?<netto>[+-]?[\d.]+))?$/,
    row: ({ what, price }) => ({
      name: `department ${Number(what)}`,
      group: departmentGroup(Number(what)),
      price: written(price) ?? 0n,
    }),
  },
}

/** Factory settings (10.8): departments 1 to 8 belong to groups A to H, and all others to A. */
const departmentGroup = (department: number): number => (department >= 1 && department <= 8 ? department - 1 : 0)

function sale(books: Ledger, { command, data }: Exchange): void {
  const { form, row } = SALES[command] ?? FREE
  const parts: Parts | undefined = form.exec(afterTab(data))?.groups
  const sold = parts && row(parts, books)
  if (!sold) {
    books.disagreements.push(
      `the sale ${data} was accepted, but the books cannot read it or do not contain the article`,
    )
    return
  }
  const { name, group, price } = sold
  const key = `${name}|${price}`
  const count = quantity(parts.count)
  const change = adjustment(parts.percent, parts.netto)
  if (parts.sign === '-') books.voidLine(key, count)
  else books.sell({ key, group, price, quantity: count, ...(change && { adjustment: change }) })
}

function subtotal(books: Ledger, { data, answer }: Exchange): void {
  const match = /^..(?:,([+-]?[\d.]+))?(?:\$([+-]?[\d.]+))?$/.exec(data)
  const change = adjustment(match?.[1], match?.[2])
  if (change) books.adjustSubtotal(change)
  books.compareMoney('subtotal', amount(answer[0]), books.sums().total)
  const groups = answer.slice(1).map(amount)
  books.compareGroups('subtotal', groups, books.sums().groups.slice(0, groups.length))
}

const afterTab = (data: string): string => data.slice(data.indexOf('\t') + 1)

function payment(books: Ledger, { data, answer: [answer = ''] }: Exchange): void {
  const after = afterTab(data)
  const word = answer.charAt(0)
  if (word !== 'D' && word !== 'R') return
  const before = books.sums().change
  books.pay(MODES[after.charAt(0) || 'P'] ?? 0, written(after.slice(1)))
  const { due, change } = books.sums()
  books.compareMoney(`amount of the payment (${word})`, written(answer.slice(1)), due > 0n ? due : change - before)
  // After an exact payment, the editions send D or R (16.7).
  if (due > 0n) books.disagree('word of the payment', word, 'D')
  if (change > before) books.disagree('word of the payment', word, 'R')
}

function cash(books: Ledger, { data, answer }: Exchange): void {
  if (answer[0] !== 'P') return
  const size = written(data.split(',')[0]) ?? 0n
  if (size !== 0n) books.moveCash(size)
  const day = books.day()
  books.compareMoney('drawer', written(answer[1]), day.drawer)
  books.compareMoney('paid in', written(answer[2]), day.cashIn.amount)
  const out = written(answer[3]) ?? 0n
  books.compareMoney('paid out', out < 0n ? -out : out, day.cashOut.amount)
}

function report(books: Ledger, { data, answer }: Exchange): void {
  const item = data.charAt(0)
  const isZ = item === '' || item === '0' || item === '1' || item === '6' || item === 'N'
  const isX = item === '2' || item === '3'
  if (!isZ && !isX) return
  const day = books.day()
  const sums = answer.slice(1).map(amount)
  if (sums.length === 16) {
    books.compareGroups(isZ ? 'Z' : 'X', sums.slice(0, 8), day.groups)
    books.compareGroups(isZ ? 'Z, reversals' : 'X, reversals', sums.slice(8), day.reversals)
  }
  if (isZ) books.closeDay(Number(answer[0]))
}

function query(books: Ledger, { command, data, answer }: Exchange): void {
  const day = books.day()
  if (command === 65 && data === 'T') books.compareGroups('day', answer.slice(0, 8).map(amount), day.groups)
  if (command === 65 && data !== 'T') {
    books.compareGroups(
      'net of the day',
      answer.slice(0, 8).map(amount),
      day.groups.map((sum, at) => sum - (day.taxes[at] ?? 0n)),
    )
  }
  if (command === 110 && data === '')
    books.compareMoney('cash of the day', amount(answer[0]), day.payments.get(0) ?? 0n)
  if (command === 76 && books.open) books.compareMoney('sum of 76', amount(answer[2]), books.sums().total)
  if (command === 114 && answer[0] === 'P') {
    const [number, option] = data.split(',')
    const closed = books.closedDays.find((one) => one.number === Number(number))
    const sums = answer.slice(1, 9).map(amount)
    if (closed && option === '0') books.compareGroups(`Z ${number}`, sums, closed.sums.groups)
    if (closed && option === '2') books.compareGroups(`tax of Z ${number}`, sums, closed.sums.taxes)
    if (closed && option === '1') {
      const net = closed.sums.groups.map((sum, at) => sum - (closed.sums.taxes[at] ?? 0n))
      books.compareGroups(`net of Z ${number}`, sums, net)
    }
  }
  if (command === 97) books.rates = answer.map((text) => rate(text))
  if (command === 107 && data.startsWith('P')) {
    const match = /^P(.)(\d+),([\d.]+),[^\n]*(?:\n[^,]*(?:,(\d+))?)?/s.exec(data)
    if (match) {
      const department = Number(match[4] ?? '0')
      // The department, if there is one, determines the group (10.8).
      const group = department > 0 ? departmentGroup(department) : groupOf(match[1])
      books.articles.set(Number(match[2]), { group, price: written(match[3]) ?? 0n })
    }
  }
  if (command === 107 && answer[0] === 'P' && answer.length > 5) {
    books.articles.set(Number(answer[1]), { group: groupOf(answer[3]), price: written(answer[4]) ?? 0n })
  }
}

/** -1 disables a group. */
const rate = (text: string): bigint => {
  const value = written(text) ?? 0n
  return value < 0n ? 0n : value
}
