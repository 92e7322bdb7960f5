/**
 * The audit of a device's papers and counters against its journal. A paper must have the lines of the journal document,
 * its drawing must yield these lines, and the counters must match the documents.
 */
import type { DrawingOperation } from '../print/drawing-operations.ts'
import { paperText } from '../print/text-paper.ts'
import { type MemoryFile, receiptIn, type StoredDocument, type StoredPaper, textsOf } from './audit-file.ts'
import type { DocumentKind } from './types/day.ts'
import type { DeviceProfile } from './types/profile.ts'

/**
 * `kinds` is the last number of each series in the journal. `isWhole` is true if the journal is complete and unchanged.
 */
export function auditPapers(
  file: MemoryFile,
  profile: DeviceProfile,
  kinds: Readonly<Record<string, number>>,
  isWhole: boolean,
): string[] {
  const texts = textsOf(file)
  const documents = new Map(file.documents.map((document) => [document.document, document]))
  return [
    ...file.papers.flatMap((paper) => auditPaper(paper, documents.get(paper.number), texts, profile)),
    ...auditCounters(file, profile),
    ...(isWhole ? auditSeries(file, kinds) : []),
  ]
}

type Texts = ReadonlyMap<number, readonly string[]>

function auditPaper(
  paper: StoredPaper,
  journal: StoredDocument | undefined,
  texts: Texts,
  profile: DeviceProfile,
): string[] {
  const where = `paper ${paper.id} (document ${paper.number})`
  const lines = readLines(paper.lines)
  const drawn = drawnLines(paper.operations, profile.lineWidth)
  if (!lines) return [`${where}: its lines cannot be read`]
  if (!drawn) return [`${where}: its picture cannot be read`]
  const problems: string[] = []
  if (journal) {
    const differ = firstDifference(lines, texts.get(paper.number) ?? [])
    if (differ !== undefined) problems.push(`${where}: line ${differ} differs from the journal`)
    const { kind, at, kindNumber } = journal
    if (kind !== paper.kind)
      problems.push(`${where} has the kind ${paper.kind}, but its document in the journal has the kind ${kind}`)
    if (at !== paper.at) problems.push(`${where} was printed at ${paper.at}, but the journal says ${at}`)
    if (kind === 'z' && kindNumber !== paper.zNumber) {
      problems.push(`${where} is Z report ${paper.zNumber}, but the journal says ${kindNumber}`)
    }
  } else if (paper.kind !== 'memory') problems.push(`${where} is missing from the journal`)
  const differ = firstDifference(drawn, lines)
  if (differ !== undefined) problems.push(`${where}: line ${differ} of its picture differs from its text`)
  return problems
}

function readLines(json: string): readonly string[] | undefined {
  const value = parsed(json)
  return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value : undefined
}

function drawnLines(json: string, width: number): readonly string[] | undefined {
  try {
    return paperText(parsed(json) as readonly DrawingOperation[], width)
  } catch {
    return undefined
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function firstDifference(one: readonly string[], other: readonly string[]): number | undefined {
  const length = Math.max(one.length, other.length)
  for (let at = 0; at < length; at++) if (one[at] !== other[at]) return at + 1
  return undefined
}

function auditCounters({ counters, documents, papers, records }: MemoryFile, { rules }: DeviceProfile): string[] {
  const problems: string[] = []
  const differ = (what: string, counter: number, count: number) => {
    if (counter !== count)
      problems.push(`the device's counter of ${what} says ${counter}, but its papers and journal contain ${count}`)
  }
  papers.forEach(({ id }, index) => {
    const before = papers[index - 1]?.id ?? 0
    if (id > before + 1) problems.push(`paper ${before + 1}${id > before + 2 ? ` to ${id - 1}` : ''} is missing`)
  })
  differ('papers', counters.papers, papers.at(-1)?.id ?? 0)
  const papersOf = (...kinds: readonly DocumentKind[]) => papers.filter(({ kind }) => kinds.includes(kind))
  const issued = papersOf('fiscal', 'invoice', ...(rules.cancelledCounts ? (['cancelled'] as const) : []))
  differ('fiscal receipts', counters.fiscalReceipts, issued.length)
  const invoices = new Set(documents.flatMap((one) => (receiptIn(one)?.invoice ? [one.document] : [])))
  differ('invoices', counters.invoices, issued.filter(({ number }) => invoices.has(number)).length)
  differ('non-fiscal receipts', counters.nonFiscal, papersOf('nonFiscal').length)
  const last = issued.at(-1)?.number ?? 0
  if (counters.lastReceipt !== last) {
    problems.push(
      `the device's counter says last receipt ${counters.lastReceipt}, but the last receipt on its papers is document ${last}`,
    )
  }
  const numbers = [0, ...documents.map(({ document }) => document), ...papers.map(({ number }) => number)]
  const lastDocument = Math.max(...numbers)
  // An open receipt has the next number.
  if (counters.lastDocument !== lastDocument && counters.lastDocument !== lastDocument + 1) {
    problems.push(
      `the device's counter says last document ${counters.lastDocument}, but the highest number in its journal and on its papers is ${lastDocument}`,
    )
  }
  const events = (kind: string): number => records.filter(({ event }) => event?.kind === kind).length
  // The first record contains the factory rates.
  differ('changes of the tax rates', counters.taxRateChanges, Math.max(0, events('taxRates') - 1))
  differ('resets of its memory', counters.ramResets, events('ramReset'))
  return problems
}

function auditSeries({ counters }: MemoryFile, kinds: Readonly<Record<string, number>>): string[] {
  // The journal of some families does not contain reports on the fiscal memory (sheet C 4.14).
  const series = [...new Set([...Object.keys(counters.kinds), ...Object.keys(kinds)])].filter((one) => one !== 'memory')
  return series.flatMap((one) => {
    const [counted, last] = [counters.kinds[one] ?? 0, kinds[one] ?? 0]
    if (counted === last) return []
    return [
      `the device's counter of the kind ${one} is at ${counted}, but the last such document in the journal has number ${last}`,
    ]
  })
}
