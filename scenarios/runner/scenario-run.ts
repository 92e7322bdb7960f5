/** A running scenario: the context of its steps and checks, and its log. */

import type { Client, DocumentView } from '../../emulator/panel/contract.ts'
import type { Budget } from './budget.ts'
import { NEW_DEVICE, type Sums, type SumsBefore } from './device-sums.ts'
import type { Given } from './given.ts'
import type { ManualCheck, StepLogEntry } from './step-results.ts'
import type { Rig } from './target/target.ts'

/** State at the start of the scenario, which separates its documents from earlier ones. */
interface RunStart {
  /** Last ids that the control API has reported. */
  readonly document: number
  readonly journal: number
  readonly frame: number
  /** Number of the last document, or null if the device does not report it. */
  readonly number: number | null
  readonly frameCount: number
}

const AT_THE_BEGINNING: RunStart = { document: 0, journal: 0, frame: 0, number: null, frameCount: 0 }

export interface ScenarioRun {
  readonly rig: Rig
  readonly given: Given
  readonly locale: string | undefined
  readonly budget: Budget
  readonly scope: Map<string, unknown>
  readonly golden: {
    readonly folder: string
    /** The family, with the profile if that is not the first: `A`, `A-ro`. */
    readonly papers: string
    readonly update: boolean
    readonly updated: (path: string) => void
  }
  /** True if faults may remain untriggered. */
  readonly isLenient: boolean
  /** The step waits for the promise. */
  readonly beforeStep?: ((step: StepLogEntry, run: ScenarioRun) => Promise<void>) | undefined
  readonly log: RunLog
}

interface RunLog {
  beginning: RunStart
  before: SumsBefore
  beganAt: number | undefined
  readonly manualChecks: ManualCheck[]
  readonly story: StepLogEntry[]
  depth: number
  request: string | undefined
  answer: string | undefined
  framesBeforeStep: number
  hasFaults: boolean
  /** True if the power failed or the device withheld an answer. The line then does not show all traffic. */
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

export const countersOf = ({ lastDocument, lastZ }: Pick<SumsBefore, 'lastDocument' | 'lastZ'>): Sums => ({
  lastReceiptNumber: lastDocument,
  lastZ,
  fiscalReceipts: null,
  nonFiscal: null,
})

export const printedBy = async (panel: Client, { log }: ScenarioRun): Promise<readonly DocumentView[]> =>
  (await panel('GET /emulator/documents', { query: { after: log.beginning.document } })) as readonly DocumentView[]
