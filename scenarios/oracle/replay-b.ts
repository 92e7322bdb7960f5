/**
 * Listens to a conversation of family B and keeps the books of it (sheet B 5.4, 6.2, 6.5, 7, 8, 10). Its wire gives no
 * document number at open or close, so receipts are numbered by the order in which they were opened.
 */
import { beginLedger, type Ledger, type Listening, type Piece } from './books.ts'
import { type DeviceFrameB, type HostFrameB, hearDeviceB, readHostB } from './family-b.ts'
import { type Adjustment, decimal } from './totals.ts'

/** With a point as it is, without one in hundredths (6.3). */
const amount = (text: string | undefined): bigint | undefined => {
  if (text === undefined || text === '') return undefined
  return text.includes('.') ? decimal(text, 2) : decimal(text, 0)
}
/** What the host writes is in whole units unless it has a point. */
const written = (text: string | undefined): bigint | undefined => (text ? decimal(text, 2) : undefined)
const quantity = (text: string | undefined): bigint => (text ? (decimal(text, 3) ?? 0n) : 1000n)

/** Tax letter: P7 + group - 1, with P7 = C0h, or a blank followed by the Latin letters from A. */
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

export function replayB(pieces: readonly Piece[], listening: Listening): Ledger {
  const books = beginLedger(listening)
  let asked: HostFrameB | undefined
  let answered: { seq: number; command: number; bytes: string } | undefined
  let opened = 0
  for (const piece of pieces) {
    if (piece.direction === 'toDevice') {
      const frame = readHostB(piece.bytes)
      asked = 'wrong' in frame ? asked : frame
      continue
    }
    const heard = hearDeviceB(piece.bytes)
    // Streamed lines (10.9) are no frames; they begin with 1Ah.
    if ('wrong' in heard) {
      if (piece.bytes[0] !== 0x1a) books.disagreements.push(`an answer cannot be read: ${heard.wrong}`)
      continue
    }
    const { frame } = heard
    if (!frame || !asked || frame.seq !== asked.seq || frame.command !== asked.command) continue
    const spoken = Array.from(piece.bytes).join(' ')
    if (answered && answered.seq === frame.seq && answered.command === frame.command) {
      if (spoken !== answered.bytes) books.disagreements.push(`number ${frame.seq} was answered in two ways`)
      continue
    }
    answered = { seq: frame.seq, command: frame.command, bytes: spoken }
    if (frame.command === 48 && !refused(frame)) opened += 1
    follow(books, asked, frame, opened)
    books.disagree(
      `bit 2.3 after ${frame.command}`,
      frame.bits.includes('2.3') ? 'on' : 'off',
      books.open ? 'on' : 'off',
    )
    const nonFiscal = books.nonFiscalOpen ? 'on' : 'off'
    books.disagree(`bit 2.5 after ${frame.command}`, frame.bits.includes('2.5') ? 'on' : 'off', nonFiscal)
  }
  return books
}

const refused = (answer: DeviceFrameB): boolean =>
  answer.error !== 0 || ['0.0', '0.1', '0.5', '1.1'].some((bit) => answer.bits.includes(bit))

function follow(books: Ledger, asked: HostFrameB, answer: DeviceFrameB, opened: number): void {
  if (refused(answer)) return
  const told = answer.data.split(',')
  switch (asked.command) {
    case 38:
      books.openNonFiscal()
      return
    case 39:
      books.closeNonFiscal()
      return
    case 48: {
      const tail = asked.data.split('\t').slice(1).join('\t')
      books.openReceipt(opened, /^[RC]/.test(tail) ? 'reversal' : tail.startsWith('I') ? 'invoice' : 'sale')
      return
    }
    case 58:
      articleSale(books, asked.data)
      return
    case 49:
    case 52:
      freeSale(books, asked.data)
      return
    case 138:
      departmentSale(books, asked.data)
      return
    case 51:
      subtotal(books, asked.data, told)
      return
    case 53:
      payment(books, asked.data, answer.data)
      return
    case 56:
      books.closeReceipt()
      return
    case 130:
      books.cancelReceipt()
      return
    case 70:
      cash(books, asked.data, told)
      return
    case 69:
    case 108:
      report(books, asked.data, told)
      return
    default:
      query(books, asked, told)
      return
  }
}

