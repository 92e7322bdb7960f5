import type { Books } from './books.ts'
import type { JournalBook } from './journal.ts'
import type { MemoryBook } from './memory.ts'
import type { RegisterBook } from './registers.ts'
import type { Refusal } from './types/outcome.ts'
import type { Refusals } from './types/parts.ts'

/** What may stand in the way of a command beside the receipt's state; each family asks in an order of its own. */

const DAY_MS = 24 * 60 * 60 * 1000

export class RefusalBook implements Refusals {
  readonly #books: Books
  readonly #memory: MemoryBook
  readonly #journal: JournalBook
  readonly #registers: RegisterBook

  constructor(books: Books, memory: MemoryBook, journal: JournalBook, registers: RegisterBook) {
    this.#books = books
    this.#memory = memory
    this.#journal = journal
    this.#registers = registers
  }

  fiscalised(): Refusal | undefined {
    return this.#books.state.device.fiscalised ? undefined : 'notFiscalised'
  }

  operator(code: number, password: string): Refusal | undefined {
    const operator = this.#registers.operator(code)
    if (!operator) return 'operatorUnknown'
    return operator.password === password ? undefined : 'wrongPassword'
  }

  day(): Refusal | undefined {
    const { since } = this.#books.state.day
    if (!this.#books.profile.rules.dayBlock || since === null) return undefined
    return this.#books.now() - since >= DAY_MS ? 'dayExpired' : undefined
  }

  fiscalMemory(): Refusal | undefined {
    return this.#books.points?.memoryFull?.(false) || this.#memory.left === 0 ? 'fiscalMemoryFull' : undefined
  }

  journal(): Refusal | undefined {
    return this.#journal.left === 0 ? 'journalFull' : undefined
  }

  clock(): Refusal | undefined {
    return this.#books.state.device.clockSet ? undefined : 'clockNotSet'
  }

  print(): Refusal | undefined {
    const { paper, coverOpen } = this.#books.state.mechanism
    if (paper === 'out') return 'noPaper'
    return coverOpen ? 'coverOpen' : undefined
  }

  invoiceRange(): Refusal | undefined {
    const range = this.#registers.invoiceRange
    return range && range.next <= range.end ? undefined : 'invoiceRangeUsedUp'
  }
}
