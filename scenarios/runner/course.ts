/** A scenario under way: what its steps and checks share. */

import type { Client, DocumentView } from '../../emulator/panel/contract.ts'
import type { Budget } from './budget.ts'
import type { Look } from './by-eye.ts'
import { type Before, NEW_DEVICE, type Sums } from './device-sums.ts'
import type { Given } from './schema.ts'
import type { LoadedStep } from './steps/step.ts'
import type { StoryStep } from './story.ts'
import type { Rig } from './target/target.ts'

export interface Problem {
  readonly what: string
  /** Lines with `-` (expected), `+` (there) or a space. */
  readonly diff?: readonly string[]
}

export const problems = (lines: readonly string[]): Problem[] => lines.map((what) => ({ what }))

/** Where the scenario began on this device: what was there before is not its own. */
export interface Beginning {
  /** What the control interface has listed. */
  readonly document: number
  readonly journal: number
  readonly frame: number
  /** Running number of the last document, by the device's own word; null: it does not tell. */
  readonly number: number | null
  /** Frames that had passed on our own line. */
  readonly heard: number
}

export const AT_THE_BEGINNING: Beginning = { document: 0, journal: 0, frame: 0, number: null, heard: 0 }

export interface Course {
  readonly rig: Rig
  readonly given: Given
  /** Of the scenario: every request says it. */
  readonly locale: string | undefined
  /** Values by name, as `$name` in the file means them. */
  readonly budget: Budget
  readonly scope: Map<string, unknown>
  readonly golden: {
    /** Golden files stand below it. */
    readonly folder: string
    /** The family, and a profile besides: `A`, `A-ro`. */
    readonly papers: string
    /** They are written, not compared. */
    readonly update: boolean
    readonly updated: (path: string) => void
  }
  /** A fault that never strikes is no mistake. */
  readonly isLenient: boolean
  beginning: Beginning
  /** What its sums and counters were before. */
  before: Before
  /** What is left for a person to look at. */
  readonly looks: Look[]
  /** The request at hand, in words, and what was answered. */
  request: string | undefined
  answer: string | undefined
  /** What was done so far, step by step, and what was left out. */
  readonly story: StoryStep[]
  /** Called before each step, which waits for it. */
  readonly beforeStep?: ((step: LoadedStep, course: Course) => Promise<void>) | undefined
  /** How deep the steps at hand stand inside of others. */
  depth: number
  /** On the scenario's clock, behind what is given; undefined: it has not begun yet. */
  beganAt: number | undefined
  /** Frames that had passed before the step at hand. */
  heardBefore: number
  hasFaults: boolean
  /** The power failed, or an answer was kept inside the device: nobody on the line knows all of it. */
  isUnheard: boolean
}

export async function beginningOf({ panel, reader }: Rig): Promise<Beginning> {
  if (!panel) {
    const { lastDocument: number = null } = (await reader?.numbers()) ?? {}
    return { ...AT_THE_BEGINNING, number, heard: reader?.frames()?.length ?? 0 }
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

/** Asked for before anything is done. */
export async function beforeOf({ panel, reader }: Rig): Promise<Before> {
  if (panel) {
    const { day, counters } = await panel('GET /emulator')
    const documents = await panel('GET /emulator/documents', { query: { content: 'none' } })
    return { lastDocument: documents.at(-1)?.number ?? 0, lastZ: counters.lastZ, day: { ...day }, counters }
  }
  if (!reader) return NEW_DEVICE
  const numbers = await reader.numbers()
  return { ...numbers, day: await reader.day(), counters: countersOf(numbers) }
}

/** As the control interface names them. */
export const countersOf = ({ lastDocument, lastZ }: Pick<Before, 'lastDocument' | 'lastZ'>): Sums => ({
  lastReceiptNumber: lastDocument,
  lastZ,
  fiscalReceipts: null,
  nonFiscal: null,
})

/** What this scenario has printed. */
export const printedBy = async (panel: Client, { beginning }: Course): Promise<readonly DocumentView[]> =>
  (await panel('GET /emulator/documents', { query: { after: beginning.document } })) as readonly DocumentView[]
