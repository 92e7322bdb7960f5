import { beforeAll, describe, expect, it } from 'vitest'
import { auditMemory, testerNotes } from '../../emulator/fiscal/audit.ts'
import type { MemoryFile, StoredDocument, StoredRecord } from '../../emulator/fiscal/audit-file.ts'
import { documentSeal, recordSeal } from '../../emulator/fiscal/seal.ts'
import type { MemoryRecord } from '../../emulator/fiscal/types/day.ts'
import type { DeviceProfile } from '../../emulator/fiscal/types/profile.ts'
import { slice } from '../support/slice.ts'
import { busyDevice, DEVICES, fileOf } from './busy-device.ts'
import { type Change, changesOf } from './tampering.ts'

describe.each(DEVICES)('the audit of family $family, edition $profile,', (which) => {
  let file: MemoryFile
  let profile: DeviceProfile
  beforeAll(() => {
    const device = busyDevice(which)
    profile = device.profile
    file = fileOf(device)
  })

  const problemsOf = (change: Partial<MemoryFile>) => auditMemory({ ...file, ...change }, profile)
  const turn = <T>(all: readonly T[], of: number, what: string) =>
    slice(all, { of, deepOf: Math.ceil(of / 24), salt: `${what} ${which.family} ${which.profile}` })

  it('reports a device as sound after every function, and shows the actions of a tester', () => {
    expect(problemsOf({})).toEqual([])
    expect(new Set(file.records.map(({ kind }) => kind))).toEqual(
      new Set(['fiscalised', 'taxRates', 'header', 'ramReset', 'z', 'tester']),
    )
    expect(testerNotes(file)).toEqual([
      expect.stringMatching(
        /^reset by a tester at 2026-\S+ \(fiscal memory record 10\): memory and journal were retained$/,
      ),
      expect.stringMatching(
        /^restored by a tester at 2026-\S+ \(fiscal memory record 12\): it replaced a memory of 3 records, ending with Z 1 and document \d+$/,
      ),
    ])
  })

  it('names each changed member of each record of the fiscal memory', () => {
    const changes = file.records.flatMap((record) =>
      [...changesOf(record.event as MemoryRecord)].map((change) => ({ record, change })),
    )
    expect(changes.length).toBeGreaterThan(500)
    const unnamed = turn(changes, 24, 'members').filter(({ record, change }) => {
      const problems = problemsOf({
        records: file.records.map((one) => (one === record ? withEvent(one, change) : one)),
      })
      return !isNamed(problems, `fiscal memory record ${record.id}`, change.path)
    })
    expect(unnamed.map(({ record, change }) => `record ${record.id}: ${change.path}`)).toEqual([])
  })

  it('names each changed column of each record of the fiscal memory', () => {
    const changes = file.records.flatMap((record) =>
      [...changesOf(columnsOf(record))]
        .filter(({ path, value }) => path in columnsOf(record) && path in value)
        .map(({ path, value }) => ({ record, path, changed: { ...record, ...value } })),
    )
    const unnamed = turn(changes, 8, 'columns').filter(({ record, path, changed }) => {
      const problems = problemsOf({ records: file.records.map((one) => (one === record ? changed : one)) })
      return !isNamed(problems, `fiscal memory record ${record.id}`, path === 'seal' ? '' : path)
    })
    expect(unnamed.map(({ record, path }) => `record ${record.id}: ${path}`)).toEqual([])
  })

  it('names each record that is missing, swapped with another, or added', () => {
    const { records } = file
    const unnamed: string[] = []
    for (const record of records) {
      const problems = problemsOf({ records: records.filter((one) => one !== record) })
      if (!isNamed(problems, `fiscal memory record ${record.id}`, 'missing')) unnamed.push(`missing ${record.id}`)
    }
    for (const [one, other] of turn(pairsOf(records), 6, 'pairs')) {
      const problems = problemsOf({ records: swapped(records, one, other, 'id') })
      const isReported = [one, other].every(({ id }) => isNamed(problems, `fiscal memory record ${id}`, 'were swapped'))
      if (!isReported) unnamed.push(`swapped ${one.id} and ${other.id}`)
    }
    const [first, second, third] = records as [StoredRecord, StoredRecord, StoredRecord]
    const z = (third.event as MemoryRecord & { kind: 'z' }).z
    const forged = withEvent(third, { path: '', value: { kind: 'z', z: { ...z, cashOut: z.cashOut + 999_900 } } })
    const both = problemsOf({ records: [first, forged, ...records.slice(3)] })
    if (!isNamed(both, `fiscal memory record ${second.id}`, 'missing')) unnamed.push('missing before a changed one')
    if (!isNamed(both, `fiscal memory record ${third.id}`, 'cashOut')) unnamed.push('changed after a missing one')
    const last = records.at(-1) as StoredRecord
    const added = { ...last, id: last.id + 1 }
    const sealed = { ...added, seal: recordSeal(last.seal, added) }
    if (!isNamed(problemsOf({ records: [...records, sealed] }), `fiscal memory record ${added.id}`, 'was added'))
      unnamed.push('added')
    expect(unnamed).toEqual([])
  })

  it('names each member of a Z record that was resealed, with everything after it', () => {
    const changes = file.records.flatMap((record) =>
      record.kind === 'z' ? [...changesOf(record.event as MemoryRecord)].map((change) => ({ record, change })) : [],
    )
    const unnamed = turn(changes, 24, 'resealed').filter(({ record, change }) => {
      const records = file.records.map((one) => (one === record ? withEvent(one, change) : one))
      const problems = auditMemory(resealed({ ...file, records }), profile)
      return !isNamed(problems, `fiscal memory record ${record.id}`, change.path)
    })
    expect(unnamed.map(({ record, change }) => `record ${record.id}: ${change.path}`)).toEqual([])
  })

  it('names each document of the journal that was changed, is missing, or was swapped', () => {
    const { documents } = file
    const unnamed: string[] = []
    const changes = documents.flatMap((document) =>
      [...changesOf(document)]
        .filter(({ path, value }) => path in document && path in value)
        .concat([...receiptChanges(document)])
        .map((change) => ({ document, change })),
    )
    for (const { document, change } of turn(changes, 120, 'documents')) {
      const changed = documents.map((one) => (one === document ? change.value : one))
      const name = `document ${document.document} of the journal`
      // After a change of a document's number, the original number is missing.
      const own = change.path === 'document' ? `document ${document.document}` : name
      if (!isNamed(problemsOf({ documents: changed }), own, '')) unnamed.push(`${name}: ${change.path}`)
    }
    for (const document of turn(documents, 4, 'missing documents')) {
      const problems = problemsOf({ documents: documents.filter((one) => one !== document) })
      if (!problems.some((one) => new RegExp(`document ${document.document} .*missing`).test(one)))
        unnamed.push(`missing ${document.document}`)
    }
    for (const [one, other] of turn(pairsOf(documents), 160, 'pairs of documents')) {
      const problems = problemsOf({ documents: swapped(documents, one, other, 'document') })
      const isReported = [one, other].every(({ document }) =>
        isNamed(problems, `document ${document} of the journal`, ''),
      )
      if (!isReported) unnamed.push(`swapped ${one.document} and ${other.document}`)
    }
    expect(unnamed).toEqual([])
  })
})

