import { isAllowed, type Situation } from '../../../drivers/wire/command.ts'
import type { ReceiptPhase } from '../../../emulator/fiscal/receipt-phase.ts'
import type { ErrorKey } from '../driver/protocol/errors.ts'

/** Family D has one error for all wrong states (sheet 5). */
export const refusedIn = (situation: Situation, phase: ReceiptPhase): ErrorKey | undefined =>
  isAllowed(situation, phase) ? undefined : 'notNow'
