/** Random sales of a shop: each receipt as actions of a cashier and as entries of the oracle. */
import type { Entry, Receipt, Tender } from '../../oracle/totals.ts'
import { sumsOf } from '../../oracle/totals.ts'

export interface ShopArticle {
  readonly plu: number
  readonly name: string
  /** Tax group. All groups except these four may lack a rate. */
  readonly taxCode: 1 | 2 | 3 | 4
  /** Price in hundredths. */
  readonly price: number
}

export type CashierAction =
  | { readonly do: 'sell'; readonly plu: number; readonly quantity: number; readonly percentOff?: number }
  | { readonly do: 'void'; readonly plu: number; readonly quantity: number }
  | { readonly do: 'subtotal'; readonly percentOff: number }
  | { readonly do: 'text' }

export interface ShopReceipt {
  readonly actions: readonly CashierAction[]
  readonly isCancelled: boolean
  readonly entries: readonly Entry[]
  readonly payments: readonly Tender[]
  readonly copy: boolean
  readonly trouble?: Trouble
}

export const TROUBLES = ['answer lost', 'command lost', 'paper out', 'device busy'] as const
export type Trouble = (typeof TROUBLES)[number]

const ARTICLES = 40
const CARD = 1
const [COMMON, RARE, SELDOM] = [0.1, 0.03, 0.005]

const articlesOf = (season: number): readonly ShopArticle[] =>
  Array.from({ length: ARTICLES }, (_nothing, index) => ({
    plu: index + 1,
    name: `article ${index + 1}`,
    taxCode: ((index % 4) + 1) as ShopArticle['taxCode'],
    price: 45 + ((index * 137 + season * 31) % 1900),
  }))

export class Shop {
  readonly #random: () => number
  #articles: readonly ShopArticle[] = articlesOf(0)

  constructor(random: () => number) {
    this.#random = random
  }

  season(number: number): readonly ShopArticle[] {
    this.#articles = articlesOf(number)
    return this.#articles
  }

  receipt(): ShopReceipt {
    const actions = this.#actions()
    const entries = actions.flatMap((action) => this.#entry(action))
    const isCancelled = this.#happens(SELDOM)
    const { total } = sumsOf({ entries, payments: [] }, [])
    return {
      ...{ actions, entries, isCancelled },
      payments: isCancelled ? [] : this.#payments(total),
      copy: !isCancelled && this.#happens(RARE / 2),
      ...(this.#happens(SELDOM) && { trouble: this.#one(TROUBLES) }),
    }
  }

  /** Returns an amount in hundredths: at most half of the cash in the drawer. */
  cashOut(drawer: bigint): number {
    return Math.floor((Number(drawer) * this.#random()) / 2)
  }

  #actions(): CashierAction[] {
    const actions: CashierAction[] = []
    // The square makes short receipts frequent and long ones rare.
    const rows = 1 + Math.floor(this.#random() ** 2 * 12)
    for (let row = 0; row < rows; row++) {
      const { plu } = this.#one(this.#articles)
      const quantity = this.#happens(COMMON) ? 100 + Math.floor(this.#random() * 1900) : 1000 * this.#upTo(3)
      const isReduced = this.#happens(COMMON / 2)
      actions.push({ do: 'sell', plu, quantity, ...(isReduced && { percentOff: 500 * this.#upTo(4) }) })
      if (!isReduced && row > 0 && this.#happens(RARE)) actions.push({ do: 'void', plu, quantity })
      if (this.#happens(SELDOM)) actions.push({ do: 'text' })
    }
    if (this.#happens(RARE)) actions.push({ do: 'subtotal', percentOff: 100 * this.#upTo(10) })
    return actions
  }

  #entry(action: CashierAction): Entry[] {
    if (action.do === 'text') return []
    if (action.do === 'subtotal') return [{ what: 'subtotal', adjustment: { percent: BigInt(-action.percentOff) } }]
    const article = this.#articles[action.plu - 1]
    if (!article) throw new RangeError(`no article ${action.plu}`)
    const [group, price, quantity] = [article.taxCode - 1, BigInt(article.price), BigInt(action.quantity)]
    if (action.do === 'void') {
      const { rows } = sumsOf({ entries: [{ what: 'row', group, price, quantity }], payments: [] }, [])
      return [{ what: 'void', group, amount: rows[0] ?? 0n }]
    }
    const adjustment = action.percentOff === undefined ? {} : { adjustment: { percent: BigInt(-action.percentOff) } }
    return [{ what: 'row', group, price, quantity, ...adjustment }]
  }

  #payments(total: bigint): Tender[] {
    if (this.#happens(0.4)) return [{ mode: CARD, amount: total }]
    if (this.#happens(0.05) && total > 1n) {
      const part = total / 2n
      return [
        { mode: CARD, amount: part },
        { mode: 0, amount: total - part },
      ]
    }
    // The customer pays with notes of five, and gets change.
    return [{ mode: 0, amount: ((total + 499n) / 500n) * 500n }]
  }

  #happens(chance: number): boolean {
    return this.#random() < chance
  }

  #upTo(most: number): number {
    return 1 + Math.floor(this.#random() * most)
  }

  #one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)] as T
  }
}

export const asReceipt = ({ entries, payments, isCancelled }: ShopReceipt, number: number): Receipt => ({
  ...{ number, entries, payments },
  kind: 'sale',
  cancelled: isCancelled,
})
