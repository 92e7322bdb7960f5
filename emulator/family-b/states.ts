import { isAllowed, type Situation } from '../../drivers/wire/command.ts'
import type { ReceiptPhase } from '../fiscal/receipt-phase.ts'
import type { Reason } from './refusals.ts'

/** Returns the refusal of a command in a receipt phase (sheet 9); `undefined` if the command is allowed. */
export function refusedIn(situation: Situation, phase: ReceiptPhase): Reason | undefined {
  if (isAllowed(situation, phase)) return undefined
  // A sale after the first payment is error 6, not bit 1.1 (10.4).
  if (situation === 'selling' && (phase === 'paying' || phase === 'paid')) return { channel: 'error', error: 6 }
  return { channel: 'state', error: situation === 'betweenReceipts' || situation === 'opening' ? 19 : 20 }
}
