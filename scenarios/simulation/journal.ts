/**
 * What the device has printed, read from the lines of its journal alone: which requests they name, what was sold, paid
 * and totalled. Knows nothing of the driver, nor of the device's own sums.
 */
import type { Emulator } from '../../emulator/emulator.ts'
import { decimal } from '../oracle/decimal.ts'
import { memoryIdOf } from './memory-id.ts'

export interface Document {
  /** Identity of the memory of the device that printed it (`memoryIdOf`). */
  readonly device: string
  readonly number: number
  readonly kind: string
  /** Of the Z that it belongs to. */
  readonly z: number
  /** Numbers of the requests whose marks stand on it. */
  readonly marks: readonly number[]
  /** Numbers of the requests that have printed one line on it. */
  readonly texts: readonly number[]
  /** Quantities of its rows, in thousandths; what was sold and taken back again stands in neither list. */
  readonly quantities: readonly bigint[]
  /** Of all that was sold, also where it was taken back: some devices take back row by row what is cancelled. */
  readonly sold: readonly bigint[]
  /** Percentages of its discounts and surcharges, in hundredths. */
  readonly discounts: readonly bigint[]
  /** Of those that say no percentage, the amounts. */
  readonly adjusted: readonly bigint[]
  /** Amounts paid by card. */
  readonly cards: readonly bigint[]
  readonly total: bigint | undefined
  readonly isVoid: boolean
  /** So many lines show the data of the barcode that receipts are printed with. */
  readonly barcodes: number
  /** A separating line or a subtotal stands right behind the same one. */
  readonly hasDoubledLine: boolean
}

/** A line of text that names a request. */
export const markOf = (request: number): string => `order-${request}-`

/** A line that is all of its request. */
export const lineMarkOf = (request: number): string => `line-${request}-`

/** EAN-8. */
export const BARCODE = '12345670'

const MARK = /order-(\d+)-/
const LINE_MARK = /line-(\d+)-/
const ROW = /^\s*(\d+(?:\.\d+)?) (?:\p{L}+ )?x \d/u
const AMOUNT = /^(\S.*?)\s+(\d+\.\d\d)\s*$/
const VOID = /\bvoid\b/i
const PERCENT = /(\d{1,3}\.\d\d)%/
const CHANGE = /\s-?(\d+\.\d\d)\s*$/
/** A row is taken back when its amount, on its own line or on the next one (family B), is below zero. */
const BELOW_ZERO = /-\d+\.\d\d [A-H]?\s*$/
const CARD_MODE = 1

/** What stands on this device's paper in front of a receipt's total, and of what was paid by card. */
interface Words {
  readonly total: string
  readonly card: string | undefined
  readonly subtotal: string
  readonly powerLoss: string | undefined
  /** In front of a discount and of a surcharge. */
  readonly adjustments: readonly string[]
}

interface Entry {
  readonly device: string
  readonly number: number
  readonly kind: string
  readonly z: number
  readonly lines: readonly string[]
}

