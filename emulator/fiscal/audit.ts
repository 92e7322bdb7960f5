/**
 * The audit of a device's file. Recomputes the seals of fiscal memory and journal, compares the records with the
 * receipts in the journal (audit-replay.ts), and papers and counters with the journal (audit-papers.ts).
 */
import { countText } from '../../drivers/model/count-text.ts'
import { cashIn, type MemoryFile, type StoredDocument, type StoredRecord } from './audit-file.ts'
import { auditLinks, type LinkFindings } from './audit-links.ts'
import { auditPapers } from './audit-papers.ts'
import { auditReceipt } from './audit-receipt.ts'
import { type Replay, replay } from './audit-replay.ts'
import { differences } from './differences.ts'
import { chainOf } from './journal.ts'
import { documentSeal, recordSeal } from './seal.ts'
import type { MemoryRecord } from './types/day.ts'
import type { DeviceProfile } from './types/profile.ts'

/**
 * Returns a message for each entry that was changed, swapped or added, or that is missing. Empty if the device is
 * sound.
 */
export function auditMemory(file: MemoryFile, profile: DeviceProfile): readonly string[] {
  const own = { ...profile, lineWidth: file.device.lineWidth ?? profile.lineWidth }
  const records = auditLinks(recordLinks(file), {
    name: nameOf(file),
    count: file.counters.records,
    head: file.counters.memorySeal,
  })
  const documents = auditLinks(documentLinks(file), {
    name: (number) => `document ${number} of the journal`,
    head: file.counters.journalSeal,
    absent: absentDocuments(file),
  })
  const places = new Map(file.documents.map(({ seal }, place) => [seal, place]))
  const found = { records, documents, isWhole: records.isWhole && documents.isWhole, places }
  const expected = replay(file, own, ({ id }) => !records.changed.has(id))
  return [
    ...records.problems,
    ...auditRecords(file, expected, found),
    ...auditChain(file),
    ...documents.problems,
    ...auditDocuments(file, expected, found, own),
    ...auditDay(file, expected, found),
    ...auditPapers(file, own, expected.kinds, documents.isWhole),
  ]
}

/**
 * Returns a message for each reset or restore by a tester that the fiscal memory documents. These actions are not
 * problems.
 */
export const testerNotes = ({ records }: MemoryFile): readonly string[] =>
  records.flatMap(({ id, event }) => {
    if (event?.kind !== 'tester') return []
    const where = `(fiscal memory record ${id})`
    if (event.act === 'reset') return [`reset by a tester at ${event.at} ${where}: memory and journal were retained`]
    const { records: count, lastZ, lastDocument } = event.replaced
    return [
      `restored by a tester at ${event.at} ${where}: it replaced a memory of ${countText(count, 'record')}, ending with Z ${lastZ} and document ${lastDocument}`,
    ]
  })

interface Findings {
  readonly records: LinkFindings
  readonly documents: LinkFindings
  readonly isWhole: boolean
  readonly places: ReadonlyMap<string, number>
}

function nameOf({ records }: MemoryFile): (id: number) => string {
  const byId = new Map(records.map((record) => [record.id, record]))
  return (id) => {
    const record = byId.get(id)
    return record ? recordName(record) : `fiscal memory record ${id}`
  }
}

function recordName({ id, kind, number, event }: StoredRecord): string {
  if (event?.kind === 'z') return `fiscal memory record ${id} (Z ${number ?? event.z?.number})`
  return `fiscal memory record ${id} (${event?.kind ?? kind})`
}

const recordLinks = ({ records }: MemoryFile) =>
  records.map((record) => ({
    number: record.id,
    seal: record.seal,
    sealAs: (id: number, before: string) => recordSeal(before, { ...record, id }),
  }))

function documentLinks({ documents, lines }: MemoryFile) {
  const lastChain = new Map(lines.map(({ document, chain }) => [document, chain]))
  return documents.map((one) => ({
    number: one.document,
    seal: one.seal,
    sealAs: (document: number, before: string) =>
      documentSeal(before, { ...one, document }, lastChain.get(document) ?? ''),
  }))
}