function articleSale(books: Ledger, data: string): void {
  const match = /^([+-]?)(\d+)(?:\*([\d.]+))?(?:,([+-]?[\d.]+))?(?:@([\d.]+))?(?:\$([+-]?[\d.]+))?$/.exec(data)
  if (!match) {
    books.disagreements.push(`the sale ${data} was accepted and cannot be read`)
    return
  }
  const [, sign, plu, count, percent, price, netto] = match
  const article = books.articles.get(Number(plu))
  if (!article) {
    books.disagreements.push(`article ${plu} was sold and the books do not know it`)
    return
  }
  const unit = written(price) ?? article.price
  sellOrTakeBack(books, sign === '-', `article ${Number(plu)}|${unit}`, article.group, unit, count, percent, netto)
}

function freeSale(books: Ledger, data: string): void {
  const after = data.slice(data.indexOf('\t') + 1)
  const match = /^(.)([+-]?)([\d.]+)(?:\*([\d.]+))?(?:,([+-]?[\d.]+))?(?:\$([+-]?[\d.]+))?$/s.exec(after)
  if (!match) {
    books.disagreements.push(`the sale ${data} was accepted and cannot be read`)
    return
  }
  const [, sign, minus, price, count, percent, netto] = match
  const unit = written(price) ?? 0n
  const group = groupOf(sign)
  sellOrTakeBack(books, minus === '-', `free ${group}|${unit}`, group, unit, count, percent, netto)
}

/** Factory state (10.8): departments 1 to 8 belong to groups A to H, all others to A. */
function departmentSale(books: Ledger, data: string): void {
  const match = /^([+-]?)(\d+)@([\d.]+)(?:\*([\d.]+))?(?:,([+-]?[\d.]+))?(?:\$([+-]?[\d.]+))?$/.exec(data)
  if (!match) {
    books.disagreements.push(`the sale ${data} was accepted and cannot be read`)
    return
  }
  const [, sign, number, price, count, percent, netto] = match
  const department = Number(number)
  const group = department >= 1 && department <= 8 ? department - 1 : 0
  const unit = written(price) ?? 0n
  sellOrTakeBack(books, sign === '-', `department ${department}|${unit}`, group, unit, count, percent, netto)
}

function sellOrTakeBack(
  books: Ledger,
  back: boolean,
  key: string,
  group: number,
  price: bigint,
  count: string | undefined,
  percent: string | undefined,
  netto: string | undefined,
): void {
  if (back) {
    books.takeBackLine(key, quantity(count))
    return
  }
  const change = adjustment(percent, netto)
  books.sell({ key, group, price, quantity: quantity(count), ...(change ? { adjustment: change } : {}) })
}

function subtotal(books: Ledger, data: string, told: readonly string[]): void {
  const match = /^..(?:,([+-]?[\d.]+))?(?:\$([+-]?[\d.]+))?$/.exec(data)
  const change = adjustment(match?.[1], match?.[2])
  if (change) books.adjustSubtotal(change)
  books.compareMoney('subtotal', amount(told[0]), books.sums().total)
  const groups = told.slice(1).map(amount)
  books.compareGroups('subtotal', groups, books.sums().groups.slice(0, groups.length))
}

