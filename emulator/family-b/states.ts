import { isAllowed, type Situation } from '../../drivers/wire/command.ts'
import type { ReceiptPhase } from '../fiscal/phase.ts'
import type { Reason } from './refusals.ts'

/** Why the receipt in hand forbids a command (sheet 9); undefined: it does not. */
export function refusedIn(situation: Situation, phase: ReceiptPhase): Reason | undefined {
  if (isAllowed(situation, phase)) return undefined
  // A sale after the first payment is no matter of 1.1 but error 6 (10.4).
  if (situation === 'selling' && (phase === 'paying' || phase === 'paid')) return { channel: 'error', error: 6 }
  return { channel: 'state', error: situation === 'betweenReceipts' || situation === 'opening' ? 19 : 20 }
}
