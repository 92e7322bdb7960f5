import type { DriverSettings, Operations } from '../family.ts'
import type { Session } from '../link/session.ts'
import { elements } from './elements.ts'
import { evidence } from './evidence.ts'
import { fiscalReceipts } from './fiscal-receipts.ts'
import { nonFiscalReceipts } from './non-fiscal-receipts.ts'
import { reports } from './reports.ts'
import type { WireB } from './session.ts'

/** What a driver of this family knows besides the device. */
export interface Remembered {
  /** The document that a copy copies, where this driver has closed or cancelled it itself. */
  lastClosed?: string | undefined
}

/** Every operation of the service on family B (sheet 14). */
export function operations(session: Session<WireB>, settings: DriverSettings): Operations {
  const remembered: Remembered = {}
  session.link.onOpened(() => {
    remembered.lastClosed = undefined
  })
  return {
    ...nonFiscalReceipts(session),
    ...fiscalReceipts(session, settings, remembered),
    ...reports(session, settings, remembered),
    ...evidence(session),
    ...elements(session),
  }
}
