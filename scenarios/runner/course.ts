/** A scenario under way: what its steps and checks share. */
import type { Client, DocumentView } from '../../emulator/panel/contract.ts'
import type { Given } from './schema.ts'
import type { Rig } from './target/target.ts'

export interface Problem {
  readonly what: string
  /** Lines with `-` (expected), `+` (there) or a space. */
  readonly diff?: readonly string[]
}

export const problems = (lines: readonly string[]): Problem[] => lines.map((what) => ({ what }))

/** Where the scenario began on this device: what was there before is not its own. */
export interface Beginning {
  readonly document: number
  readonly journal: number
  readonly frame: number
}

export interface Course {
  readonly rig: Rig
  readonly given: Given
  /** Values by name, as `$name` in the file means them. */
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
  /** The request at hand, in words, and what was answered. */
  asked: string | undefined
  answered: string | undefined
  /** Frames that had passed before the step at hand. */
  heardBefore: number
  hasFaults: boolean
  /** The power failed, or an answer was kept inside the device: nobody on the line knows all of it. */
  isUnheard: boolean
}

export async function beginningOf(panel: Client): Promise<Beginning> {
  const documents = await panel('GET /emulator/documents')
  const journal = await panel('GET /emulator/journal')
  const frames = await panel('GET /emulator/frames')
  return { document: documents.at(-1)?.id ?? 0, journal: journal.at(-1)?.id ?? 0, frame: frames.at(-1)?.id ?? 0 }
}

/** What this scenario has printed. */
export const printedBy = async (panel: Client, { beginning }: Course): Promise<readonly DocumentView[]> =>
  (await panel('GET /emulator/documents', { query: { after: beginning.document } })) as readonly DocumentView[]