/** After a break, the check continues from the stored value, so that each break causes one message. */
function auditChain({ lines, documents, counters }: MemoryFile): string[] {
  const problems: string[] = []
  const times = new Map(documents.map(({ document, at }) => [document, at]))
  let chain = ''
  let id = 0
  for (const line of lines) {
    const where = `journal line ${line.id} (document ${line.document})`
    const follows = chainOf(chain, line.document, line.line) === line.chain
    const at = times.get(line.document)
    if (line.id !== id + 1)
      problems.push(`journal line ${id + 1}${line.id > id + 2 ? ` to ${line.id - 1}` : ''} is missing`)
    else if (!follows)
      problems.push(`${where} does not follow from the line before it: one of them was changed or swapped`)
    if (at !== undefined && line.at !== at)
      problems.push(`${where} was written at ${line.at}, but its document at ${at}`)
    chain = line.chain
    id = line.id
  }
  if (id !== counters.journalLines) {
    problems.push(`the journal ends with line ${id}, but the device has written ${counters.journalLines}`)
  } else if (chain !== counters.chain)
    problems.push(`the checksum of journal line ${id}, the last one, differs from the one that the device has stored`)
  return problems
}

function auditRecords(file: MemoryFile, expected: Replay, found: Findings): string[] {
  const documentOf = new Map([...expected.zOf].map(([document, record]) => [record.id, document]))
  let lastAt = ''
  const problems = file.records.flatMap((record) => {
    const { event } = record
    const own = auditRecord(record, file, expected, found, documentOf.get(record.id))
    const at = event?.kind === 'z' ? event.z?.at : event?.at
    if (event?.kind === 'tester' || at === undefined) return own
    if (at < lastAt) own.push(`${recordName(record)} is of ${at}, a record before it of ${lastAt}`)
    lastAt = at < lastAt ? lastAt : at
    return own
  })
  const missingZs = expected.missingZ.map(({ number }) => `Z report ${number} is missing from the fiscal memory`)
  const { lastZ } = file.counters
  if (expected.lastZ !== lastZ && found.documents.isWhole)
    problems.push(`the last Z of the device is ${lastZ}, of its journal ${expected.lastZ}`)
  return [...missingZs, ...problems]
}

function auditRecord(
  record: StoredRecord,
  file: MemoryFile,
  expected: Replay,
  { records, isWhole, places }: Findings,
  document: StoredDocument | undefined,
): string[] {
  const name = recordName(record)
  const { event } = record
  if (!event) return [`${name} cannot be read`]
  const isChanged = records.changed.has(record.id)
  const sentences = [
    ...differences(columnsOf(record), event.kind === 'z' ? zColumns(event.z) : columns(event)),
    ...(isChanged || isWhole ? placeDifferences(record, file, places) : []),
  ]
  const members = expected.records.get(record.id)
  if (event.kind === 'z' && !document) {
    return [...sentences, 'its document is not in the journal'].map((what) => `${name}: ${what}`)
  }
  if (members && (isChanged || isWhole)) sentences.push(...memberDifferences(event, members))
  // The missing record may be a change of the tax rates, so that differences of rates prove nothing.
  else if (members && records.unproven.has(record.id))
    sentences.push(...memberDifferences(event, members).filter((what) => !OF_RATES.test(what)))
  if (isChanged && sentences.length === 0) {
    const untold = [...new Set([...Object.keys(event), ...(MEMBERS[event.kind] ?? [])])]
    sentences.push(`${[...untold.filter((one) => !(members && one in members)), 'document'].join(' or ')} was changed`)
  }
  return sentences.map((what) => `${name}: ${what}`)
}

const OF_RATES = /^(?:rates|taxes\.\d+\.(?:rate|tax|reversalTax))\b/

const MEMBERS: Readonly<Record<MemoryRecord['kind'], readonly string[]>> = {
  fiscalised: ['at', 'serialNumber', 'taxNumber'],
  taxRates: ['at', 'fromZ', 'rates'],
  header: ['at', 'fromZ', 'lines'],
  ramReset: ['at', 'dropped'],
  z: ['z'],
  tester: ['at', 'act', 'replaced', 'dropped'],
}

const columnsOf = ({ kind, number, at }: StoredRecord) => ({ kind, number, at })
const zColumns = (z: { readonly number: number; readonly at: string } | undefined) => ({
  kind: 'z',
  number: z?.number ?? null,
  at: z?.at,
})
const columns = ({ kind, at }: { readonly kind: string; readonly at: string }) => ({ kind, number: null, at })

