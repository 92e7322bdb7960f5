import { formatMoney, type Money } from '../drivers/model/money.ts'
import type { Books } from './fiscal/books.ts'
import type { Display } from './fiscal/types/device-parts.ts'

const HISTORY = 200

export class DeviceDisplay implements Display {
  readonly #books: Books
  #cancelLater: (() => void) | undefined
  #history: { readonly at: number; readonly lines: readonly string[] }[] = []

  constructor(books: Books) {
    this.#books = books
  }

  get attached(): boolean {
    return this.#books.state.display.attached
  }

  setAttached(attached: boolean): void {
    this.#books.operate('ordinary', () => {
      this.#books.change('display', { attached })
      this.#books.emit({ type: 'state' })
    })
  }

  get lines(): readonly string[] {
    return this.#books.state.display.lines
  }

  /** Previous contents, latest last; the oldest entries are dropped. */
  get history(): readonly { readonly at: number; readonly lines: readonly string[] }[] {
    return this.#history
  }

  show(line: number, text: string): void {
    const { displayWidth, displayLines } = this.#books.profile
    if (line < 1 || line > displayLines) return
    this.#set(this.lines.with(line - 1, text.slice(0, displayWidth).padEnd(displayWidth)))
  }

  showAmount(what: string, amount: Money): void {
    const { displayWidth, displayLines } = this.#books.profile
    const lines = [what.slice(0, displayWidth).padEnd(displayWidth), formatMoney(amount).padStart(displayWidth)]
    this.#set([...lines.slice(-displayLines), ...this.lines.slice(lines.length)])
  }

  clear(): void {
    const { displayWidth, displayLines } = this.#books.profile
    this.#set(Array.from({ length: displayLines }, () => ' '.repeat(displayWidth)))
  }

  showLater(delayMs: number, lines: readonly string[]): void {
    this.forgetLater()
    this.#cancelLater = this.#books.after(delayMs, () => {
      for (const [index, text] of lines.entries()) this.show(index + 1, text)
    })
  }

  forgetLater(): void {
    this.#cancelLater?.()
    this.#cancelLater = undefined
  }

  #set(lines: string[]): void {
    this.forgetLater()
    if (!this.attached) return
    // Stored together with the next write (usually a sale), so that the display causes no write to disk.
    this.#books.operate('withNext', () => {
      this.#books.change('display', { lines })
      this.#books.emit({ type: 'display', lines })
    })
    this.#history = [...this.#history.slice(1 - HISTORY), { at: this.#books.now(), lines }]
  }
}
