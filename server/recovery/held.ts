import { DeviceError } from '../../drivers/model/errors.ts'
import type { Evidence, FiscalPrinter } from '../../drivers/model/printer.ts'

/** What prints, or changes what stands on a receipt. */
const ACTS = [
  'openFiscal',
  'openNonFiscal',
  'sell',
  'sellArticle',
  'subtotal',
  'printFiscalText',
  'printNonFiscalText',
  'printBarcode',
  'printSeparatingLine',
  'pay',
  'closeFiscal',
  'closeNonFiscal',
  'cancelFiscal',
  'cancelNonFiscal',
  'reportX',
  'reportZ',
  'copyLastReceipt',
  'moveCash',
] as const satisfies readonly (keyof FiscalPrinter)[]

/** Throws DeviceError where the line was not held without a break since this evidence was taken. */
export function checkHeld(printer: FiscalPrinter, evidence: Evidence | null): void {
  const problem = evidence?.hold === undefined ? undefined : printer.brokenSince(evidence)
  if (problem) throw new DeviceError(problem)
}

/**
 * The printer, as long as the line is held without a break since `evidence` was taken: whatever acts on it rejects with
 * `portLost` afterwards, before it is sent. Another program may have had the line, and have changed what stands there.
 */
export function heldSince(printer: FiscalPrinter, evidence: () => Evidence | null): FiscalPrinter {
  const held = Object.create(printer) as Record<string, unknown>
  for (const name of ACTS) {
    const act = printer[name] as ((...values: unknown[]) => Promise<unknown>) | undefined
    if (!act) continue
    held[name] = async (...values: unknown[]) => {
      checkHeld(printer, evidence())
      return act.apply(printer, values)
    }
  }
  return held as unknown as FiscalPrinter
}