function payment(books: Ledger, data: string, answer: string): void {
  const after = data.slice(data.indexOf('\t') + 1)
  const word = answer.charAt(0)
  if (word !== 'D' && word !== 'R') return
  const before = books.sums().change
  books.pay(MODES[after.charAt(0) || 'P'] ?? 0, written(after.slice(1)))
  const { due, change } = books.sums()
  books.compareMoney(`amount of the payment (${word})`, written(answer.slice(1)), due > 0n ? due : change - before)
  // An exact payment is D or R, the editions differ (16.7).
  if (due > 0n) books.disagree('word of the payment', word, 'D')
  if (change > before) books.disagree('word of the payment', word, 'R')
}

function cash(books: Ledger, data: string, told: readonly string[]): void {
  if (told[0] !== 'P') return
  const size = written(data.split(',')[0]) ?? 0n
  if (size !== 0n) books.moveCash(size)
  const day = books.day()
  books.compareMoney('drawer', written(told[1]), day.drawer)
  books.compareMoney('paid in', written(told[2]), day.cashIn.amount)
  const out = written(told[3]) ?? 0n
  books.compareMoney('paid out', out < 0n ? -out : out, day.cashOut.amount)
}

function report(books: Ledger, data: string, told: readonly string[]): void {
  const item = data.charAt(0)
  const isZ = item === '' || item === '0' || item === '1' || item === '6' || item === 'N'
  const isX = item === '2' || item === '3'
  if (!isZ && !isX) return
  const day = books.day()
  const sums = told.slice(1).map(amount)
  if (sums.length === 16) {
    books.compareGroups(isZ ? 'Z' : 'X', sums.slice(0, 8), day.groups)
    books.compareGroups(isZ ? 'Z, reversals' : 'X, reversals', sums.slice(8), day.reversals)
  }
  if (isZ) books.closeDay(Number(told[0]))
}

function query(books: Ledger, asked: HostFrameB, told: readonly string[]): void {
  const day = books.day()
  const { command, data } = asked
  if (command === 65 && data === 'T') books.compareGroups('day', told.slice(0, 8).map(amount), day.groups)
  if (command === 65 && data !== 'T') {
    books.compareGroups(
      'net of the day',
      told.slice(0, 8).map(amount),
      day.groups.map((sum, at) => sum - (day.taxes[at] ?? 0n)),
    )
  }
  if (command === 110 && data === '') books.compareMoney('cash of the day', amount(told[0]), day.payments.get(0) ?? 0n)
  if (command === 76 && books.open) books.compareMoney('sum of 76', amount(told[2]), books.sums().total)
  if (command === 114 && told[0] === 'P') {
    const [number, option] = data.split(',')
    const closed = books.closedDays.find((one) => one.number === Number(number))
    const sums = told.slice(1, 9).map(amount)
    if (closed && option === '0') books.compareGroups(`Z ${number}`, sums, closed.sums.groups)
    if (closed && option === '2') books.compareGroups(`tax of Z ${number}`, sums, closed.sums.taxes)
    if (closed && option === '1') {
      const net = closed.sums.groups.map((sum, at) => sum - (closed.sums.taxes[at] ?? 0n))
      books.compareGroups(`net of Z ${number}`, sums, net)
    }
  }
  if (command === 97) books.rates = told.map((text) => rate(text))
  if (command === 107 && data.startsWith('P')) {
    const match = /^P(.)(\d+),([\d.]+),[^\n]*(?:\n[^,]*(?:,(\d+))?)?/s.exec(data)
    if (match) {
      const department = Number(match[4] ?? '0')
      // The group really comes from the department, when one is given (10.8).
      const group = department >= 1 && department <= 8 ? department - 1 : department > 8 ? 0 : groupOf(match[1])
      books.articles.set(Number(match[2]), { group, price: written(match[3]) ?? 0n })
    }
  }
  if (command === 107 && told[0] === 'P' && told.length > 5) {
    books.articles.set(Number(told[1]), { group: groupOf(told[3]), price: written(told[4]) ?? 0n })
  }
}

/** -1 forbids a group. */
const rate = (text: string): bigint => {
  const value = written(text) ?? 0n
  return value < 0n ? 0n : value
}
