/**
 * Replays traffic of family C into a ledger (sheet C 2.2 to 2.4, 4.5 to 4.14, 5.1, 5.3a). The protocol reports no
 * document number at open or close, so the ledger counts receipts. Each frame that was answered with a clean ACK or
 * with data counts, even if it equals the frame before.
 */

import { decimal } from './decimal.ts'
import { type MessageC, readC } from './frames-c.ts'
import { beginLedger, type Ledger, type Piece, type ReplayOptions } from './ledger.ts'
import { type Adjustment, adjustmentOf, rowAmount } from './totals.ts'

const amount = (text: string | undefined): bigint | undefined => (text?.trim() ? decimal(text, 2) : undefined)
const quantity = (text: string | undefined): bigint => (text ? (decimal(text, 3) ?? 0n) : 1000n)

/** Tax signs are C0h and up, Latin letters from A, or the digits 0 to 7 (4.8). */
function groupOf(sign: string): number {
  const code = sign.charCodeAt(0)
  if (code >= 0xc0) return code - 0xc0
  if (code >= 0x41) return code - 0x41
  return code >= 0x30 && code <= 0x37 ? code - 0x30 : 0
}

function adjustment(percent: string | undefined, value: string | undefined): Adjustment | undefined {
  const part = percent ? (decimal(percent.replace('%', ''), 2) ?? 0n) : 0n
  if (part !== 0n) return { percent: part }
  const size = amount(value) ?? 0n
  return size !== 0n ? { amount: size } : undefined
}

export function replayC(pieces: readonly Piece[], listening: ReplayOptions): Ledger {
  const books = beginLedger(listening)
  let request: MessageC | undefined
  for (const piece of pieces) {
    const read = readC(piece.bytes)
    if ('wrong' in read) {
      if (piece.direction === 'toHost') books.disagreements.push(`an answer cannot be read: ${read.wrong}`)
      continue
    }
    for (const part of read) {
      if (part.kind === 'single' || part.kind === 'loose') {
        // After NACK and RETRY, the frame was not executed.
        if (piece.direction === 'toHost' && part.kind === 'single' && (part.byte === 0x15 || part.byte === 0x0e)) {
          request = undefined
        }
        continue
      }
      if (piece.direction === 'toDevice') {
        request = part.kind === 'message' ? part : undefined
        continue
      }
      if (!request || part.number !== request.number) continue
      const isExecuted = part.kind === 'message' || (part.device === 0 && part.refusal === 0)
      const answer = part.kind === 'message' ? part.data : ''
      if (isExecuted) (STEPS[request.command] ?? query)(books, { command: request.command, data: request.data, answer })
      request = undefined
    }
  }
  return books
}

interface Exchange {
  readonly command: number
  readonly data: string
  readonly answer: string
}

const STEPS: Readonly<Record<number, (books: Ledger, exchange: Exchange) => void>> = {
  32: compareState,
  46: (books) => books.openNonFiscal(),
  47: (books) => books.closeNonFiscal(),
  48: (books, { data }) => books.openReceipt(kindOf(data)),
  49: freeSale,
  50: articleSale,
  51: subtotal,
  52: freeSale,
  53: payment,
  54: payAndClose,
  56: (books) => (books.open || !books.nonFiscalOpen ? books.closeReceipt() : books.closeNonFiscal()),
  57: cancel,
  59: cash,
  75: programArticle,
  124(books, { data }) {
    if (data === 'Z') books.closeDay((books.closedDays.at(-1)?.number ?? 0) + 1)
  },
}

/** Bit 0 of byte 2 means that a non-fiscal receipt is open, and bit 1 a fiscal one. */
function compareState(books: Ledger, { answer }: Exchange): void {
  const byte = answer.charCodeAt(2)
  books.disagree('status 2.1', (byte & 2) !== 0 ? 'on' : 'off', books.open ? 'on' : 'off')
  books.disagree('status 2.0', (byte & 1) !== 0 ? 'on' : 'off', books.nonFiscalOpen ? 'on' : 'off')
}

/**
 * The print symbol is a bit field: bit 0 means invoice, and bit 6 reversal. Forms with fewer than five fields have no
 * symbol.
 */
function kindOf(data: string): 'sale' | 'invoice' | 'reversal' {
  const fields = data.split('$')[0]?.split(';') ?? []
  const symbol = (fields.length >= 5 ? fields[4] : '0')?.charCodeAt(0) ?? 0x30
  if ((symbol & 0x40) !== 0) return 'reversal'
  return (symbol & 1) !== 0 ? 'invoice' : 'sale'
}

function freeSale(books: Ledger, { command, data }: Exchange): void {
  const rest = data.slice(36)
  const match = /^;(.);([+-]?[\d.]+)(?:\*([\d./]+))?(?:,([+-]?[\d.]+%?))?(?::([+-]?[\d.]+))?(?:!(.))?$/s.exec(rest)
  if (!match) {
    books.disagreements.push(`the sale ${JSON.stringify(data)} was accepted and cannot be read`)
    return
  }
  const [, sign = ' ', price, count, percent, value] = match
  const unitPrice = amount(price) ?? 0n
  // Command 34h sells from a department. Its tax group is a setting that the ledger does not read, so every department
  // counts as group A.
  const group = command === 0x34 ? 0 : groupOf(sign)
  const name = data.slice(0, 36).trim()
  const key = `${name}|${group}|${unitPrice < 0n ? -unitPrice : unitPrice}`
  const change = adjustment(percent, value)
  if (unitPrice < 0n) {
    correct(books, group, rowAmount(-unitPrice, quantity(count)), change)
    return
  }
  books.sell({ key, group, price: unitPrice, quantity: quantity(count), ...(change ? { adjustment: change } : {}) })
}

