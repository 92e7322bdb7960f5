/**
 * What the device has printed, read from the lines of its journal alone: which requests they name, what was sold, paid
 * and totalled. Knows nothing of the driver, nor of the device's own sums.
 */
import type { Emulator } from '../../emulator/emulator.ts'
import { decimal } from '../oracle/totals.ts'

export interface Document {
  readonly number: number
  readonly kind: string
  /** Of the Z that it belongs to. */
  readonly z: number
  /** Numbers of the requests whose marks stand on it. */
  readonly marks: readonly number[]
  /** Quantities of its rows, in thousandths. */
  readonly quantities: readonly bigint[]
  /** Amounts paid by card. */
  readonly cards: readonly bigint[]
  readonly total: bigint | undefined
  readonly isVoid: boolean
}

/** A line of text that names a request. */
export const markOf = (request: number): string => `order-${request}-`

const MARK = /order-(\d+)-/
const ROW = /^\s*(\d+(?:\.\d+)?) x \d/
const TOTAL = /^TOTAL\s+(\d+\.\d\d)\s*$/
const CARD = /^(?:CARD|Card|PAYMENT 1)\s+(\d+\.\d\d)\s*$/
const VOID = /\bvoid\b/i

function read(number: number, kind: string, z: number, lines: readonly string[]): Document {
  const marks: number[] = []
  const quantities: bigint[] = []
  const cards: bigint[] = []
  let total: bigint | undefined
  let isVoid = false
  for (const line of lines) {
    const mark = MARK.exec(line)?.[1]
    const row = ROW.exec(line)?.[1]
    const sum = TOTAL.exec(line)?.[1]
    const card = CARD.exec(line)?.[1]
    if (mark !== undefined) marks.push(Number(mark))
    if (row !== undefined) quantities.push(decimal(row, 3) ?? 0n)
    if (sum !== undefined) total = decimal(sum, 2)
    if (card !== undefined) cards.push(decimal(card, 2) ?? 0n)
    if (VOID.test(line)) isVoid = true
  }
  return { number, kind, z, marks, quantities, cards, total, isVoid }
}

export class JournalReader {
  readonly #emulator: Emulator
  #read: Document[] = []

  constructor(emulator: Emulator) {
    this.#emulator = emulator
  }

  /** All documents, oldest first. What is written never changes, so it is read once. */
  documents(): readonly Document[] {
    const { journal, counters } = this.#emulator.device
    const from = (this.#read.at(-1)?.number ?? 0) + 1
    if (counters.lastDocument < from) return this.#read
    for (const { document, kind, z } of journal.documents({ from })) {
      this.#read.push(read(document, kind, z, journal.linesOf(document)))
    }
    return this.#read
  }

  /** Fiscal receipts that were closed. */
  receipts(): readonly Document[] {
    return this.documents().filter(({ kind }) => kind === 'fiscal' || kind === 'invoice')
  }
}
