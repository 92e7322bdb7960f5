import type { DocumentPlace } from './messages.ts'

/** The order of the documents of all printers. The id of an entry is its position, from 1, and is never reused. */
export class DocumentOrder {
  readonly #names: readonly string[]
  readonly #indexes: ReadonlyMap<string, number>
  /** Two numbers per document: the index of the printer, and the document's id there (0: deleted). */
  #entries = new Int32Array(2048)
  #count = 0

  constructor(names: readonly string[]) {
    this.#names = names
    this.#indexes = new Map(names.map((name, index) => [name, index]))
  }

  add({ name, own }: DocumentPlace): void {
    const index = this.#indexes.get(name)
    if (index === undefined) return
    if (2 * this.#count === this.#entries.length) {
      const larger = new Int32Array(2 * this.#entries.length)
      larger.set(this.#entries)
      this.#entries = larger
    }
    this.#entries[2 * this.#count] = index
    this.#entries[2 * this.#count + 1] = own
    this.#count += 1
  }

  complete(name: string, documents: readonly number[]): void {
    const index = this.#indexes.get(name)
    const printerNumbers = new Set<number>()
    for (let at = 0; at < this.#count; at++)
      if (this.#entries[2 * at] === index) printerNumbers.add(this.#entries[2 * at + 1] ?? 0)
    for (const own of documents) if (!printerNumbers.has(own)) this.add({ name, own })
  }

  /** Deletes the documents of a printer whose device was replaced. */
  forget(name: string): void {
    const index = this.#indexes.get(name)
    for (let at = 0; at < this.#count; at++) if (this.#entries[2 * at] === index) this.#entries[2 * at + 1] = 0
  }

  after(since: number, limit: number): (DocumentPlace & { readonly id: number })[] {
    const entries: (DocumentPlace & { readonly id: number })[] = []
    for (let at = since; at < this.#count && entries.length < limit; at++) {
      const own = this.#entries[2 * at + 1] ?? 0
      if (own > 0) entries.push({ id: at + 1, name: this.#names[this.#entries[2 * at] ?? 0] ?? '', own })
    }
    return entries
  }
}
