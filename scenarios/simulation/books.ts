/** The device's own books: documents are numbered without a gap, and every Z holds its receipts. */
import type { Emulator } from '../../emulator/emulator.ts'
import { brokenLine } from '../../emulator/fiscal/journal.ts'
import { money } from '../oracle/decimal.ts'
import type { Document } from './journal.ts'
import { Violation } from './violation.ts'

export function judgeBooks({ device }: Emulator, documents: readonly Document[]): void {
  documents.forEach(({ number }, index) => {
    if (number !== index + 1) throw new Violation(`document ${index + 1} of the journal has the number ${number}`)
  })
  const { journal, memory } = device
  const broken = brokenLine(journal.read())
  if (broken !== undefined) throw new Violation(`the chain of the journal is broken at line ${broken}`)
  memory.zs(1, 99_999).forEach((z, index) => {
    const mine = documents.filter((one) => one.z === z.number && (one.kind === 'fiscal' || one.kind === 'invoice'))
    const sum = mine.reduce((total, one) => total + (one.total ?? 0n), 0n)
    const paid = Object.values(z.payments).reduce((total, one) => total + BigInt(one), 0n)
    if (z.number !== index + 1) throw new Violation(`Z ${index + 1} of the memory has the number ${z.number}`)
    if (BigInt(z.total) !== sum)
      throw new Violation(`Z ${z.number} holds ${money(BigInt(z.total))}, its receipts ${money(sum)}`)
    if (paid !== sum) throw new Violation(`Z ${z.number} was paid ${money(paid)}, its receipts are ${money(sum)}`)
  })
}
