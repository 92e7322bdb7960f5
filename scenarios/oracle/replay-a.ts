/**
 * Replays traffic of family A into a ledger (sheet A 2.6, 3, 6.2 to 6.7, 6.11, 6.13, 7, 9.1). The number of fields of
 * an answer identifies the edition. A request counts once, when it was answered with code 0.
 */

import { listen } from './conversation.ts'
import { decimal } from './decimal.ts'
import { type DeviceFrameA, type HostFrameA, readDeviceFramesA, readHostA } from './frames-a.ts'
import type { Ledger, Piece, ReplayOptions, Sale } from './ledger.ts'
import { type Adjustment, adjustmentOf, type CountedAmount, rowAmount } from './totals.ts'

const amount = (text: string | undefined): bigint | undefined => (text ? decimal(text, 2) : undefined)
const quantity = (text: string | undefined): bigint => (text ? (decimal(text, 3) ?? 0n) : 1000n)

/** Types 1 to 4 of sheet A 6.4: surcharge %, discount %, surcharge, discount. */
function adjustment(type: string | undefined, value: string | undefined): Adjustment | undefined {
  const size = amount(value) ?? 0n
  if (size === 0n) return undefined
  if (type === '1') return { percent: size }
  if (type === '2') return { percent: -size }
  if (type === '3') return { amount: size }
  if (type === '4') return { amount: -size }
  return undefined
}

export const replayA = (pieces: readonly Piece[], listening: ReplayOptions): Ledger =>
  listen<HostFrameA, DeviceFrameA>(pieces, listening, {
    readHost: readHostA,
    readDevice: readDeviceFramesA,
    isRepeat: (frame, before) => frame.seq === before.seq,
    isAnswer: (frame, request) => frame.seq === request.seq,
    follow,
  })

interface Exchange {
  readonly command: number
  readonly ask: readonly string[]
  readonly answer: readonly string[]
  readonly bits: readonly string[]
}

function follow(books: Ledger, request: HostFrameA, answer: DeviceFrameA): void {
  books.disagree('command of the answer', answer.command, request.command)
  const [code, ...fields] = answer.fields
  if (request.command === 90 || code !== '0') return
  const { command, fields: ask } = request
  const step = STEPS[command] ?? query
  step(books, { command, ask, answer: fields, bits: answer.bits })
}

const STEPS: Readonly<Record<number, (books: Ledger, exchange: Exchange) => void>> = {
  38: (books) => books.openNonFiscal(),
  39: (books) => books.closeNonFiscal(),
  43(books, { answer, bits }) {
    if (bits.includes('2.3')) books.openReceipt('reversal', Number(answer[0]))
  },
  48: (books, { ask, answer }) => books.openReceipt(ask.slice(3).includes('I') ? 'invoice' : 'sale', Number(answer[0])),
  49: sale,
  51: subtotal,
  53: payment,
  56(books, { answer }) {
    books.disagree('document number at close', answer[0], books.open?.number ?? 'none')
    books.closeReceipt()
  },
  58: articleSale,
  60: (books) => books.cancelReceipt(),
  69: report,
  70: cash,
}

function sale(books: Ledger, { ask }: Exchange): void {
  const price = amount(ask[2]) ?? 0n
  const group = Number(ask[1]) - 1
  const change = adjustment(ask[4], ask[5])
  const unit = price < 0n ? -price : price
  const row = { key: `${ask[0]}|${group}|${unit}`, group, price: unit, quantity: quantity(ask[3]) }
  sell(books, { ...row, ...(change && { adjustment: change }) }, price < 0n)
}

function articleSale(books: Ledger, { ask }: Exchange): void {
  const number = Math.abs(Number(ask[0]))
  const article = books.articles.get(number)
  if (!article) {
    books.disagreements.push(`article ${number} was sold, but the books do not contain it`)
    return
  }
  const price = amount(ask[2]) ?? article.price
  const change = adjustment(ask[3], ask[4])
  const row = { key: `article ${number}|${price}`, group: article.group, price, quantity: quantity(ask[1]) }
  sell(books, { ...row, ...(change && { adjustment: change }) }, ask[0]?.startsWith('-') === true)
}

function sell(books: Ledger, sale: Sale, isVoid: boolean): void {
  if (!isVoid) {
    books.sell(sale)
    return
  }
  const { key, group, price, quantity: count, adjustment: change } = sale
  const bare = rowAmount(price, count)
  books.voidQuantity(key, count, group, bare + (change ? adjustmentOf(bare, change) : 0n))
}

function subtotal(books: Ledger, { ask, answer }: Exchange): void {
  const change = adjustment(ask[2], ask[3])
  if (change) books.adjustSubtotal(change)
  const sums = books.sums()
  books.disagree('document number at the subtotal', answer[0], books.open?.number ?? 'none')
  books.compareMoney('subtotal', amount(answer[1]), sums.total)
  books.compareGroups('subtotal', answer.slice(2).map(amount), sums.groups)
}

/** Payment mode of edition RO (9.1). BG has no mode 7. */
const CASH_ADVANCE = 7

function payment(books: Ledger, { ask, answer }: Exchange): void {
  const before = books.sums().change
  const mode = Number(ask[0] || '0')
  books.pay(mode, amount(ask[1]), mode === CASH_ADVANCE)
  const { due, change } = books.sums()
  books.disagree('word of the payment', answer[0], change > before ? 'R' : 'D')
  books.compareMoney('amount of the payment', amount(answer[1]), change > before ? change - before : due)
}

