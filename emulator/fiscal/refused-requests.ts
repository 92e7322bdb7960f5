/**
 * Requests that the device refused on a receipt, for copies of the document. They are not part of the books, and are
 * lost when the program ends.
 */
import type { Outcome, Refusal } from './types/outcome.ts'
import type { ArticleSaleIntent, PaymentIntent, Sale, SubtotalIntent } from './types/receipt.ts'

type RefusedRequest =
  | { readonly ask: 'sale'; readonly sale: Sale }
  | { readonly ask: 'article'; readonly sale: ArticleSaleIntent }
  | { readonly ask: 'subtotal'; readonly subtotal: SubtotalIntent }
  | { readonly ask: 'payment'; readonly payment: PaymentIntent }
  | { readonly ask: 'close' }

export interface RefusedStep {
  /** Number of steps that the receipt contained at that time. */
  readonly after: number
  readonly asked: RefusedRequest
  readonly refusal: Refusal
}

const STEPS_MAX = 100
const DOCUMENTS_MAX = 500

export class RefusedRequests {
  #ofOpen: RefusedStep[] = []
  readonly #ofDocuments = new Map<number, readonly RefusedStep[]>()

  begin(): void {
    this.#ofOpen = []
  }

  /** Stores the request if its outcome is a refusal. Returns the outcome. */
  noted<T>(after: number | undefined, asked: RefusedRequest, outcome: Outcome<T>): Outcome<T> {
    if (!outcome.ok && after !== undefined && this.#ofOpen.length < STEPS_MAX)
      this.#ofOpen.push({ after, asked, refusal: outcome.refusal })
    return outcome
  }

  /** `id`: the document that the receipt has become. */
  end(id: number): void {
    this.#ofDocuments.delete(id)
    if (this.#ofOpen.length === 0) return
    this.#ofDocuments.set(id, this.#ofOpen)
    const [oldest] = this.#ofDocuments.keys()
    if (this.#ofDocuments.size > DOCUMENTS_MAX && oldest !== undefined) this.#ofDocuments.delete(oldest)
  }

  of(id: number): readonly RefusedStep[] {
    return this.#ofDocuments.get(id) ?? []
  }

  /** Must be called when the device was replaced, because its documents are then numbered from the start. */
  forget(): void {
    this.#ofOpen = []
    this.#ofDocuments.clear()
  }
}
