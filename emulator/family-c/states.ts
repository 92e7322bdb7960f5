import type { Nibbles } from '../../drivers/family-c/protocol/errors.ts'
import { isAllowed, type Situation } from '../../drivers/wire/command.ts'
import { byPhase, type ReceiptPhase } from '../fiscal/receipt-phase.ts'

/** The first digit of a refusal, which describes the state of the receipt (sheet 5.1). */
const DIGITS = byPhase(0, 6, 4, 5, 7)

export const refusedIn = (situation: Situation, phase: ReceiptPhase): Nibbles | undefined =>
  isAllowed(situation, phase) ? undefined : { device: DIGITS[phase], command: 2 }
