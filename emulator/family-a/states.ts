import type { ErrorKey } from '../../drivers/family-a/protocol/errors.ts'
import { isAllowed, type Situation } from '../../drivers/wire/command.ts'
import type { ReceiptPhase } from '../fiscal/receipt-phase.ts'

/** Returns the error for a command that the receipt phase does not allow (sheet 5). */
export function refusedIn(situation: Situation, phase: ReceiptPhase): ErrorKey | undefined {
  if (isAllowed(situation, phase)) return undefined
  if (phase === 'idle') return 'receiptClosed'
  if (phase === 'nonFiscal') return 'nonfiscalOpen'
  switch (situation) {
    case 'opening':
      return 'receiptOpen'
    case 'selling':
    case 'beforePayment':
      return 'paymentStarted'
    case 'untilPaid':
      return 'regNotPossible'
    case 'whenPaid':
      return 'paymentNotStarted'
    case 'closing':
      return phase === 'paying' ? 'belowTotal' : 'paymentNotStarted'
    case 'anywhere':
    case 'betweenReceipts':
    case 'outsideFiscal':
    case 'inNonFiscal':
    case 'inFiscal':
    case 'inReceipt':
    case 'closingEither':
      return 'fiscalOpen'
  }
}