function cash(books: Ledger, { ask, answer }: Exchange): void {
  const size = amount(ask[1]) ?? 0n
  if (size !== 0n && ask[0] === '0') books.moveCash(size)
  if (size !== 0n && ask[0] === '1') books.moveCash(-size)
  const day = books.day()
  books.compareMoney('drawer', amount(answer[0]), day.drawer)
  books.compareMoney('paid in', amount(answer[1]), day.cashIn.amount)
  const out = amount(answer[2]) ?? 0n
  books.compareMoney('paid out', out < 0n ? -out : out, day.cashOut.amount)
}

function report(books: Ledger, { ask: [kind = ''], answer }: Exchange): void {
  const letter = kind || 'X'
  if (letter !== 'X' && letter !== 'Z') return
  const day = books.day()
  const number = Number(answer[0])
  if (answer.length === 10) {
    // RO reports seven groups, the sum of invoices, and its tax.
    books.compareGroups(`${letter} ${number}`, answer.slice(1, 8).map(amount), day.groups)
    books.compareMoney(`${letter} ${number}, invoices`, amount(answer[8]), sumOf(day.invoices))
    books.compareMoney(`${letter} ${number}, tax of invoices`, amount(answer[9]), sumOf(day.invoiceTaxes))
  } else {
    books.compareGroups(`${letter} ${number}`, answer.slice(1, 9).map(amount), day.groups)
    books.compareGroups(`${letter} ${number}, reversals`, answer.slice(9, 17).map(amount), day.reversals)
  }
  if (letter === 'Z') books.closeDay(number)
  else books.disagree('number of X', number, (books.closedDays.at(-1)?.number ?? number - 1) + 1)
}

const sumOf = (groups: readonly bigint[]): bigint => {
  let sum = 0n
  for (const group of groups) sum += group
  return sum
}

function query(books: Ledger, { command, ask, answer }: Exchange): void {
  const day = books.day()
  const counted = (where: string, at: number, book: CountedAmount): void => {
    books.disagree(`count of ${where}`, answer[at], book.count)
    books.compareMoney(where, amount(answer[at + 1]), book.amount)
  }
  if (command === 65) {
    const sums = answer.slice(1).map(amount)
    const isRo = sums.length === 7
    if ((ask[0] ?? '0') === '0') books.compareGroups('day', sums, day.groups)
    if (ask[0] === '1') books.compareGroups('tax of the day', sums, day.taxes)
    if (ask[0] === '2') books.compareGroups('type 2 of the day', sums, isRo ? day.invoices : day.reversals)
    if (ask[0] === '3' && isRo) books.compareGroups('tax of the invoices of the day', sums, day.invoiceTaxes)
  }
  const closed = books.closedDays.at(-1)
  // The answer to 64 ends with a date in BG, and with a time in RO.
  const closedGroups = answer.slice(1, answer.at(-1)?.includes(':') ? 8 : 9).map(amount)
  if (command === 64 && closed && (ask[0] ?? '0') === '0') {
    books.compareGroups('last closure', closedGroups, closed.sums.groups)
  }
  if (command === 64 && closed && ask[0] === '1') {
    books.compareGroups('tax of the last closure', closedGroups, closed.sums.taxes)
  }
  if (command === 103 && books.open) {
    books.compareGroups('receipt', answer.slice(0, answer.length === 8 ? 7 : 8).map(amount), books.sums().groups)
  }
  if (command === 76 && books.open) {
    // RO sends closure and fiscal number after the document.
    const [sum, paid] = answer.slice(answer.length === 7 ? 5 : 3)
    books.disagree('document number of 76', answer[1], books.open.number)
    books.compareMoney('sum of 76', amount(sum), books.sums().total)
    books.compareMoney('paid of 76', amount(paid), books.sums().tendered)
  }
  if (command === 110 && (ask[0] ?? '0') === '0') {
    for (let mode = 0; mode <= 5; mode++) {
      books.compareMoney(`payment ${mode} of the day`, amount(answer[mode]), day.payments.get(mode) ?? 0n)
    }
  }
  if (command === 110 && ask[0] === '3') {
    counted('surcharges', 0, day.surcharges)
    counted('discounts', 2, day.discounts)
  }
  if (command === 110 && ask[0] === '4') {
    counted('voids', 0, day.voids)
    counted('cancelled receipts', 2, day.cancelled)
  }
  if (command === 110 && ask[0] === '5') {
    counted('cash in', 0, day.cashIn)
    counted('cash out', 2, day.cashOut)
  }
  if (command === 107 && ask[0] === 'P') programArticle(books, ask[1], ask[2], ask[6])
  if (command === 107 && 'RFLNfln'.includes(ask[0] ?? '?')) programArticle(books, answer[0], answer[1], answer[5])
  // RO writes one to five rates, and the others do not change.
  if (command === 83) books.rates = ask.length > 5 ? ask.slice(0, 8).map(rate) : changed(books.rates, ask)
  if (command === 50) books.rates = answer.slice(1, -1).map(rate)
}

const changed = (rates: readonly bigint[], written: readonly string[]): bigint[] =>
  rates.map((before, group) => (written[group] ? rate(written[group]) : before))

/** A rate of 100.00 or more disables a group. */
const rate = (text: string): bigint => {
  const value = amount(text) ?? 0n
  return value >= 10_000n ? 0n : value
}

/** Tax groups of items are letters, Latin or Cyrillic (bytes C0h and up in code page 1251). */
function programArticle(
  books: Ledger,
  number: string | undefined,
  group: string | undefined,
  price: string | undefined,
): void {
  if (!number || !group) return
  const code = group.charCodeAt(0)
  books.articles.set(Number(number), { group: code >= 0xc0 ? code - 0xc0 : code - 0x41, price: amount(price) ?? 0n })
}
