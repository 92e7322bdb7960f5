import type { Nibbles } from '../../drivers/family-c/protocol/errors.ts'
import { isAllowed, type Situation } from '../../drivers/wire/command.ts'
import { byPhase, type ReceiptPhase } from '../fiscal/receipt-phase.ts'

/** The first digit of the refusal, which describes the receipt and not the command (sheet 5.1). */
const DIGITS = byPhase(0, 6, 4, 5, 7)

/** Returns the refusal of a command in a receipt phase; `undefined` if the command is allowed. */
export const refusedIn = (situation: Situation, phase: ReceiptPhase): Nibbles | undefined =>
  isAllowed(situation, phase) ? undefined : { device: DIGITS[phase], command: 2 }
