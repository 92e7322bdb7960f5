import type { Nibbles } from '../../drivers/family-c/protocol/errors.ts'
import { isAllowed, type Situation } from '../../drivers/wire/command.ts'
import { byPhase, type ReceiptPhase } from '../fiscal/phase.ts'

/** The first digit of the refusal, which tells of the receipt and not of the command (sheet 5.1). */
const DIGITS = byPhase(0, 6, 4, 5, 7)

/** Why the receipt in hand forbids a command; undefined: it does not. */
export const refusedIn = (situation: Situation, phase: ReceiptPhase): Nibbles | undefined =>
  isAllowed(situation, phase) ? undefined : { device: DIGITS[phase], command: 2 }
