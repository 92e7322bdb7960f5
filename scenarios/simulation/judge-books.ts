/**
 * Throws Violation unless documents and Z reports are numbered without a gap, the chain of the electronic journal is
 * intact, and each Z report and the open day contain their receipts.
 */
import type { Emulator } from '../../emulator/emulator.ts'
import { brokenLine } from '../../emulator/fiscal/journal.ts'
import { money } from '../oracle/decimal.ts'
import { type Document, isClosedReceipt } from './journal.ts'
import { Violation } from './violation.ts'

export function judgeBooks({ device }: Emulator, documents: readonly Document[]): void {
  documents.forEach(({ number }, index) => {
    if (number !== index + 1) throw new Violation(`document ${index + 1} of the journal has the number ${number}`)
  })
  const { journal, memory, day } = device
  const broken = brokenLine(journal.read())
  if (broken !== undefined) throw new Violation(`the chain of the journal is broken at line ${broken}`)
  const receipts = Map.groupBy(documents.filter(isClosedReceipt), ({ z }) => z)
  const zs = memory.zs(1, 99_999)
  zs.forEach((z, index) => {
    if (z.number !== index + 1) throw new Violation(`Z ${index + 1} of the memory has the number ${z.number}`)
    judgeSums(`Z ${z.number}`, z, receipts.get(z.number) ?? [])
    receipts.delete(z.number)
  })
  judgeSums('the open day', day, [...receipts.values()].flat())
}

interface Sums {
  readonly total: number
  readonly payments: Readonly<Record<number, number>>
}

function judgeSums(name: string, { total, payments }: Sums, receipts: readonly Document[]): void {
  const sum = receipts.reduce((before, one) => before + (one.total ?? 0n), 0n)
  const paid = Object.values(payments).reduce((before, one) => before + BigInt(one), 0n)
  if (BigInt(total) !== sum) throw new Violation(`${name} holds ${money(BigInt(total))}, its receipts ${money(sum)}`)
  if (paid !== sum) throw new Violation(`${name} was paid ${money(paid)}, its receipts are ${money(sum)}`)
}
