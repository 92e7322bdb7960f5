/**
 * A device's file read by somebody who does not trust it: the journal's chain is computed anew from its lines, the
 * daily closures from the receipts printed in it, and the kept papers and counters are compared with it (audit-papers.ts).
 * Every record that is changed, missing or swapped is named.
 */
import { formatMoney } from '../../drivers/model/money.ts'
import { type MemoryFile, textsOf, totalOf } from './audit-file.ts'
import { auditPapers } from './audit-papers.ts'
import { chainOf } from './journal.ts'
import type { ZRecord } from './types/day.ts'
import type { DeviceProfile } from './types/profile.ts'

/** `profile`: of the device. What is wrong, in the order of the records; empty: nothing. */
export function auditMemory(file: MemoryFile, profile: DeviceProfile): readonly string[] {
  const { total } = profile.paper.words
  return [...auditChain(file), ...auditDocuments(file), ...auditClosures(file, total), ...auditPapers(file, profile)]
}

/** After a line that does not follow, the chain goes on from what stands there: one sentence a break. */
function auditChain({ lines, counters }: MemoryFile): string[] {
  const problems: string[] = []
  let chain = ''
  let id = 0
  for (const line of lines) {
    const where = `journal line ${line.id} (document ${line.document})`
    const follows = chainOf(chain, line.document, line.line) === line.chain
    if (line.id !== id + 1)
      problems.push(`journal line ${id + 1}${line.id > id + 2 ? ` to ${line.id - 1}` : ''} is missing`)
    else if (!follows)
      problems.push(`${where} does not follow from the line before it: one of them was changed or swapped`)
    chain = line.chain
    id = line.id
  }
  if (id !== counters.journalLines) {
    problems.push(`the journal ends with line ${id}, the device has written ${counters.journalLines}`)
  } else if (chain !== counters.chain) problems.push(`journal line ${id} is not the one that the device wrote last`)
  return problems
}

function auditDocuments({ documents, lines, counters, papers }: MemoryFile): string[] {
  const problems: string[] = []
  // Printed, numbered, and not kept in the journal (C 4.14). A reset that keeps the journal forgets their papers.
  const unkept = papers.flatMap(({ kind, number }) => (kind === 'memory' ? [number] : []))
  const forgotten = Math.max(0, (counters.kinds['memory'] ?? 0) - unkept.length)
  const withLines = new Set(lines.map(({ document }) => document))
  const known = new Set([...documents.map(({ document }) => document), ...unkept])
  // The last number may belong to a receipt that is open.
  const numbers = Array.from({ length: Math.max(0, counters.lastDocument - 1) }, (_, index) => index + 1)
  const missing = numbers.filter((number) => !known.has(number))
  if (missing.length > forgotten)
    problems.push(...missing.map((number) => `document ${number} is missing in the journal`))
  for (const { document, kind } of documents) {
    if (!withLines.has(document)) problems.push(`document ${document} (${kind}) has no lines in the journal`)
  }
  for (const document of withLines) {
    if (!known.has(document)) problems.push(`the lines of document ${document} belong to no document of the journal`)
  }
  return problems
}

function auditClosures(file: MemoryFile, total: string): string[] {
  const problems: string[] = []
  const texts = textsOf(file)
  let expected = 1
  for (const { id, number, event } of file.records) {
    if (event.kind !== 'z') continue
    const { z } = event
    const where = `fiscal memory record ${id} (Z ${z.number})`
    if (number !== z.number) problems.push(`${where} stands under the number ${number}`)
    if (z.number > expected)
      problems.push(
        `Z ${expected}${z.number > expected + 1 ? ` to ${z.number - 1}` : ''} is missing in the fiscal memory`,
      )
    if (z.number < expected) problems.push(`${where} stands behind Z ${expected - 1}`)
    expected = Math.max(expected, z.number + 1)
    problems.push(...auditClosure(where, z, file, texts, total))
  }
  if (expected - 1 !== file.counters.lastZ) {
    problems.push(`the fiscal memory ends with Z ${expected - 1}, the device has made ${file.counters.lastZ}`)
  }
  return problems
}

/** The record against the receipts of its day, its own paper and its own sums. */
function auditClosure(
  where: string,
  z: ZRecord,
  file: MemoryFile,
  texts: ReadonlyMap<number, readonly string[]>,
  totalWord: string,
): string[] {
  const problems: string[] = []
  const from = z.journalDocuments.first ?? z.document
  const mine = file.documents.filter(
    ({ document, kind, reversal }) =>
      document >= from && document < z.document && !reversal && (kind === 'fiscal' || kind === 'invoice'),
  )
  const sum = mine.reduce((total, { document }) => total + (totalOf(texts.get(document) ?? [], totalWord) ?? 0), 0)
  const differ = (what: string, record: number, recomputed: number) => {
    if (record !== recomputed)
      problems.push(`${where}: ${what} is ${formatMoney(record)}, recomputed ${formatMoney(recomputed)}`)
  }
  differ('the total', z.total, sum)
  differ('the sum of its payments', sumOf(Object.values(z.payments)), sum)
  differ('the sum of its tax groups', sumOf(z.taxes.map(({ turnover }) => turnover)), sum)
  const paperTotal = totalOf(texts.get(z.document) ?? [], totalWord)
  if (paperTotal === undefined) problems.push(`${where}: its document ${z.document} is not in the journal`)
  else differ('the total', z.total, paperTotal)
  if (mine.length > z.receiptsCount) {
    problems.push(`${where}: it counts ${z.receiptsCount} receipts, the journal has ${mine.length}`)
  }
  return problems
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)
