/** A till as the exam uses it: a program that receives sales, reports their outcome, and may be ended. */
import type { Emulator } from '../../emulator/emulator.ts'
import type { Claim } from './case-history.ts'
import type { TillJob } from './job.ts'
import type { CaseTime } from './time.ts'

export interface Till {
  /** Name in reports: the command, the address, or `service`. */
  readonly name: string
  /**
   * `lines`: the till reaches the device over a pty or TCP, in real time; `inside`: it runs in this process, in
   * simulated time.
   */
  readonly way: 'lines' | 'inside'
  open(place: TillEnvironment): TillAtWork
}

/** The environment of one case. */
export interface TillEnvironment {
  readonly caseId: string
  readonly emulator: Emulator
  readonly time: CaseTime
  /** Path of the pty; undefined if the system has none. */
  readonly link?: string
  readonly host: string
  /** 0 if the device has no TCP port. */
  readonly port: number
  readonly baud: number
  /** Password of operator 1. */
  readonly password: string
  /** Folder of the case, for the exam's own files. */
  readonly folder: string
  /** Folder for the till's own state during the case; empty at the start. */
  readonly state: string
  readonly timeoutMs: number
}

/** The till's claim at the end of one run. */
export interface Run {
  readonly claim: Claim
  readonly message?: string
  /** Number of the receipt, if the till reports one. */
  readonly receipt?: string
  readonly exit?: number
  /** The end of its standard output and standard error. */
  readonly output?: string
}

export interface TillAtWork {
  run(job: TillJob): Promise<Run>
  /** Ends the running till at once, with everything that it has started. Undefined if it cannot be ended. */
  kill?(): void
  /** Ends the till and releases its resources. */
  close(): Promise<void>
}

const CLAIMS = ['printed', 'failed', 'unknown'] as const

/** Parses `{"outcome": "printed", "receipt"?: TEXT}`. Returns undefined for any other text. */
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
