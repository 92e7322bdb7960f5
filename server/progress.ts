/**
 * How far a request has got on the device. Recovery reads it when an answer is lost: in the same request
 * (receipt-flow.ts), before the next one (service.ts), or after a restart (answers.ts keeps it beside an
 * `Idempotency-Key`).
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

export type Stage = 'before' | 'opening' | 'filling' | 'paying' | 'closing'

export interface ProgressRecord {
  readonly undertaking: Undertaking
  readonly stage: Stage
  /** Running number of the last document before this request; null: not known. */
  readonly documentBefore: number | null
  /** The device's status text before a step; null: not asked. */
  readonly statusBefore: string | null
}

export const NOT_BEGUN: ProgressRecord = {
  undertaking: 'step',
  stage: 'before',
  documentBefore: null,
  statusBefore: null,
}

export class Progress {
  #record = NOT_BEGUN
  readonly #save: ((record: ProgressRecord) => void) | undefined

  /** `save` is called before the step that it announces. */
  constructor(save?: (record: ProgressRecord) => void) {
    this.#save = save
  }

  get record(): ProgressRecord {
    return this.#record
  }

  /** The record outlives this process: what it needs to be settled by is worth another question to the device. */
  get isKept(): boolean {
    return this.#save !== undefined
  }

  begin(undertaking: Undertaking, before: Partial<Pick<ProgressRecord, 'documentBefore' | 'statusBefore'>> = {}): void {
    this.#set({ ...NOT_BEGUN, ...before, undertaking })
  }

  reach(stage: Stage): void {
    if (stage !== this.#record.stage) this.#set({ ...this.#record, stage })
  }

  #set(record: ProgressRecord): void {
    this.#record = record
    this.#save?.(record)
  }
}
