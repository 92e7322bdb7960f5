/**
 * Reads the printed documents from the lines of the electronic journal alone, independent of the driver and of the
 * device's own sums.
 */
import type { Emulator } from '../../emulator/emulator.ts'
import { decimal } from '../oracle/decimal.ts'
import { memoryIdOf } from './memory-id.ts'

export interface Document {
  readonly device: string
  readonly number: number
  readonly kind: string
  readonly z: number
  readonly marks: readonly number[]
  readonly texts: readonly number[]
  /** Quantities of the rows in thousandths, without voided rows and their voids. */
  readonly quantities: readonly bigint[]
  /** Quantities of all sold rows, including voided ones: some devices cancel a receipt by voiding each row. */
  readonly sold: readonly bigint[]
  readonly discounts: readonly bigint[]
  readonly adjusted: readonly bigint[]
  readonly cards: readonly bigint[]
  readonly total: bigint | undefined
  readonly isVoid: boolean
  readonly barcodes: number
  readonly hasDoubledLine: boolean
}

/** Returns the text that names a request on a receipt or slip that the request prints whole. */
export const markOf = (request: number): string => `order-${request}-`

/** Returns the text of a request that prints one line only. */
export const lineMarkOf = (request: number): string => `line-${request}-`

/** EAN-8 data of the barcodes of all requests. */
export const BARCODE = '12345670'

const MARK = /order-(\d+)-/
const LINE_MARK = /line-(\d+)-/
const ROW = /^\s*(\d+(?:\.\d+)?) (?:\p{L}+ )?x \d/u
const AMOUNT = /^(\S.*?)\s+(\d+\.\d\d)\s*$/
const VOID = /\bvoid\b/i
const PERCENT = /(\d{1,3}\.\d\d)%/
const ADJUSTMENT_AMOUNT = /\s-?(\d+\.\d\d)\s*$/
/** Matches a negative amount, which marks a void. Family B prints the amount on the next line. */
const BELOW_ZERO = /-\d+\.\d\d(?: [A-H])?\s*$/
const CARD_MODE = 1

interface Words {
  readonly total: string
  readonly card: string | undefined
  readonly subtotal: string
  readonly powerLoss: string | undefined
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
  // The substring tests are cheap, and avoid the patterns for most lines.
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
    const change = isAdjustment && discount === undefined ? ADJUSTMENT_AMOUNT.exec(line)?.[1] : undefined
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

const SEPARATING_LINE = /^#?([-=.*_])(?:\1{9,}|(?: \1){7,}) *#?$/

/**
 * Ignores the line about a power loss, which a device may print between two equal lines, and the lines after the total,
 * where the device itself prints separating lines.
 */
function isDoubled(lines: readonly string[], { total, subtotal, powerLoss }: Words): boolean {
  const end = lines.findIndex((line) => line.startsWith(total))
  const all = lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.trim())
    .filter((line) => line !== powerLoss)
  return all.some((line, index) => line === all[index - 1] && (SEPARATING_LINE.test(line) || line.startsWith(subtotal)))
}

export class JournalReader {
  readonly #emulator: Emulator
  readonly #read: Document[] = []
  readonly #receipts: Document[] = []

  constructor(emulator: Emulator) {
    this.#emulator = emulator
  }

  /** Returns all documents, oldest first. Printed documents never change, so each is read only once. */
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

  receipts(): readonly Document[] {
    this.documents()
    return this.#receipts
  }
}

export const isClosedReceipt = ({ kind }: Pick<Document, 'kind'>): boolean => kind === 'fiscal' || kind === 'invoice'

export const documentsIn = (journals: readonly JournalReader[]): readonly Document[] =>
  inAll(journals, (one) => one.documents())

export const receiptsIn = (journals: readonly JournalReader[]): readonly Document[] =>
  inAll(journals, (one) => one.receipts())

/** The list is not copied if there is only one device, as in most runs. */
const inAll = (journals: readonly JournalReader[], read: (one: JournalReader) => readonly Document[]) =>
  journals.length === 1 ? read(journals[0] as JournalReader) : journals.flatMap(read)
