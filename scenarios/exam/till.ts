import type { Emulator } from '../../emulator/emulator.ts'
import type { Claim } from './case-history.ts'
import type { TillJob } from './job.ts'
import type { CaseTime } from './time.ts'

export interface Till {
  readonly name: string
  /**
   * `lines`: the till reaches the device over a pty or TCP in real time. `inside`: the till runs in this process, in
   * simulated time.
   */
  readonly way: 'lines' | 'inside'
  open(place: TillEnvironment): OpenTill
}

export interface TillEnvironment {
  readonly caseId: string
  readonly emulator: Emulator
  readonly time: CaseTime
  readonly link?: string
  readonly host: string
  readonly port: number
  readonly baud: number
  readonly password: string
  readonly folder: string
  /** Folder for the state of the till, empty at the start of the case. */
  readonly state: string
  readonly timeoutMs: number
}

export interface Run {
  readonly claim: Claim
  readonly message?: string
  readonly receipt?: string
  readonly exit?: number
  /** End of the standard output and standard error. */
  readonly output?: string
}

export interface OpenTill {
  run(job: TillJob): Promise<Run>
  /** Kills the running till with all processes that it has started. Missing if the exam cannot kill the till. */
  kill?(): void
  close(): Promise<void>
}

const CLAIMS = ['printed', 'failed', 'unknown'] as const

/**
 * Parses `{"outcome": "printed", "message"?: TEXT, "receipt"?: TEXT or NUMBER}`. Returns `undefined` for any other
 * text.
 */
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
