import type { Adjustment, ArticleSale } from '../../drivers/model/receipt.ts'

/**
 * The rows of a receipt that sells articles (sheet B 10.4). A void on the device removes the last row of the same
 * article, price and quantity, regardless of its text. To void a part of a row, the whole row is voided and the rest is
 * sold again. Later rows that the device would void first are voided and sold again, too.
 */
export class ArticleRows {
  /** Printed rows that are not voided, oldest first. `line`: the step that sold the row. */
  #rows: { readonly sale: ArticleSale; line: number }[] = []

  sell(line: number, sale: ArticleSale): readonly ArticleSale[] {
    this.#rows.push({ sale, line })
    return [sale]
  }

  takeBack(line: number, rest: ArticleSale | undefined): readonly ArticleSale[] {
    const row = this.#rows.findLast((one) => one.line === line)
    if (!row) throw new Error(`everything that line ${line} sold is already voided`)
    const matching = this.#rows.filter(({ sale }) => isTakenFor(sale, row.sale))
    const last = matching.findLastIndex(({ sale }) => sameAdjustment(sale.adjustment, row.sale.adjustment))
    const twin = matching[last] ?? row
    // Rows with equal adjustments are interchangeable.
    row.line = twin.line
    const inTheWay = matching.slice(last + 1)
    const voidedRows = new Set([twin, ...inTheWay])
    this.#rows = this.#rows.filter((one) => !voidedRows.has(one))
    return [
      ...[...voidedRows].reverse().map(({ sale }) => ({ ...sale, void: true })),
      ...inTheWay.flatMap((one) => this.sell(one.line, one.sale)),
      ...(rest ? this.sell(line, rest) : []),
    ]
  }
}

const isTakenFor = (one: ArticleSale, other: ArticleSale): boolean =>
  one.plu === other.plu && one.price === other.price && one.quantity === other.quantity

const sameAdjustment = (one: Adjustment | undefined, other: Adjustment | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
