/**
 * The figures of a device: how many outcomes its evidence leaves undecided, and how far more evidence would reduce that
 * number.
 */

import type { PlayedWorld } from './worlds.ts'
import { ambiguousWith, isFalse, isUnsharp, type StepTable } from './worlds-table.ts'

interface Column {
  readonly head: string
  readonly of: (worlds: readonly PlayedWorld[], table: StepTable) => number
}

const sizeOf = (table: StepTable, isCounted: (group: StepTable['groups'][number]) => boolean): number =>
  table.groups
    .filter(isCounted)
    .reduce((sum, { truths }) => sum + [...truths.values()].reduce((all, worlds) => all + worlds.length, 0), 0)

/**
 * `amb.+times` and `amb.+operator`: ambiguous worlds if the evidence also contained the time, or the operator, of a
 * document. The other program acts a minute later under its own operator code.
 */
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

/**
 * Returns a line for each step, their sum, and the number of worlds in which another memory responds under the same
 * numbers.
 */
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

export function unnoticedFigures(worlds: readonly PlayedWorld[]): string {
  const held = worlds.filter(({ isHeld }) => isHeld)
  const falsely = held.filter((world) => isFalse(world))
  return `${worlds.length} worlds in which another program uses the line while one question is not answered: the hold is taken for unbroken in ${held.length}, and the verdict is false in ${falsely.length} of them\n`
}
