/** Are the words of an answer true? Read as a cashier would, against what the device holds at this moment. */
import type { Emulator } from '../../emulator/emulator.ts'

export interface Hearing {
  /** The request had an `Idempotency-Key`. */
  readonly hasKey: boolean
  readonly device: Emulator['device']
}

/** What is untrue or contradicts itself; undefined: nothing. */
export function falseWords(message: string, { hasKey, device }: Hearing): string | undefined {
  if (/\bit is paid\b/.test(message) && !isPaid(device)) return 'it says that the receipt is paid'
  if (!hasKey && /the Idempotency-Key that it had/.test(message)) return 'it speaks of a key that the request had not'
  if (count(message, /Completed as receipt \d+:/g) > 1 || count(message, /Outcome unknown:/g) > 1)
    return 'it says the same twice'
  if (/may have carried out/.test(message) && /(?:nothing of it was|has) carried out/i.test(message))
    return 'it contradicts itself'
  return undefined
}

/** With nothing open, the receipt was ended meanwhile; only a paid one can be. */
function isPaid({ receipt }: Emulator['device']): boolean {
  return receipt === null || (receipt.kind === 'fiscal' && receipt.fiscal.rest <= 0)
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length
