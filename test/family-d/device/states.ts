import { isAllowed, type Situation } from '../../../drivers/wire/command.ts'
import type { ReceiptPhase } from '../../../emulator/fiscal/receipt-phase.ts'
import type { ErrorKey } from '../driver/protocol/errors.ts'

/** Returns the error of a command in a wrong state; family D has one error for all of them (sheet 5). */
export const refusedIn = (situation: Situation, phase: ReceiptPhase): ErrorKey | undefined =>
  isAllowed(situation, phase) ? undefined : 'notNow'
