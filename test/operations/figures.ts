/** The figures of a device: what its tills suffer for safety, and what more evidence would spare them. */
import { ambiguousWith, isAmbiguous, isUnsharp, type StepTable } from './table.ts'
import type { Played } from './worlds.ts'

interface Column {
  readonly head: string
  readonly of: (worlds: readonly Played[], table: StepTable) => number
}

const COLUMNS: readonly Column[] = [
  { head: 'worlds', of: (worlds) => worlds.length },
  { head: 'evidences', of: (_worlds, { groups }) => groups.length },
  { head: 'undecided', of: (worlds) => worlds.filter(({ verdict }) => verdict === 'undecided').length },
  { head: 'undecidable', of: (worlds) => ambiguousWith(worlds, () => '') },
  { head: 'with times', of: (worlds) => ambiguousWith(worlds, ({ clock }) => clock) },
  { head: 'with operator', of: (worlds) => ambiguousWith(worlds, ({ operator }) => operator) },
  { head: 'false', of: (worlds) => worlds.filter(({ verdict, truth }) => verdict !== 'undecided' && verdict !== truth).length },
]
