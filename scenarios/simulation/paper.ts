/**
 * Finds the printed output of a request on the paper of all devices: by its mark, its quantity, its percentage, its
 * amount.
 */
import type { Emulator } from '../../emulator/emulator.ts'
import type { Attribution } from './attribution.ts'
import { type Document, documentsIn, type JournalReader, receiptsIn } from './journal.ts'
import { adjustedOf, cardOf, discountOf, quantityOf } from './sent-requests.ts'
import type { RequestStep, SentStep } from './steps.ts'

/** The part of a run that judges inspect: every device that was at the port, the current one last. */
export interface JudgedWorld {
  readonly devices: readonly Emulator[]
  readonly journals: readonly JournalReader[]
  readonly troubles: readonly string[]
  readonly attribution?: Attribution
  /** True if a write of the service has failed. */
  readonly logFailed?: boolean
  /** The computer of the service has lost its power, and the operation log its last writes. */
  readonly hasForgotten?: boolean
  /**
   * Number of power losses of devices so far: after one, a device cannot distinguish a retransmission from a new
   * command.
   */
  readonly powerLosses?: number
  /** A command may have reached a device after its caller was answered. */
  readonly cameLate?: boolean
}

/** Returns true if another program has ended the document, or changed its sums. */
export const isDecidedByOther = (
  { attribution }: Pick<JudgedWorld, 'attribution'>,
  { device, number }: Pick<Document, 'device' | 'number'>,
): boolean => attribution?.hasOtherDecided(device, number) === true

/** Kinds of documents that contain single sales and payments; a copy shows them again. */
const RECEIPTS = ['fiscal', 'invoice', 'cancelled']

/** Returns true for steps that result in a receipt. */
export const isReceipt = (step: RequestStep): boolean =>
  step.do === 'receipt' || (step.do === 'legacy receipt' && !step.cancelled)

export class Paper {
  readonly #world: JudgedWorld

  constructor(world: JudgedWorld) {
    this.#world = world
  }

  documents(): readonly Document[] {
    return documentsIn(this.#world.journals)
  }

  /**
   * Returns the documents that contain the request's output, each as often as it contains it, or undefined for requests
   * that leave no mark.
   */
  placesOf(request: number, step: SentStep): readonly Document[] | undefined {
    const all = this.documents()
    const receipts = all.filter(({ kind }) => RECEIPTS.includes(kind))
    const slips = all.filter(({ kind }) => kind === 'nonFiscal')
    switch (step.do) {
      case 'legacy receipt':
        return step.cancelled ? undefined : this.ownReceiptsOf(request)
      case 'receipt':
        return this.ownReceiptsOf(request)
      case 'text':
        return places(receipts, ({ texts }) => texts, request)
      case 'slipText':
        return places(slips, ({ texts }) => texts, request)
      case 'slip':
        return this.#own(slips.filter(({ marks, isVoid }) => marks.includes(request) && !isVoid))
      case 'sale':
        return places(receipts, ({ quantities }) => quantities, quantityOf(request))
      case 'discount':
        return step.by !== undefined && 'amount' in step.by
          ? places(receipts, ({ adjusted }) => adjusted, adjustedOf(request))
          : places(receipts, ({ discounts }) => discounts, discountOf(request, step.by))
      case 'payCard':
        return places(receipts, ({ cards }) => cards, cardOf(request))
      case 'open':
      case 'payRest':
      case 'openSlip':
      case 'closeSlip':
      case 'cancelSlip':
      case 'close':
      case 'cancel':
      case 'order':
      case 'cancelled slip':
      case 'lines':
      case 'z':
      case 'x':
      case 'copy':
      case 'status':
        return undefined
    }
  }

  /** Returns the request's receipts in the journals, which do not contain an open receipt yet. */
  receiptsOf(request: number): readonly Document[] {
    return receiptsIn(this.#world.journals).filter(({ marks }) => marks.includes(request))
  }

  /**
   * Returns the receipts for which the service is responsible: if it has printed one, without those that another
   * program has ended.
   */
  ownReceiptsOf(request: number): readonly Document[] {
    return this.#own(this.receiptsOf(request))
  }

  /**
   * A receipt on which another program has paid can no longer be cancelled: if its device was absent while the request
   * was printed elsewhere, it is closed when the device is back.
   */
  #own(all: readonly Document[]): readonly Document[] {
    const own = all.filter((one) => !this.isOtherPrograms(one))
    const untouched = own.filter((one) => !isDecidedByOther(this.#world, one))
    const isLeft = (one: Document): boolean =>
      isDecidedByOther(this.#world, one) && untouched.some(({ device }) => device !== one.device)
    return own.length > 0 ? own.filter((one) => !isLeft(one)) : all
  }

  /** Returns true if another program has made the service's earlier answer obsolete. */
  wasDecidedByOtherProgram(request: number): boolean {
    return this.documents().some((one) => one.marks.includes(request) && isDecidedByOther(this.#world, one))
  }

  isOtherPrograms({ device, number }: Document): boolean {
    return this.#world.attribution?.isOthers(device, number) ?? false
  }
}

/** Returns each document as often as it contains this value. */
const places = <T>(
  documents: readonly Document[],
  listOf: (document: Document) => readonly T[],
  searched: T,
): readonly Document[] =>
  documents.flatMap((one) =>
    listOf(one)
      .filter((each) => each === searched)
      .map(() => one),
  )
