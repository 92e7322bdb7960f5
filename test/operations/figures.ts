/** The figures of a device: the cost of safe verdicts for its tills, and how far more evidence would reduce it. */

import type { PlayedWorld } from './worlds.ts'
import { ambiguousWith, isFalse, isUnsharp, type StepTable } from './worlds-table.ts'

interface Column {
  readonly head: string
  /** `worlds`: those in which the device keeps its memory. */
  readonly of: (worlds: readonly PlayedWorld[], table: StepTable) => number
}

const sizeOf = (table: StepTable, isCounted: (group: StepTable['groups'][number]) => boolean): number =>
  table.groups
    .filter(isCounted)
    .reduce((sum, { truths }) => sum + [...truths.values()].reduce((all, worlds) => all + worlds.length, 0), 0)

/** `amb.+times`, `amb.+operator`: the other program acts a minute later, and with its own operator. */
const COLUMNS: readonly Column[] = [
  { head: 'worlds', of: (worlds) => worlds.length },
  { head: 'evidences', of: (_worlds, { groups }) => groups.length },
  { head: 'undecided', of: (worlds) => worlds.filter(({ verdict }) => verdict === 'undecided').length },
  { head: 'ambiguous', of: (worlds) => ambiguousWith(worlds, () => '') },
  { head: '+imitable', of: (_worlds, table) => sizeOf(table, ({ isImitable }) => isImitable) },
  { head: 'unsharp', of: (_worlds, table) => sizeOf(table, isUnsharp) },
  { head: 'amb.+times', of: (worlds) => ambiguousWith(worlds, ({ clock }) => clock) },
  { head: 'amb.+operator', of: (worlds) => ambiguousWith(worlds, ({ operator }) => operator) },
  { head: 'false', of: (worlds) => worlds.filter(isFalse).length },
]

const NAME_WIDTH = 42

/** Returns one line per step, and their sum; then the worlds in which another memory answers under the same numbers. */
export function figuresOf(tables: readonly StepTable[]): string {
  const line = (name: string, cells: readonly (string | number)[]): string =>
    [
      name.padEnd(NAME_WIDTH),
      ...cells.map((cell, place) => String(cell).padStart(COLUMNS[place]?.head.length ?? 0)),
    ].join('  ')
  const rows = tables.map((table) => {
    const worlds = table.worlds.filter(({ hasOtherMemory }) => !hasOtherMemory)
    return { name: table.step.name, cells: COLUMNS.map(({ of }) => of(worlds, table)) }
  })
  const sums = COLUMNS.map((_column, place) => rows.reduce((sum, { cells }) => sum + (cells[place] ?? 0), 0))
  const [worlds = 1, , undecided = 0, ambiguous = 0] = sums
  const share = (count: number): string => `${((100 * count) / worlds).toFixed(1)} %`
  const others = tables.flatMap((table) => table.worlds.filter(({ hasOtherMemory }) => hasOtherMemory))
  const falsely = others.filter(isFalse)
  return [
    line(
      'step',
      COLUMNS.map(({ head }) => head),
    ),
    ...rows.map(({ name, cells }) => line(name, cells)),
    line('all', sums),
    `undecided: ${share(undecided)}, of it necessarily: ${share(ambiguous)}`,
    `another memory under the same numbers: ${others.length} worlds, ${falsely.length} of them false, ${falsely.filter(({ wentBack }) => wentBack).length} of these with a number that went back`,
    '',
  ].join('\n')
}

/** Returns one line about the worlds in which others use the line unnoticed. */
export function unnoticedFigures(worlds: readonly PlayedWorld[]): string {
  const held = worlds.filter(({ isHeld }) => isHeld)
  const falsely = held.filter((world) => isFalse(world))
  return `${worlds.length} worlds in which another program uses the line while one question is not answered: the hold is taken for unbroken in ${held.length}, and the verdict is false in ${falsely.length} of them\n`
}
