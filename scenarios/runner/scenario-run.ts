/** A running scenario: the context that its steps and checks share, and the log of what they have done. */

import type { Client, DocumentView } from '../../emulator/panel/contract.ts'
import type { Budget } from './budget.ts'
import { NEW_DEVICE, type Sums, type SumsBefore } from './device-sums.ts'
import type { Given } from './given.ts'
import type { Rig } from './target/target.ts'
import type { ManualCheck, StepLogEntry } from './types.ts'

/** State of the device when the scenario began, to separate earlier documents from its own. */
interface RunStart {
  /** Last entries that the control API had listed. */
  readonly document: number
  readonly journal: number
  readonly frame: number
  /** Running number of the last document as the device reports it, or null. */
  readonly number: number | null
  /** Number of frames that had passed on our own line. */
  readonly frameCount: number
}

const AT_THE_BEGINNING: RunStart = { document: 0, journal: 0, frame: 0, number: null, frameCount: 0 }

export interface ScenarioRun {
  readonly rig: Rig
  readonly given: Given
  /** Sent with every request. */
  readonly locale: string | undefined
  readonly budget: Budget
  /** Values by name, for `$name` in the file. */
  readonly scope: Map<string, unknown>
  readonly golden: {
    /** Folder that contains the golden files. */
    readonly folder: string
    /** The family, with the profile if it is not the first: `A`, `A-ro`. */
    readonly papers: string
    /** Golden files are written, not compared. */
    readonly update: boolean
    readonly updated: (path: string) => void
  }
  /** A fault that is never triggered is not an error. */
  readonly isLenient: boolean
  /** Called before each step, which waits for it. */
  readonly beforeStep?: ((step: StepLogEntry, run: ScenarioRun) => Promise<void>) | undefined
  readonly log: RunLog
}

/** The events of a run so far. */
interface RunLog {
  beginning: RunStart
  /** Sums and counters of the device before the first step. */
  before: SumsBefore
  /** Time on the scenario's clock after `given`; undefined: the scenario has not begun. */
  beganAt: number | undefined
  readonly manualChecks: ManualCheck[]
  /** The steps so far, including the skipped ones. */
  readonly story: StepLogEntry[]
  /** Number of steps that contain the current one. */
  depth: number
  /** The last request as text, and its answer. */
  request: string | undefined
  answer: string | undefined
  /** Number of frames before the current step. */
  framesBeforeStep: number
  hasFaults: boolean
  /** The power failed or the device kept an answer, so the line does not show all traffic. */
  hasTrafficGap: boolean
}

export const emptyLog = (): RunLog => ({
  beginning: AT_THE_BEGINNING,
  before: NEW_DEVICE,
  beganAt: undefined,
  manualChecks: [],
  story: [],
  depth: 0,
  request: undefined,
  answer: undefined,
  framesBeforeStep: 0,
  hasFaults: false,
  hasTrafficGap: false,
})

export async function readRunStart({ panel, reader }: Rig): Promise<RunStart> {
  if (!panel) {
    const { lastDocument: number = null } = (await reader?.numbers()) ?? {}
    return { ...AT_THE_BEGINNING, number, frameCount: reader?.frames()?.length ?? 0 }
  }
  const documents = await panel('GET /emulator/documents')
  const journal = await panel('GET /emulator/journal')
  const frames = await panel('GET /emulator/frames')
  return {
    ...AT_THE_BEGINNING,
    document: documents.at(-1)?.id ?? 0,
    journal: journal.at(-1)?.id ?? 0,
    frame: frames.at(-1)?.id ?? 0,
  }
}

/** Reads the sums before the scenario changes anything. */
export async function sumsBeforeRun({ panel, reader }: Rig): Promise<SumsBefore> {
  if (panel) {
    const { day, counters } = await panel('GET /emulator')
    const documents = await panel('GET /emulator/documents', { query: { content: 'none' } })
    return { lastDocument: documents.at(-1)?.number ?? 0, lastZ: counters.lastZ, day: { ...day }, counters }
  }
  if (!reader) return NEW_DEVICE
  const numbers = await reader.numbers()
  return { ...numbers, day: await reader.day(), counters: countersOf(numbers) }
}

/** Counters under the names of the control API. */
export const countersOf = ({ lastDocument, lastZ }: Pick<SumsBefore, 'lastDocument' | 'lastZ'>): Sums => ({
  lastReceiptNumber: lastDocument,
  lastZ,
  fiscalReceipts: null,
  nonFiscal: null,
})

/** Returns the documents that this scenario has printed. */
export const printedBy = async (panel: Client, { log }: ScenarioRun): Promise<readonly DocumentView[]> =>
  (await panel('GET /emulator/documents', { query: { after: log.beginning.document } })) as readonly DocumentView[]
