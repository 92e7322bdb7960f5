import type { MemoryFile } from './audit-file.ts'

/**
 * Returns fiscal memory and journal for external verification. Sealed texts are exported unchanged. The format is
 * published in server/docs/guide/fiscal-memory.md.
 */
export function memoryExport({ device, counters, records, documents, lines }: MemoryFile): readonly object[] {
  const { family, profile, serialNumber, fiscalMemoryNumber, taxNumber } = device
  const { memorySeal, journalSeal, chain, lastDocument, lastZ } = counters
  const heads = { records: counters.records, lines: counters.journalLines, memorySeal, journalSeal, chain }
  return [
    {
      type: 'device',
      ...{ family, profile, serialNumber, fiscalMemoryNumber, taxNumber },
      ...{ lastDocument, lastZ, ...heads },
    },
    ...records.map(({ id, document, journal, body, seal }) => ({ type: 'record', id, document, journal, body, seal })),
    ...documents.map((document) => ({ type: 'document', ...document })),
    ...lines.map((line) => ({ type: 'line', ...line })),
  ]
}
