/**
 * How far a request has got on the device, and by what its own work can be told from anybody else's. Recovery reads it
 * when an answer is lost: in the same request (rescue.ts), before the next one (recovery.ts), or after a restart
 * (answers.ts keeps it on disk).
 */
import type { Money } from '../../drivers/model/money.ts'
import { type Evidence, UNTOLD_DAY } from '../../drivers/model/printer.ts'
import type { ArticleSale, Payment, Subtotal, TextLine } from '../../drivers/model/receipt.ts'
import type { ClosedAs } from './settle.ts'

export type Undertaking =
  /** Opens, fills, pays and closes by itself. */
  | 'fiscalReceipt'
  | 'nonFiscalReceipt'
  /** Closes a receipt that other requests have filled. */
  | 'closeFiscal'
  | 'closeNonFiscal'
  /** One command that takes a document number of its own: a report, a copy, cash in or out. */
  | 'document'
  /** One command inside a receipt. */
  | 'step'

const UNDERTAKINGS = [
  'fiscalReceipt',
  'nonFiscalReceipt',
  'closeFiscal',
  'closeNonFiscal',
  'document',
  'step',
] as const satisfies readonly Undertaking[]
const STAGES = [
  'before',
  'opening',
  'filling',
  'paying',
  'closing',
  'cancelling',
  'done',
] as const satisfies readonly Stage[]

/** A record as the journal has it; a sentence's end where it cannot be read: another version may have written it. */
export function readRecord(text: string): ProgressRecord | { readonly unreadable: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { unreadable: 'it is damaged' }
  }
  if (typeof value !== 'object' || value === null) return { unreadable: 'it is damaged' }
  const { undertaking, stage } = value as Partial<ProgressRecord>
  const isKnown = UNDERTAKINGS.some((one) => one === undertaking) && STAGES.some((one) => one === stage)
  return isKnown ? notHeld(value as ProgressRecord) : { unreadable: 'another version of fiscal-rig has written it' }
}

/** Who had the line since the record was written, nobody knows. */
function notHeld(record: ProgressRecord): ProgressRecord {
  if (record.before === null || record.before === undefined) return record
  const { hold: _hold, ...before } = record.before
  return { ...record, before }
}

/**
 * `cancelling`: recovery takes the receipt back, so that one that is no longer open is not taken for a closed one.
 * `done`: the document of this request is closed; what may follow it (a drawer, a report) does not undo it.
 */
export type Stage = 'before' | 'opening' | 'filling' | 'paying' | 'closing' | 'cancelling' | 'done'

/** What a document is that takes a number of its own. */
export type DocumentKind = 'x' | 'z' | 'copy' | 'cashIn' | 'cashOut'

/** What a step changes in the state of the device. */
export type Step =
  | { readonly does: 'open' | 'openNonFiscal' | 'cancel' }
  | SaleStep
  | { readonly does: 'payment'; readonly payment: Payment }
  | { readonly does: 'subtotal'; readonly subtotal: Subtotal }
  /** A line of text, a barcode, a separating line: on the paper, and in nothing that a device tells. */
  | { readonly does: 'print' }
  /** Nothing: done twice, it is as good as done once. */
  | { readonly does: 'ask' }

/** One row; what it comes to tells it from a row of another program. Of an article, the device knows the price. */
export interface SaleStep {
  readonly does: 'sale'
  readonly row?: SoldRow
}

export type SoldRow = Pick<ArticleSale, 'quantity' | 'void' | 'adjustment'> & {
  readonly price?: Money
  readonly plu?: number
}

export interface ReceiptPayment extends Payment {
  /** Printed before this payment, after the one before. */
  readonly textsBefore?: readonly TextLine[]
}

/** What a composite receipt is to come to, written down before its first payment. */
export interface Settlement {
  /** The device's own sum; null: it was not asked, or its wire cannot tell. */
  readonly total: Money | null
  /** Empty: the whole sum in cash. */
  readonly payments: readonly ReceiptPayment[]
  /** So many of them may have been taken by the device. */
  readonly begun: number
  /** The rest was paid in cash, because it could not be paid as asked. */
  readonly inCash?: true
  /** Another program had paid a part before. */
  readonly byOther?: true
  /** The lines of text before the last payment that was begun are printed. */
  readonly textsPrinted?: true
  /** Every line of text of the request; absent: none stands before a payment. */
  readonly texts?: readonly string[]
}

/** One of the calls of a job that has several: what is printed of it stays printed, and a repeat goes on behind it. */
export interface Part {
  /** Under which the job's prints are recorded (prints.ts). */
  readonly job: string
  readonly index: number
  readonly isLast: boolean
}

/** What leaves no sum, and whose command was written again or was not answered: a line of text, or another element. */
export interface Doubtful {
  readonly is: 'text' | 'barcode' | 'separatingLine' | 'subtotal'
  /** Of a line of text, and the data of a barcode; '' of the others. */
  readonly text: string
  /** So often the request has it; 1 of those that have no text. */
  readonly times: number
  /** Of a text: those of the same request that are not the same, and may be printed alike. */
  readonly others?: readonly string[]
  /** It was not answered. */
  readonly mayBeMissing?: true
}