function memberDifferences(event: object, members: Readonly<Record<string, unknown>>): string[] {
  const { z } = members as { readonly z?: object }
  if (z) return differences(event, members).map((what) => what.replace(/^z\./, ''))
  const stored = Object.fromEntries(Object.entries(event).filter(([member]) => member in members))
  return differences(stored, members)
}

/**
 * Checks the journal position in a record: the last document before the record, and its seal. Documents that the
 * journal does not contain may follow that document (sheet C 4.14).
 */
function placeDifferences(
  { event, document, journal }: StoredRecord,
  { documents }: MemoryFile,
  places: ReadonlyMap<string, number>,
): string[] {
  const place = journal === '' ? -1 : (places.get(journal) ?? -1)
  const first = documents[place]?.document ?? 0
  const next = documents[place + 1]?.document ?? Number.POSITIVE_INFINITY
  if (journal !== '' && place < 0) {
    const seal = documents.findLast((one) => one.document <= document)?.seal ?? ''
    return differences({ journal }, { journal: seal })
  }
  const own = event?.kind === 'z' && event.z ? event.z.document - 1 : document
  return differences({ document }, { document: own >= first && own < next ? own : first })
}

function auditDocuments(
  file: MemoryFile,
  { documents: numbers, zOf }: Replay,
  { documents: found, isWhole }: Findings,
  profile: DeviceProfile,
): string[] {
  const { documents, lines } = file
  const withLines = Map.groupBy(lines, ({ document }) => document)
  const problems = missingDocuments(file)
  for (const document of documents) {
    const { document: number, kind, kindNumber, z } = document
    const sentences: string[] = []
    const isChanged = found.changed.has(number)
    const computed = numbers.get(number)
    if (computed && (isChanged || isWhole)) sentences.push(...differences({ kindNumber, z }, computed))
    const record = zOf.get(document)
    if (record && (isChanged || isWhole) && document.memory !== record.seal)
      sentences.push(`its memory seal differs from the seal of fiscal memory record ${record.id}`)
    if (document.cash !== null && !cashIn(document)) sentences.push('its cash movement cannot be read')
    const own = withLines.get(number)
    if (!own) sentences.push(`it (${kind}) has no lines in the journal`)
    if (document.receipt !== null)
      sentences.push(...auditReceipt(document, own?.map(({ line }) => line) ?? [], profile))
    problems.push(...sentences.map((what) => `document ${number} of the journal: ${what}`))
  }
  return problems
}

/**
 * Returns the numbers that no journal document has: reports on the fiscal memory (sheet C 4.14), and receipts that were
 * open when the RAM was lost.
 */
const absentDocuments = ({ papers, records }: MemoryFile): ReadonlySet<number> =>
  new Set([
    ...papers.flatMap(({ kind, number }) => (kind === 'memory' ? [number] : [])),
    ...records.flatMap(({ event }) => (event && 'dropped' in event ? (event.dropped ?? []) : [])),
  ])

function missingDocuments(file: MemoryFile): string[] {
  const { documents, lines, counters, papers } = file
  const problems: string[] = []
  const memoryPapers = papers.filter(({ kind }) => kind === 'memory').length
  const forgotten = Math.max(0, (counters.kinds['memory'] ?? 0) - memoryPapers)
  const documentNumbers = new Set([...documents.map(({ document }) => document), ...absentDocuments(file)])
  // The last number may belong to an open receipt.
  const numbers = Array.from({ length: Math.max(0, counters.lastDocument - 1) }, (_, index) => index + 1)
  const missing = numbers.filter((number) => !documentNumbers.has(number))
  if (missing.length > forgotten)
    problems.push(...missing.map((number) => `document ${number} is missing from the journal`))
  for (const document of new Set(lines.map((line) => line.document))) {
    if (!documentNumbers.has(document))
      problems.push(`the lines of document ${document} belong to no document of the journal`)
  }
  return problems
}

function auditDay({ day, counters }: MemoryFile, expected: Replay, { documents }: Findings): string[] {
  if (!documents.isWhole) return []
  // Reports on the fiscal memory count as documents of the day, but the journal of some families does not contain them
  // (sheet C 4.14).
  const isCounted = (counters.kinds['memory'] ?? 0) === (expected.kinds['memory'] ?? 0)
  const documentsOfDay = isCounted ? expected.day.documents : day.documents
  return differences(day, { ...expected.day, documents: documentsOfDay }).map((what) => `the open day: ${what}`)
}
