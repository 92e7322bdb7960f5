/** Fields of answers that differ between two printers of the same kind. */

const RUNNING: ReadonlySet<string> = new Set([
  ...['document', 'documents', 'receipts', 'nextDocument', 'nextInvoice', 'invoiceNumber'],
  ...['closure', 'fromClosure', 'zNumber', 'fiscalNumber'],
])
/** Matches commands whose field `number` is the number of a report. */
const REPORTS = /^(?:report|dailyReport|reportX|reportZ|lastZ)$/
const OWN_FIELDS: ReadonlySet<string> = new Set(['serialNumber', 'fiscalMemoryNumber', 'serial', 'memory'])

export type NumberReplacement = 'running' | 'own'

/**
 * `running`: a number that counts up. `own`: a number that identifies the printer. `undefined`: the field is the same
 * on every printer.
 */
export function numberReplacementFor(command: string, field: string): NumberReplacement | undefined {
  if (OWN_FIELDS.has(field)) return 'own'
  return RUNNING.has(field) || (field === 'number' && REPORTS.test(command)) ? 'running' : undefined
}

export const isNumber = (value: unknown): boolean => /^\d+$/.test(String(value))
