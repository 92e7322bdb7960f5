import type { Emulator } from '../../emulator/emulator.ts'

interface RequestContext {
  readonly hasKey: boolean
  readonly device: Emulator['device']
  /** All devices that were at the port. A service without an answer does not know which of them is connected. */
  readonly devices: readonly Pick<Emulator, 'device'>[]
  readonly mayBeOthers: boolean
  /** Numbers of documents that another program ended during the request. The service may have found them open. */
  readonly endedMeanwhile?: ReadonlySet<string>
}

/** Returns the first statement that is untrue or contradictory, or `undefined`. */
export function findFalseStatement(
  message: string,
  { hasKey, device, devices, mayBeOthers, endedMeanwhile }: RequestContext,
): string | undefined {
  if (message === '') return undefined
  const { receipt, counters } = device
  if (/\bis fully paid\b/.test(message) && !isPaid(device)) return 'it says that the receipt is paid'
  const mayHaveBeenOpen = receipt !== null || (endedMeanwhile?.size ?? 0) > 0
  if (/The receipt is still open\./.test(message) && !mayHaveBeenOpen) return 'it says that a receipt is open'
  const other = /[Rr]eceipt (\d*), opened by another program, is still open/.exec(message)?.[1]
  const isOpen = receipt !== null && other === String(counters.lastDocument)
  if (other !== undefined && !isOpen && !endedMeanwhile?.has(other)) return `it names receipt ${other} as open`
  if (other !== undefined && !mayBeOthers) return `it calls receipt ${other} another program's`
  const earlier = /Receipt (\d+) of an earlier request must be completed or cancelled first/.exec(message)?.[1]
  if (earlier !== undefined && devices.every((one) => Number(earlier) > one.device.counters.lastDocument))
    return `it names receipt ${earlier}`
  if (!hasKey && /with the same Idempotency-Key/.test(message)) return 'it mentions a key that the request did not have'
  if (count(message, /Completed as receipt \d+:/g) > 1 || count(message, /Outcome unknown:/g) > 1)
    return 'it makes the same statement twice'
  // The sentences "executed a command twice" and "may have executed" concern different commands.
  const rest = message.replace(/(?<!may have )executed a command twice/, '')
  const certain = rest.replaceAll('may have executed', '')
  if (certain !== rest && /did not execute|interrupted and executed/i.test(certain)) return 'it contradicts itself'
  if (END_STATEMENTS.filter((words) => words.test(message)).length > 1)
    return 'it makes two statements about the end of the request'
  return undefined
}

const END_STATEMENTS = [
  /^Outcome unknown:/,
  /^Completed as receipt \d+:/,
  /No receipt was printed\./,
  /The device did not execute the command\./,
  /The receipt was cancelled\./,
  /The receipt is still open\./,
]

/** A receipt that is no longer open must have been paid, because only a paid receipt can be closed. */
function isPaid({ receipt }: Emulator['device']): boolean {
  return receipt === null || (receipt.kind === 'fiscal' && receipt.fiscal.rest <= 0)
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length
