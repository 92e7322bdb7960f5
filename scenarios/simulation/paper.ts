/** Finds the printed output of a request on the paper of all devices, by its mark, quantity, percentage or amount. */
import type { Emulator } from '../../emulator/emulator.ts'
import type { Attribution } from './attribution.ts'
import { type Document, documentsIn, type JournalReader, receiptsIn } from './journal.ts'
import { adjustedOf, cardOf, discountOf, quantityOf } from './sent-requests.ts'
import type { RequestStep, SentStep } from './steps.ts'

/**
 * The part of a run that the judges inspect. `devices` and `journals` contain every device that was at the port, the
 * current one last.
 */
export interface JudgedWorld {
  readonly devices: readonly Emulator[]
  readonly journals: readonly JournalReader[]
  readonly troubles: readonly string[]
  readonly attribution?: Attribution
  readonly logFailed?: boolean
  readonly hasForgotten?: boolean
  /** Number of power losses of all devices. After a power loss, a device executes a retransmission as a new command. */
  readonly powerLosses?: number
  readonly cameLate?: boolean
}

export const isDecidedByOther = (
  { attribution }: Pick<JudgedWorld, 'attribution'>,
  { device, number }: Pick<Document, 'device' | 'number'>,
): boolean => attribution?.hasOtherDecided(device, number) === true

/** Kinds of documents that contain sales and payments. A copy contains them too, but is not counted. */
const RECEIPTS = ['fiscal', 'invoice', 'cancelled']

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
   * Returns each document as often as it contains the output of the request, or `undefined` if the output bears no
   * mark.
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

  receiptsOf(request: number): readonly Document[] {
    return receiptsIn(this.#world.journals).filter(({ marks }) => marks.includes(request))
  }

  /**
   * Returns the closed receipts of the request. Receipts of another program are left out if the service has printed one
   * itself.
   */
  ownReceiptsOf(request: number): readonly Document[] {
    return this.#own(this.receiptsOf(request))
  }

  /**
   * Removes documents of another program if others remain. Also removes those left on an absent device: a receipt on
   * which another program has paid cannot be cancelled, and is closed when its device is back.
   */
  #own(all: readonly Document[]): readonly Document[] {
    const own = all.filter((one) => !this.isOtherPrograms(one))
    const untouched = own.filter((one) => !isDecidedByOther(this.#world, one))
    const isLeft = (one: Document): boolean =>
      isDecidedByOther(this.#world, one) && untouched.some(({ device }) => device !== one.device)
    return own.length > 0 ? own.filter((one) => !isLeft(one)) : all
  }

  wasDecidedByOtherProgram(request: number): boolean {
    return this.documents().some((one) => one.marks.includes(request) && isDecidedByOther(this.#world, one))
  }

  isOtherPrograms({ device, number }: Document): boolean {
    return this.#world.attribution?.isOthers(device, number) ?? false
  }
}

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