function read({ device, number, kind, z, lines }: Entry, words: Words): Document {
  const marks: number[] = []
  const texts: number[] = []
  const sold: bigint[] = []
  const taken: bigint[] = []
  const discounts: bigint[] = []
  const adjusted: bigint[] = []
  const cards: bigint[] = []
  let total: bigint | undefined
  let isVoid = false
  // Most lines hold none of these: what cannot be in a line is not looked for with a pattern.
  for (const [index, line] of lines.entries()) {
    const mark = line.includes('order-') ? MARK.exec(line)?.[1] : undefined
    const row = line.includes('x ') ? ROW.exec(line)?.[1] : undefined
    const isAmount = line.startsWith(words.total) || (words.card !== undefined && line.startsWith(words.card))
    const [, label, amount = ''] = (isAmount && AMOUNT.exec(line)) || []
    const text = line.includes('line-') ? LINE_MARK.exec(line)?.[1] : undefined
    if (mark !== undefined) marks.push(Number(mark))
    if (text !== undefined) texts.push(Number(text))
    const isAdjustment = words.adjustments.some((one) => line.startsWith(one))
    const discount = isAdjustment ? PERCENT.exec(line)?.[1] : undefined
    const change = isAdjustment && discount === undefined ? CHANGE.exec(line)?.[1] : undefined
    if (row !== undefined) {
      const isBack = BELOW_ZERO.test(line) || (/=\s*$/.test(line) && BELOW_ZERO.test(lines[index + 1] ?? ''))
      ;(isBack ? taken : sold).push(decimal(row, 3) ?? 0n)
    }
    if (discount !== undefined) discounts.push(decimal(discount, 2) ?? 0n)
    if (change !== undefined) adjusted.push(decimal(change, 2) ?? 0n)
    if (label === words.total) total = decimal(amount, 2)
    if (label !== undefined && label === words.card) cards.push(decimal(amount, 2) ?? 0n)
    isVoid ||= VOID.test(line)
  }
  const quantities = [...sold]
  for (const one of taken) if (quantities.includes(one)) quantities.splice(quantities.indexOf(one), 1)
  const barcodes = lines.filter((line) => line.includes(BARCODE)).length
  const hasDoubledLine = isDoubled(lines, words)
  return {
    device,
    number,
    kind,
    z,
    marks,
    texts,
    quantities,
    sold,
    discounts,
    adjusted,
    cards,
    total,
    isVoid,
    barcodes,
    hasDoubledLine,
  }
}

const RULED = /^#?([-=.*_])(?:\1{9,}|(?: \1){7,}) *#?$/

/**
 * Some devices print between the two that they were without power. Behind the total the device rules off by itself, and
 * without taxes twice.
 */
function isDoubled(lines: readonly string[], { total, subtotal, powerLoss }: Words): boolean {
  const end = lines.findIndex((line) => line.startsWith(total))
  const all = lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.trim())
    .filter((line) => line !== powerLoss)
  return all.some((line, index) => line === all[index - 1] && (RULED.test(line) || line.startsWith(subtotal)))
}

export class JournalReader {
  readonly #emulator: Emulator
  readonly #read: Document[] = []
  readonly #receipts: Document[] = []

  constructor(emulator: Emulator) {
    this.#emulator = emulator
  }

  /** All documents, oldest first. What is written never changes, so it is read once. */
  documents(): readonly Document[] {
    const { journal, counters, profile, registers } = this.#emulator.device
    const from = (this.#read.at(-1)?.number ?? 0) + 1
    if (counters.lastDocument < from) return this.#read
    const card = registers.payments.find(({ mode }) => mode === CARD_MODE)?.name
    const { total, subtotal, discount, surcharge, powerLoss } = profile.paper.words
    const words = { total, subtotal, powerLoss, card, adjustments: [discount, surcharge] }
    const device = memoryIdOf(this.#emulator)
    for (const { document: number, kind, z } of journal.documents({ from })) {
      const one = read({ device, number, kind, z, lines: journal.linesOf(number) }, words)
      this.#read.push(one)
      if (isClosedReceipt(one)) this.#receipts.push(one)
    }
    return this.#read
  }

  /** Fiscal receipts that were closed. */
  receipts(): readonly Document[] {
    this.documents()
    return this.#receipts
  }
}

/** A fiscal receipt that was closed. */
export const isClosedReceipt = ({ kind }: Pick<Document, 'kind'>): boolean => kind === 'fiscal' || kind === 'invoice'

/** Documents of all these devices, oldest first on each. */
export const documentsIn = (journals: readonly JournalReader[]): readonly Document[] =>
  inAll(journals, (one) => one.documents())

/** Of them the fiscal receipts that were closed. */
export const receiptsIn = (journals: readonly JournalReader[]): readonly Document[] =>
  inAll(journals, (one) => one.receipts())

/** Most runs have one device, whose list need not be copied. */
const inAll = (journals: readonly JournalReader[], read: (one: JournalReader) => readonly Document[]) =>
  journals.length === 1 ? read(journals[0] as JournalReader) : journals.flatMap(read)
