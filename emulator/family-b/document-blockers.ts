/** Conditions that block every document. They are checked last (sheet 8 and 13). */
import type { ErrorNumber } from '../../drivers/family-b/protocol/errors.ts'
import type { StatusName } from '../../drivers/family-b/protocol/status.ts'
import { type Context, error, type Refused, refused } from './context.ts'
import { REASONS } from './refusals.ts'

type Question = 'clock' | 'journal' | 'fiscalMemory' | 'day'

/** Status bits of failed parts, by error number. Other failures set no bit. */
const TROUBLE_BITS: Readonly<Record<number, StatusName>> = {
  61: 'journalMissing',
  70: 'fiscalMemoryInvalidRecord',
  71: 'fiscalMemoryInvalidRecord',
  72: 'fiscalMemoryWriteError',
  76: 'taxTerminalTrouble',
  123: 'journalMissing',
  124: 'journalMissing',
  125: 'journalMissing',
  126: 'journalMissing',
}

export const troubleBit = (trouble: number): StatusName | undefined => TROUBLE_BITS[trouble]

export function blocked({ device, switches }: Context, questions: readonly Question[]): Refused | undefined {
  if (switches.trouble !== 0) return error(switches.trouble as ErrorNumber)
  for (const question of questions) {
    const refusal = device.refusals[question]()
    if (refusal) return refused(REASONS[refusal])
  }
  return undefined
}
