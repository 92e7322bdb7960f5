/**
 * How far a request has got on the device. Recovery reads it when an answer is lost: in the same request
 * (receipt-flow.ts), before the next one (recovery.ts), or after a restart (answers.ts keeps it on disk).
 */

export type Undertaking =
  /** Opens, fills, pays and closes by itself. */
  | 'fiscalReceipt'
  | 'nonFiscalReceipt'
  /** Closes a receipt that other requests have filled. */
  | 'closeFiscal'
  /** One command that ends in a document of its own: a report, a copy, the close of a non-fiscal receipt. */
  | 'document'
  /** One command inside a receipt. */
  | 'step'

/**
 * `cancelling`: recovery takes the receipt back, so that one that is no longer open is not taken for a closed one.
 * `done`: the document of this request is closed; what may follow it (a drawer, a report) does not undo it.
 */
export type Stage = 'before' | 'opening' | 'filling' | 'paying' | 'closing' | 'cancelling' | 'done'

/** What the device can still tell about a document whose answer was lost. */
export type ReadBack = 'zReport' | 'lastReceipt'

/** One of the calls of a job that has several: what is printed of it stays printed, and a repeat goes on behind it. */
export interface Part {
  /** Under which the job's prints are recorded (prints.ts). */
  readonly job: string
  readonly index: number
  readonly isLast: boolean
}

export interface ProgressRecord {
  readonly undertaking: Undertaking
  readonly stage: Stage
  /** It is about this part of the job; absent: about the whole request. */
  readonly part?: Part
  /** Running number of the last document before this request; null: not known. */
  readonly documentBefore: number | null
  /** The state of the device before a step (settle.ts); null: not asked. */
  readonly statusBefore: string | null
  /** The whole sum was to be paid in cash: then paying the rest in cash is what was asked for. */
  readonly allInCash?: boolean
  readonly readBack?: ReadBack
  /** Of the fiscal receipt that is closed (stage `done`), or that is paid and only has to be ended. */
  readonly receiptNumber?: string
}

export const NOT_BEGUN: ProgressRecord = {
  undertaking: 'step',
  stage: 'before',
  documentBefore: null,
  statusBefore: null,
}

export type Before = Partial<Pick<ProgressRecord, 'documentBefore' | 'statusBefore' | 'allInCash' | 'readBack'>>

export class Progress {
  #record = NOT_BEGUN
  #documents = 0
  readonly #save: ((record: ProgressRecord) => void) | undefined

  /** `save` is called before the step that it announces. */
  constructor(save?: (record: ProgressRecord) => void) {
    this.#save = save
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

  begin(undertaking: Undertaking, before: Before = {}): void {
    if (this.#record.stage !== 'done') this.#set({ ...this.#ofPart, ...before, undertaking })
  }

  reach(stage: Exclude<Stage, 'done'>): void {
    if (this.#record.stage !== 'done' && stage !== this.#record.stage) this.#set({ ...this.#record, stage })
  }

  /** A receipt of this request is paid, and the device cannot end it now. */
  owes(receiptNumber: string): void {
    this.#set({ ...this.#record, stage: 'closing', receiptNumber })
  }

  /** A receipt of this request is closed. */
  closed(receiptNumber?: string): void {
    this.#documents++
    this.#set({ ...this.#record, stage: 'done', ...(receiptNumber === undefined ? {} : { receiptNumber }) })
  }

  /** Another document of this request is printed; more may follow. */
  printed(): void {
    this.#documents++
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
