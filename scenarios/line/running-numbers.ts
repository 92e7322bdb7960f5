/** Fields of answers that differ between two printers of one kind: running numbers and serial numbers. */

/** Numbers of documents, closures and invoices, by their names in every family's catalogue. */
const RUNNING: ReadonlySet<string> = new Set([
  ...['document', 'documents', 'receipts', 'nextDocument', 'nextInvoice', 'invoiceNumber'],
  ...['closure', 'fromClosure', 'zNumber', 'fiscalNumber'],
])
/** Commands in whose answers `number` is the number of a report. */
const REPORTS = /^(?:report|dailyReport|reportX|reportZ|lastZ)$/
/** Serial numbers. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['serialNumber', 'fiscalMemoryNumber', 'serial', 'memory'])

export type NumberReplacement = 'running' | 'own'

/** Returns undefined for a field that is the same on every printer. */
export function numberReplacementFor(command: string, field: string): NumberReplacement | undefined {
  if (OWN_FIELDS.has(field)) return 'own'
  return RUNNING.has(field) || (field === 'number' && REPORTS.test(command)) ? 'running' : undefined
}

export const isNumber = (value: unknown): boolean => /^\d+$/.test(String(value))