/** A correction of a sale names no row, and requires only enough turnover of its class (4.8). */
function correct(books: Ledger, group: number, bare: bigint, change: Adjustment | undefined): void {
  if (!books.open) {
    books.disagreements.push('a correction was accepted and no receipt is open')
    return
  }
  const taken = bare + (change ? adjustmentOf(bare, change) : 0n)
  books.open.entries.push({ what: 'void', group, amount: taken })
  for (const what of books.sums().impossible) books.disagreements.push(`receipt ${books.open.number}: ${what}`)
}

function articleSale(books: Ledger, { data }: Exchange): void {
  const match = /^([+\- ]?);?(\d{1,5})(?:\$([\d.]+))?(?:\*([\d.]+))?(?:,([+-]?[\d.]+%?))?(?::([+-]?[\d.]+))?$/.exec(
    data,
  )
  const number = Number(match?.[2])
  const article = books.articles.get(number)
  if (!match || !article) {
    books.disagreements.push(`article sale ${data} was accepted, but the books do not contain it`)
    return
  }
  const unitPrice = amount(match[3]) ?? article.price
  const count = quantity(match[4])
  const change = adjustment(match[5], match[6])
  if (match[1] === '-') {
    correct(books, article.group, rowAmount(unitPrice, count), change)
    return
  }
  const adjusted = change ? { adjustment: change } : {}
  books.sell({
    key: `article ${number}|${unitPrice}`,
    group: article.group,
    price: unitPrice,
    quantity: count,
    ...adjusted,
  })
}

/** The answer is the sum before the adjustment. */
function subtotal(books: Ledger, { data, answer }: Exchange): void {
  books.compareMoney('subtotal', amount(answer), books.sums().total)
  const match = /^\d;\d(?::([+-]?[\d.]+))?(?:,([+-]?[\d.]+%?))?$/.exec(data)
  const change = adjustment(match?.[2], match?.[1])
  if (change) books.adjustSubtotal(change)
}

function payment(books: Ledger, { data }: Exchange): void {
  const [type, , size = ''] = data.split(/[;*]/)
  if (size === '-') {
    books.dropPayments()
    return
  }
  books.pay(Number(type), size === '"' ? undefined : amount(size))
}

/** After a payment, 39h pays the remaining amount and closes. */
function cancel(books: Ledger): void {
  if ((books.open?.payments.length ?? 0) === 0) {
    books.cancelReceipt()
    return
  }
  payAndClose(books)
}

function payAndClose(books: Ledger): void {
  if (books.sums().due > 0n) books.pay(0, undefined)
  books.closeReceipt()
}

function cash(books: Ledger, { data }: Exchange): void {
  const size = amount(data.split(';')[3]?.split(/[$@]/)[0]) ?? 0n
  books.moveCash(size)
}

function programArticle(books: Ledger, { data }: Exchange): void {
  const fields = data.split(';')
  const option = fields[1]?.startsWith('#@1')
  const price = option ? fields[3] : fields[2]
  const group = option ? fields[5] : fields[3]
  if (!fields[0] || price === undefined || group === undefined) return
  books.articles.set(Number(fields[0]), { group: groupOf(group), price: amount(price) ?? 0n })
}

function query(books: Ledger, { command, data, answer }: Exchange): void {
  const fields = answer.split(';')
  const day = books.day()
  if (command === 0x6d) books.compareGroups('day', fields.slice(0, 8).map(amount), day.groups)
  if (command === 0x6e && data === '0') {
    books.compareMoney('cash on hand', amount(fields[1]), day.drawer)
    for (let mode = 1; mode <= 3; mode++) {
      books.compareMoney(`payment ${mode} on hand`, amount(fields[mode + 1]), day.payments.get(mode) ?? 0n)
    }
  }
  if (command === 0x6e && data === '1') {
    const rows = [day.discounts, day.surcharges, day.voids]
    rows.forEach((book, index) => {
      const name = ['discounts', 'surcharges', 'corrections'][index] ?? ''
      books.disagree(`count of ${name}`, Number(fields[2 + index * 2]), book.count)
      books.compareMoney(name, amount(fields[3 + index * 2]), book.amount)
    })
  }
  if (command === 0x72 && data === '') {
    books.disagree('72h open', fields[0], books.open ? '1' : '0')
    if (!books.open) return
    const at = [2, 3, 4, 14, 15, 16, 17, 18]
    books.compareGroups(
      '72h',
      at.map((index) => amount(fields[index])),
      books.sums().groups,
    )
  }
  if (command === 0x6b && fields.length > 8) {
    const general = fields[1] === '1' || fields[1] === '"'
    const price = general ? fields[3] : fields[2]
    const group = general ? fields[5] : fields[3]
    if (group) books.articles.set(Number(fields[0]), { group: groupOf(group), price: amount(price) ?? 0n })
  }
}
