/** Are the words of an answer true? Read as a cashier would, against what the device holds at this moment. */
import type { Emulator } from '../../emulator/emulator.ts'

interface Hearing {
  /** The request had an `Idempotency-Key`. */
  readonly hasKey: boolean
  readonly device: Emulator['device']
  /** All that have stood at the port: a service that hears nothing does not know which stands there now. */
  readonly devices: readonly Pick<Emulator, 'device'>[]
  /** Another program may have opened what is open. */
  readonly mayBeOthers: boolean
  /** Numbers of documents that another program has ended during the request: the service may have seen them open. */
  readonly endedMeanwhile?: ReadonlySet<string>
}

/** What is untrue or contradicts itself; undefined: nothing. */
export function findFalseStatement(
  message: string,
  { hasKey, device, devices, mayBeOthers, endedMeanwhile }: Hearing,
): string | undefined {
  if (message === '') return undefined
  const { receipt, counters } = device
  if (/\bis fully paid\b/.test(message) && !isPaid(device)) return 'it says that the receipt is paid'
  if (/The receipt is still open\./.test(message) && receipt === null) return 'it says that a receipt is open'
  const other = /[Rr]eceipt (\d*), opened by another program, is still open/.exec(message)?.[1]
  const isOpen = receipt !== null && other === String(counters.lastDocument)
  if (other !== undefined && !isOpen && !endedMeanwhile?.has(other)) return `it names receipt ${other} as open`
  if (other !== undefined && !mayBeOthers) return `it calls receipt ${other} another program's`
  const earlier = /Receipt (\d+) of an earlier request must be completed or cancelled first/.exec(message)?.[1]
  if (earlier !== undefined && devices.every((one) => Number(earlier) > one.device.counters.lastDocument))
    return `it names receipt ${earlier}`
  if (!hasKey && /with the same Idempotency-Key/.test(message)) return 'it speaks of a key that the request had not'
  if (count(message, /Completed as receipt \d+:/g) > 1 || count(message, /Outcome unknown:/g) > 1)
    return 'it says the same twice'
  // What was done twice is one command, and what may have been done is another.
  const rest = message.replace(/(?<!may have )executed a command twice/, '')
  const certain = rest.replaceAll('may have executed', '')
  if (certain !== rest && /did not execute|interrupted and executed/i.test(certain)) return 'it contradicts itself'
  if (ENDS.filter((words) => words.test(message)).length > 1) return 'it says two things of its end'
  return undefined
}

/** Each says how a request has ended: no two of them are true at once. */
const ENDS = [
  /^Outcome unknown:/,
  /^Completed as receipt \d+:/,
  /No receipt was printed\./,
  /The device did not execute the command\./,
  /The receipt was cancelled\./,
  /The receipt is still open\./,
]

/** With nothing open, the receipt was ended meanwhile; only a paid one can be. */
function isPaid({ receipt }: Emulator['device']): boolean {
  return receipt === null || (receipt.kind === 'fiscal' && receipt.fiscal.rest <= 0)
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length
