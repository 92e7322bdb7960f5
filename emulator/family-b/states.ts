import { isAllowed, type Situation } from '../../drivers/wire/command.ts'
import type { ReceiptPhase } from '../fiscal/receipt-phase.ts'
import type { Reason } from './refusals.ts'

/** Returns the error for a command that the receipt phase does not allow (sheet 9). */
export function refusedIn(situation: Situation, phase: ReceiptPhase): Reason | undefined {
  if (isAllowed(situation, phase)) return undefined
  // A sale after the first payment is error 6 in byte 3, not bit 1.1 (sheet 10.4).
  if (situation === 'selling' && (phase === 'paying' || phase === 'paid')) return { channel: 'error', error: 6 }
  return { channel: 'state', error: situation === 'betweenReceipts' || situation === 'opening' ? 19 : 20 }
}
