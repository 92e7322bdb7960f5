/** What stands on the paper of all devices for one request: by its mark, its quantity, its percentage, its amount. */
import type { Emulator } from '../../emulator/emulator.ts'
import type { Attribution } from './attribution.ts'
import { type Document, documentsIn, type JournalReader, receiptsIn } from './journal.ts'
import { adjustedOf, cardOf, discountOf, quantityOf } from './sent-requests.ts'
import type { RequestStep, SentStep } from './steps.ts'

/** What a judge looks into: every device that has stood at the port, the present one last. */
export interface JudgedWorld {
  readonly devices: readonly Emulator[]
  readonly journals: readonly JournalReader[]
  readonly troubles: readonly string[]
  readonly attribution?: Attribution
  /** Something that the service wanted to keep was not written. */
  readonly logFailed?: boolean
  /** The computer of the service has lost its power, and the operation log its last writes. */
  readonly hasForgotten?: boolean
  /** How often a device has lost its power so far: what is written again then, it cannot tell from a new command. */
  readonly powerLosses?: number
  /** A command may have come to a device when its caller was answered already. */
  readonly cameLate?: boolean
}

/** Another program has brought it to its end, or changed what it comes to. */
export const isDecidedByOther = (
  { attribution }: Pick<JudgedWorld, 'attribution'>,
  { device, number }: Pick<Document, 'device' | 'number'>,
): boolean => attribution?.hasOtherDecided(device, number) === true

/** Kinds of document on which single sales and payments stand; a copy shows them once more. */
const RECEIPTS = ['fiscal', 'invoice', 'cancelled']

/** Of which a receipt results. */
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

  /** The documents on which it stands, as often as it stands there; undefined for what leaves no mark of its own. */
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

  /** The request's receipts in the journals; those of an open one do not stand there yet. */
  receiptsOf(request: number): readonly Document[] {
    return receiptsIn(this.#world.journals).filter(({ marks }) => marks.includes(request))
  }

  /** Where the service has printed one, what another program has ended of an earlier attempt is not its doing. */
  ownReceiptsOf(request: number): readonly Document[] {
    return this.#own(this.receiptsOf(request))
  }

  /**
   * A receipt on which another program has paid cannot be cancelled any more: on a device that was away while the request
   * was printed elsewhere, it is ended when the device is back.
   */
  #own(all: readonly Document[]): readonly Document[] {
    const own = all.filter((one) => !this.isOtherPrograms(one))
    const untouched = own.filter((one) => !isDecidedByOther(this.#world, one))
    const isLeft = (one: Document): boolean =>
      isDecidedByOther(this.#world, one) && untouched.some(({ device }) => device !== one.device)
    return own.length > 0 ? own.filter((one) => !isLeft(one)) : all
  }

  /** What the service had told before is not true any more by another program's doing. */
  wasDecidedByOtherProgram(request: number): boolean {
    return this.documents().some((one) => one.marks.includes(request) && isDecidedByOther(this.#world, one))
  }

  isOtherPrograms({ device, number }: Document): boolean {
    return this.#world.attribution?.isOthers(device, number) ?? false
  }
}

/** Each document as often as it holds this. */
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
