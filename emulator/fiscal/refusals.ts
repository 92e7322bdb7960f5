/** Conditions that block a command, besides the state of the receipt. Each family checks them in a different order. */
import type { Books } from './books.ts'
import type { JournalBook } from './journal.ts'
import type { MemoryBook } from './memory.ts'
import type { RegisterBook } from './registers.ts'
import type { Refusals } from './types/device-parts.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const refusalsOf = (
  books: Books,
  memory: MemoryBook,
  journal: JournalBook,
  registers: RegisterBook,
): Refusals => ({
  fiscalised: () => (books.state.device.fiscalised ? undefined : 'notFiscalised'),
  operator(code, password) {
    const operator = registers.operator(code)
    if (!operator) return 'operatorUnknown'
    return operator.password === password ? undefined : 'wrongPassword'
  },
  day() {
    const { since } = books.state.day
    if (!books.profile.rules.dayBlock || since === null) return undefined
    return books.now() - since >= DAY_MS ? 'dayExpired' : undefined
  },
  fiscalMemory: () => (books.points?.memoryFull?.(false) || memory.remaining === 0 ? 'fiscalMemoryFull' : undefined),
  journal: () => (journal.remaining === 0 ? 'journalFull' : undefined),
  clock: () => (books.state.device.clockSet ? undefined : 'clockNotSet'),
  print() {
    const { paper, coverOpen } = books.state.mechanism
    if (paper === 'out') return 'noPaper'
    return coverOpen ? 'coverOpen' : undefined
  },
  invoiceRange() {
    const range = registers.invoiceRange
    return range && range.next <= range.end ? undefined : 'invoiceRangeUsedUp'
  },
})