const columnsOf = ({ event: _event, body: _body, id: _id, ...columns }: StoredRecord) => columns

const withEvent = (record: StoredRecord, { value }: Change<MemoryRecord>): StoredRecord => ({
  ...record,
  body: JSON.stringify(value),
  event: value,
})

function* receiptChanges(document: StoredDocument): Generator<Change<StoredDocument>> {
  for (const name of ['receipt', 'cash'] as const) {
    const json = document[name]
    if (json === null) continue
    for (const { path, value } of changesOf(JSON.parse(json) as object))
      yield { path: `${name}.${path}`, value: { ...document, [name]: JSON.stringify(value) } }
  }
}

const pairsOf = <T>(all: readonly T[]): (readonly [T, T])[] =>
  all.flatMap((one, place) => all.slice(place + 1).map((other) => [one, other] as const))

/** The contents of the two records keep their seals. */
function swapped<T, K extends keyof T>(all: readonly T[], one: T, other: T, key: K): T[] {
  return all.map((each) => {
    if (each === one) return { ...other, [key]: one[key] }
    return each === other ? { ...one, [key]: other[key] } : each
  })
}

function resealed(file: MemoryFile): MemoryFile {
  const chainOf = new Map(file.lines.map(({ document, chain }) => [document, chain]))
  let [memorySeal, journalSeal] = ['', '']
  const records: StoredRecord[] = []
  const documents: StoredDocument[] = []
  const recordsUpTo = (document: number): void => {
    for (
      let next = file.records[records.length];
      next && next.document < document;
      next = file.records[records.length]
    ) {
      const content = { ...next, journal: journalSeal }
      memorySeal = recordSeal(memorySeal, content)
      records.push({ ...content, seal: memorySeal })
    }
  }
  for (const document of file.documents) {
    recordsUpTo(document.document)
    const content = { ...document, memory: document.memory === null ? null : memorySeal }
    journalSeal = documentSeal(journalSeal, content, chainOf.get(document.document) ?? '')
    documents.push({ ...content, seal: journalSeal })
  }
  recordsUpTo(Number.POSITIVE_INFINITY)
  return { ...file, records, documents, counters: { ...file.counters, memorySeal, journalSeal } }
}

function isNamed(problems: readonly string[], name: string, path: string): boolean {
  const own = problems.filter((problem) => new RegExp(`${name}\\b`).test(problem))
  const member = path.replace(/^z\./, '').replace(/(^|\.)one_more$/, '$1one_more')
  if (member === '') return own.length > 0
  // If the seal cannot show which member was changed, the problem lists all candidates.
  const [first = ''] = member.split('.')
  return own.some(
    (problem) => problem.includes(member) || new RegExp(`: .*\\b${first}\\b.* was changed$`).test(problem),
  )
}
