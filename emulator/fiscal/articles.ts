import type { Money, Quantity } from '../../drivers/model/money.ts'
import type { Books } from './books.ts'
import type { Query, Row, Store } from './store.ts'
import type { Articles } from './types/device-parts.ts'
import { done, type Outcome, refuse } from './types/outcome.ts'
import type { DeviceProfile } from './types/profile.ts'
import type { FiscalReceipt } from './types/receipt.ts'
import type { Article, ProgrammedArticle } from './types/registers.ts'

const CACHED_ARTICLES_MAX = 1_000

export class ArticleBook implements Articles {
  readonly #books: Books
  readonly #cache = new Map<number, Article>()
  #count: number | undefined

  constructor(books: Books) {
    this.#books = books
  }

  get count(): number {
    this.#count ??= this.#books.store.count('articles')
    return this.#count
  }

  forget(): void {
    this.#cache.clear()
    this.#count = undefined
  }

  get(plu: number): Article | undefined {
    const cached = this.#cache.get(plu)
    if (cached) return cached
    const row = this.#books.store.first('articles', { where: { plu }, columns: BODY })
    return row && this.#cacheArticle(articleFrom(row))
  }

  byBarcode(code: string): Article | undefined {
    const row = this.#books.store.first('barcodes', { where: { code } })
    return row && this.get(Number(row['plu']))
  }

  program(article: ProgrammedArticle): Outcome {
    const { store, profile } = this.#books
    const old = this.get(article.plu)
    if (old && hasTurnover(old)) return refuse('articleHasTurnover')
    if (!old && this.count >= profile.articles.capacity) return refuse('articleTableFull')
    if (profile.rules.articleNamesUnique !== false) {
      const other = store.first('articles', { where: { name: article.name, plu: { not: article.plu } } })
      if (other) return refuse('articleNameExists')
    }
    if (new Set(article.barcodes).size < article.barcodes.length) return refuse('articleBarcodeExists')
    for (const code of profile.rules.articleBarcodesUnique === false ? [] : article.barcodes) {
      const other = store.first('barcodes', { where: { code, plu: { not: article.plu } } })
      if (other) return refuse('articleBarcodeExists')
    }
    return this.#books.operate('ordinary', () => {
      this.#save({ ...article, turnover: 0, sold: 0 })
      store.remove('barcodes', { plu: article.plu })
      for (const code of article.barcodes) store.replace('barcodes', { code, plu: article.plu })
      if (!old) this.#count = this.count + 1
      return done(undefined)
    })
  }

  addStock(plu: number, quantity: Quantity): Outcome {
    const article = this.get(plu)
    if (!article) return refuse('articleUnknown')
    return this.#books.operate('ordinary', () => {
      this.#save({ ...article, stock: (article.stock ?? 0) + quantity })
      return done(undefined)
    })
  }

  /**
   * Refuses a single article that is missing or has turnover. In a range, articles with turnover are skipped; the
   * operation is refused if all of them have turnover.
   */
  remove(from: number, to: number): Outcome<{ removed: number }> {
    const { store } = this.#books
    const rows = store.rows('articles', { where: { plu: { from, to } }, columns: ['plu', 'sold', 'turnover'] })
    const free = rows.filter((row) => row['sold'] === 0 && row['turnover'] === 0).map((row) => Number(row['plu']))
    if (free.length === 0) {
      if (rows.length > 0) return refuse('articleHasTurnover')
      return from === to ? refuse('notFound') : done({ removed: 0 })
    }
    return this.#books.operate('ordinary', () => {
      for (const plu of free) {
        store.remove('articles', { plu })
        store.remove('barcodes', { plu })
        this.#cache.delete(plu)
      }
      this.#count = this.count - free.length
      return done({ removed: free.length })
    })
  }

  next(from: number, direction: 'up' | 'down', only?: 'sold'): Article | undefined {
    const query = { ...onwards(from, direction), ...(only === 'sold' && SOLD_FILTER), columns: BODY }
    const row = this.#books.store.first('articles', query)
    return row && articleFrom(row)
  }

  nextFree(from: number, direction: 'up' | 'down'): number | undefined {
    const { maxNumber } = this.#books.profile.articles
    const step = direction === 'up' ? 1 : -1
    let expected = Math.min(Math.max(from, 1), maxNumber)
    for (const row of this.#books.store.each('articles', { ...onwards(expected, direction), columns: ['plu'] })) {
      if (Number(row['plu']) !== expected) break
      expected += step
    }
    return expected >= 1 && expected <= maxNumber ? expected : undefined
  }

  *all(): IterableIterator<Article> {
    for (const row of this.#books.store.each('articles', { columns: BODY })) yield articleFrom(row)
  }

  clearTurnover(from: number, to: number): void {
    const { store } = this.#books
    this.#books.operate('ordinary', () => {
      for (const row of store.rows('articles', { where: { plu: { from, to } }, ...SOLD_FILTER, columns: BODY })) {
        const { reversed: _reversed, soldAt: _soldAt, ...article } = articleFrom(row)
        this.#save({ ...article, sold: 0, turnover: 0 })
      }
    })
  }

  book(plu: number, kind: FiscalReceipt['kind'], quantity: Quantity, amount: Money): void {
    const article = this.get(plu)
    if (!article) return
    const sign = kind === 'reversal' ? -1 : 1
    const booked: Article = {
      ...article,
      sold: article.sold + sign * quantity,
      turnover: article.turnover + sign * amount,
      stock: article.stock === null ? null : article.stock - sign * quantity,
      ...(sign > 0 && quantity > 0 ? { soldAt: this.#books.now() } : {}),
    }
    const apart = kind === 'reversal' && this.#books.profile.rules.articleReversalsApart
    const { reversed = { quantity: 0, amount: 0 } } = article
    const added = { quantity: reversed.quantity + quantity, amount: reversed.amount + amount }
    this.#save(apart ? { ...booked, reversed: added } : booked)
  }

  #save(article: Article): void {
    saveArticle(this.#books.store, article)
    this.#cacheArticle(article)
  }

  #cacheArticle(article: Article): Article {
    if (this.#cache.size >= CACHED_ARTICLES_MAX) this.#cache.clear()
    this.#cache.set(article.plu, article)
    return article
  }
}

export const hasTurnover = ({ sold, turnover, reversed }: Article): boolean =>
  sold !== 0 || turnover !== 0 || reversed !== undefined

/**
 * Returns the price type of an article that is programmed without one. Some profiles derive it from the number;
 * otherwise it remains that of `knownArticle`.
 */
export function priceTypeOf(plu: number, { articles }: DeviceProfile, knownArticle?: Article): Article['priceType'] {
  if (articles.freePriceAbove !== undefined) return plu > articles.freePriceAbove ? 'free' : 'fixed'
  return knownArticle?.priceType ?? 'fixed'
}

/** The columns `sold` and `turnover` are for queries: they are not 0 if all sales of the article were reversed. */
export function saveArticle(store: Store, article: Article): void {
  store.replace('articles', {
    plu: article.plu,
    name: article.name,
    sold: article.sold || (article.reversed?.quantity ?? 0),
    turnover: article.turnover || (article.reversed?.amount ?? 0),
    body: JSON.stringify(article),
  })
}

const BODY = ['body']
const SOLD_FILTER = { someNot0: ['sold', 'turnover'] }

const onwards = (plu: number, order: 'up' | 'down'): Query => ({
  where: { plu: order === 'up' ? { from: plu } : { to: plu } },
  order,
})

const articleFrom = (row: Row): Article => JSON.parse(String(row['body'])) as Article
