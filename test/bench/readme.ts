/**
 * The figures in the README. `npm run bench -- --readme` writes the figures that it has just measured and keeps all
 * others. Figures of several families from one measurement share a row, which keeps the table short: `| A, B: REST |
 * 3249, 3766 commands/s | >= 3500, missed by A | ... |`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { bound, type Figure, formatNumber, met } from './measure.ts'

const BEGIN = '<!-- figures: npm run bench -- --readme -->'
const END = '<!-- end of figures -->'
const HEAD = ['| what | measured | goal | on |', '| --- | --- | --- | --- |']

interface TableFigure {
  /** Empty if the figure does not belong to a family. */
  readonly family: string
  readonly what: string
  readonly value: string
  readonly unit: string
  readonly goal: string
  readonly isMissed: boolean
  readonly machine: string
}

const nameOf = ({ family, what }: Pick<TableFigure, 'family' | 'what'>): string =>
  family ? `${family}: ${what}` : what

function partsOf(name: string): { families: readonly string[]; what: string } {
  const [, families, what] = /^([A-Z](?:, [A-Z])*): (.*)$/.exec(name) ?? []
  return families === undefined || what === undefined
    ? { families: [''], what: name }
    : { families: families.split(', '), what }
}

function tableRow(figure: Figure, machine: string): TableFigure {
  const { families, what } = partsOf(figure.name)
  return {
    family: families[0] ?? '',
    what,
    value: formatNumber(figure.value),
    unit: figure.unit,
    goal: bound(figure),
    isMissed: met(figure) === false,
    machine,
  }
}

function readRow(row: string): TableFigure[] {
  const [name = '', measured = '', goals = '', machine = ''] = row.slice('| '.length, -' |'.length).split(' | ')
  const { families, what } = partsOf(name)
  const [, values = '', unit = ''] = /^([^\s,]+(?:, [^\s,]+)*) ?(.*)$/.exec(measured) ?? []
  const [goal = '', missed] = goals.split(', missed')
  const missing = missed?.replace(/^ by /, '').split(', ') ?? []
  return families.map((family, at) => ({
    family,
    what,
    value: values.split(', ')[at] ?? '',
    unit,
    goal,
    isMissed: missing.includes(family),
    machine,
  }))
}

function rowOf(figures: readonly [TableFigure, ...TableFigure[]]): string {
  const [{ what, unit, goal, machine }] = figures
  const name = nameOf({ family: figures.map(({ family }) => family).join(', '), what })
  const measured = `${figures.map(({ value }) => value).join(', ')} ${unit}`.trim()
  const missing = figures.filter(({ isMissed }) => isMissed).map(({ family }) => family)
  const missed = missing.length === 0 ? '' : missing.join('') === '' ? ', missed' : `, missed by ${missing.join(', ')}`
  return `| ${name} | ${measured} | ${goal}${missed} | ${machine} |`
}

/**
 * Returns the README with the figures that have a target. Throws RangeError if the README has no marks for the table.
 */
export function withFigures(readme: string, figures: readonly Figure[], machine: string): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (begin < 0 || end < begin) throw new RangeError(`the README has no place for figures: ${BEGIN}`)
  const stood = readme
    .slice(begin, end)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !HEAD.includes(line))
    .flatMap(readRow)
  const measured = figures.filter(({ target }) => target).map((figure) => tableRow(figure, machine))
  const figuresByName = new Map([...stood, ...measured].map((one) => [nameOf(one), one]))
  const rows = Map.groupBy(figuresByName.values(), ({ what, unit, goal, machine }) =>
    [what, unit, goal, machine].join(' | '),
  )
  const lines = [
    '',
    '',
    ...HEAD,
    ...[...rows.values()].map((row) => rowOf(row as [TableFigure, ...TableFigure[]])),
    '',
    '',
  ].join('\n')
  return readme.slice(0, begin + BEGIN.length) + lines + readme.slice(end)
}

export function writeFigures(file: string, figures: readonly Figure[], machine: string): void {
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), figures, machine))
}