export interface ProgressRecord {
  readonly undertaking: Undertaking
  readonly stage: Stage
  /** It is about this part of the job; absent: about the whole request. */
  readonly part?: Part
  /** What the device said of itself before the first command; null: it would not say. */
  readonly before: Evidence | null
  /** It was not asked for this request: the operation before had left the device so. */
  readonly isRemembered?: true
  /** Number that the device has given to the receipt of this request; of a close, that of the receipt it ends. */
  readonly document?: number
  readonly settlement?: Settlement
  /** Of a complete fiscal receipt, in their order. */
  readonly rows?: readonly SoldRow[]
  /** What its rows come to is not what it comes to: its subtotal is adjusted. */
  readonly isAdjusted?: true
  /** Its caller was told that nothing of it was sold: it can only be cancelled. */
  readonly isGivenUp?: true
  /** The request itself ends its receipt with a cancel. */
  readonly cancels?: true
  /** At `cancelling`: a receipt of 0.00 whose payment was begun looks the same paid and unpaid, so it may refuse that. */
  readonly perhapsPaid?: true
  readonly kind?: DocumentKind
  /** Of cash in or out. */
  readonly amount?: Money
  readonly step?: Step
  readonly doubtful?: readonly Doubtful[]
  /** Of the fiscal receipt that is closed (stage `done`), or that can only be ended. */
  readonly receiptNumber?: string
  /** How that receipt is closed, where it is not as it was asked for. */
  readonly as?: Exclude<ClosedAs, 'asked'>
  /** So far, where it is not all. */
  readonly paid?: { readonly paid: Money; readonly total: Money }
}

/** Opens, fills and ends a receipt by itself. */
export const isWholeReceipt = ({ undertaking }: ProgressRecord): boolean =>
  undertaking === 'fiscalReceipt' || undertaking === 'nonFiscalReceipt'

export const NOT_BEGUN: ProgressRecord = { undertaking: 'step', stage: 'before', before: null }

export function owing(record: ProgressRecord, { receiptNumber, paid }: Pick<ProgressRecord, 'receiptNumber' | 'paid'>) {
  const { paid: _before, ...rest } = record
  return { ...rest, ...(receiptNumber !== undefined && { receiptNumber }), ...(paid && { paid }) }
}

export type Begun = Partial<
  Pick<
    ProgressRecord,
    | 'before'
    | 'isRemembered'
    | 'rows'
    | 'isAdjusted'
    | 'document'
    | 'settlement'
    | 'cancels'
    | 'perhapsPaid'
    | 'doubtful'
    | 'kind'
    | 'amount'
    | 'step'
  >
>

/** Told before the command that it announces, so that settling itself may be cut off and begun again. */
export type Announce = (stage: Exclude<Stage, 'before' | 'done'>, more?: Begun) => void

export class Progress {
  #record = NOT_BEGUN
  #documents = 0
  #last: Evidence | undefined
  readonly #save: ((record: ProgressRecord) => void) | undefined

  /** `save` is called before the step that it announces. `last`: as the operation before has left it. */
  constructor(save?: (record: ProgressRecord) => void, last?: Evidence) {
    this.#save = save
    this.#last = last
  }

  /** What the device would say of itself now, as far as this program knows; undefined: it has to be asked. */
  get last(): Evidence | undefined {
    return this.#last
  }

  get record(): ProgressRecord {
    return this.#record
  }

  /**
   * Something of this request is on paper for good: a later failure does not mean that it may simply be tried again. A
   * job in parts may, because its repeat goes on behind what is printed.
   */
  get hasPrinted(): boolean {
    return this.#documents > 0 && this.#record.part === undefined
  }

  /** Another part of the job begins; what was told of the part before is about that one. */
  atPart(part: Part): void {
    this.#record = { ...NOT_BEGUN, part }
  }

  begin(undertaking: Undertaking, begun: Begun = {}): void {
    this.#last = undefined
    if (this.#record.stage !== 'done') this.#set({ ...this.#ofPart, ...begun, undertaking })
  }

  /** `more`: what is known by then. */
  reach(stage: Exclude<Stage, 'done'>, more: Begun = {}): void {
    const isNew = stage !== this.#record.stage || Object.keys(more).length > 0
    if (this.#record.stage !== 'done' && isNew) this.#set({ ...this.#record, ...more, stage })
  }

  /** The link has written it once more. */
  wroteAgain(element: Doubtful): void {
    this.#set({ ...this.#record, doubtful: [...(this.#record.doubtful ?? []), element] })
  }

  /** Nothing can undo the receipt of this request any more, and the device cannot end it now. */
  owes(owed: Pick<ProgressRecord, 'receiptNumber' | 'paid'>): void {
    this.#set(owing(this.#record, owed))
  }

  /** A receipt of this request is closed. */
  closed(receiptNumber?: string, as: ClosedAs = 'asked'): void {
    this.#documents++
    this.#set({
      ...this.#record,
      stage: 'done',
      ...(receiptNumber !== undefined && { receiptNumber }),
      ...(as !== 'asked' && { as }),
    })
    if (as === 'asked' && receiptNumber !== undefined) this.#last = behindReceipt(this.#record, Number(receiptNumber))
  }

  /** Another document of this request is printed; more may follow. */
  printed(): void {
    this.#documents++
    this.#last = undefined
  }

  get #ofPart(): ProgressRecord {
    const { part } = this.#record
    return part ? { ...NOT_BEGUN, part } : NOT_BEGUN
  }

  #set(record: ProgressRecord): void {
    this.#record = record
    this.#save?.(record)
  }
}

/** The evidence after a fiscal receipt that was closed as asked is the evidence before the next operation. */
function behindReceipt({ before, undertaking, document }: ProgressRecord, number: number): Evidence | undefined {
  if (undertaking !== 'fiscalReceipt' || before?.hold === undefined || document !== number) return undefined
  // What the receipt came to is not asked, so the sums of the day are not known.
  return { ...before, open: null, lastDocument: number, lastReceipt: number, day: UNTOLD_DAY }
}
