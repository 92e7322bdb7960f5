/** The sums of a day that is not closed yet: they hold its receipts, and those alone. */
import type { Emulator } from '../../emulator/emulator.ts'
import { money } from '../oracle/decimal.ts'
import type { Document } from './journal.ts'
import { Violation } from './violation.ts'

export function judgeOpenDay({ device }: Emulator, documents: readonly Document[]): void {
  const { day, memory } = device
  const closed = memory.zs(1, 99_999).length
  const mine = documents.filter(({ kind, z }) => z > closed && (kind === 'fiscal' || kind === 'invoice'))
  const sum = mine.reduce((total, one) => total + (one.total ?? 0n), 0n)
  const paid = Object.values(day.payments).reduce((total, one) => total + BigInt(one), 0n)
  if (BigInt(day.total) !== sum)
    throw new Violation(`the day holds ${money(BigInt(day.total))}, its receipts ${money(sum)}`)
  if (paid !== sum) throw new Violation(`the day was paid ${money(paid)}, its receipts are ${money(sum)}`)
}
