/**
 * The seals of fiscal memory and electronic journal. A seal is the hash of the previous seal and of the content. The
 * formats are published (server/docs/guide/fiscal-memory.md): a change breaks the programs that verify an export.
 */
import { sha256 } from '../../drivers/host/digest.ts'

const sealed = (...parts: readonly (string | number)[]): string => sha256(parts.join('\n'))

export interface RecordContent {
  readonly id: number
  /** The number of the last document at the time of the record. */
  readonly document: number
  /** The seal of the last document in the journal at the time of the record. */
  readonly journal: string
  readonly body: string
}

/** `before` is the seal of the previous record; empty for the first record. */
export const recordSeal = (before: string, { id, document, journal, body }: RecordContent): string =>
  sealed(before, id, document, journal, body)

export interface DocumentContent {
  readonly document: number
  readonly kind: string
  readonly kindNumber: number
  readonly reversal: boolean
  readonly at: string
  readonly z: number
  readonly receipt: string | null
  readonly cash: string | null
  /** The seal of the last record of the fiscal memory; only a Z report has it. */
  readonly memory: string | null
}

/** `chain` is the chain value of the document's last line in the journal. */
export function documentSeal(before: string, content: DocumentContent, chain: string): string {
  const { document, kind, kindNumber, reversal, at, z, receipt, cash, memory } = content
  return sealed(
    ...[before, document, kind, kindNumber, reversal ? 1 : 0, at, z, chain],
    ...[memory ?? '', cash ?? '', receipt ?? ''],
  )
}
