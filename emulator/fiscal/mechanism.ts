import type { Books } from './books.ts'
import type { Mechanism } from './types/device-parts.ts'
import type { PaperState } from './types/events.ts'

/** The print mechanism. Lines are printed one by one, and wait while there is no paper or the cover is open. */
export class PrintMechanism implements Mechanism {
  readonly #books: Books
  readonly #unblocked: (() => void)[] = []
  #linesPrinted = 0
  #printing = { document: 0, lines: 0 }

  constructor(books: Books) {
    this.#books = books
  }

  get paper(): PaperState {
    return this.#books.state.mechanism.paper
  }

  get coverOpen(): boolean {
    return this.#books.state.mechanism.coverOpen
  }

  get linesPrinted(): number {
    return this.#linesPrinted
  }

  get blocked(): boolean {
    return this.#books.state.mechanism.waiting.length > 0
  }

  get canPrint(): boolean {
    return this.paper !== 'out' && !this.coverOpen
  }

  setPaper(paper: PaperState): void {
    if (paper !== this.paper) this.#set({ paper })
    this.#resume()
  }

  setCover(open: boolean): void {
    if (open !== this.coverOpen) this.#set({ coverOpen: open })
    this.#resume()
  }

  onUnblocked(call: () => void): void {
    this.#unblocked.push(call)
  }

  print(document: number, lines: readonly string[]): void {
    for (const line of lines) this.#printLine(document, line)
  }

  waitingLines(document: number): number {
    return this.#books.state.mechanism.waiting.reduce((count, line) => count + (line.document === document ? 1 : 0), 0)
  }

  #set(change: { readonly paper: PaperState } | { readonly coverOpen: boolean }): void {
    this.#books.operate('ordinary', () => {
      this.#books.change('mechanism', change)
      this.#books.emit({ type: 'state' })
    })
  }

  #printLine(document: number, line: string): void {
    if (!this.blocked && this.canPrint) this.#books.points?.paperLine(line)
    if (!this.blocked && this.canPrint) {
      this.#linesPrinted++
      if (this.#printing.document !== document) this.#printing = { document, lines: 0 }
      this.#printing.lines++
      if (this.#books.listens) this.#books.emit({ type: 'line', text: line, document, line: this.#printing.lines })
      return
    }
    this.#books.change('mechanism', { waiting: [...this.#books.state.mechanism.waiting, { document, line }] })
  }

  /** Prints the waiting lines. A running operation prints its own lines, so that nothing is done meanwhile. */
  #resume(): void {
    if (!this.canPrint || this.#books.operating) return
    if (this.blocked) {
      this.#books.operate('ordinary', () => {
        const { waiting } = this.#books.state.mechanism
        this.#books.change('mechanism', { waiting: [] })
        for (const { document, line } of waiting) this.#printLine(document, line)
        this.#books.emit({ type: 'state' })
      })
    }
    if (this.blocked) return
    for (const call of this.#unblocked) call()
  }
}
