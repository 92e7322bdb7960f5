/** A till as the exam drives it: a program that is asked to sell, says what became of it, and may be ended. */
import type { Emulator } from '../../emulator/emulator.ts'
import type { Claim } from './case-history.ts'
import type { TillJob } from './job.ts'
import type { CaseTime } from './time.ts'

export interface Till {
  /** As the report names it: the command, the address, or `service`. */
  readonly name: string
  /** `lines`: it reaches the device over a pty or TCP, in real time; `inside`: in this process, in simulated time. */
  readonly way: 'lines' | 'inside'
  open(place: Place): TillAtWork
}

/** Where a case takes place. */
export interface Place {
  readonly caseId: string
  readonly emulator: Emulator
  readonly time: CaseTime
  /** Path of the pty; absent: there is none on this machine. */
  readonly link?: string
  readonly host: string
  /** 0: the device is on no TCP port. */
  readonly port: number
  readonly baud: number
  /** Of operator 1. */
  readonly password: string
  /** A folder of the case, for what the exam itself writes. */
  readonly folder: string
  /** A folder that lives as long as the case, for what the till wants to remember; empty at the start. */
  readonly state: string
  readonly timeoutMs: number
}

/** What a till said at the end of one run. */
export interface Run {
  readonly claim: Claim
  readonly message?: string
  /** Number of the receipt, where it names one. */
  readonly receipt?: string
  readonly exit?: number
  /** The last of its standard output and of its errors. */
  readonly output?: string
}

export interface TillAtWork {
  run(job: TillJob): Promise<Run>
  /** Ends what runs, at once and with all that it has started. Absent: it cannot be ended. */
  kill?(): void
  /** Nothing of it is left behind. */
  close(): Promise<void>
}

const CLAIMS = ['printed', 'failed', 'unknown'] as const

/** `{"outcome": "printed", "receipt"?: TEXT}` as a till says it; undefined: this is no such object. */
export function parseOutcome(text: string): Pick<Run, 'claim' | 'message' | 'receipt'> | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('outcome' in value)) return undefined
  const { outcome, message, receipt } = value as { outcome: unknown; message?: unknown; receipt?: unknown }
  const claim = CLAIMS.find((one) => one === outcome)
  if (claim === undefined) return undefined
  return {
    claim,
    ...(typeof message === 'string' && { message }),
    ...((typeof receipt === 'string' || typeof receipt === 'number') && { receipt: String(receipt) }),
  }
}
