/**
 * The figures in the README: `npm run bench -- --readme` writes those that it has just measured, and leaves the others as
 * they were. Nobody writes them by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { bound, type Figure, met, shown } from './measure.ts'

const BEGIN = '<!-- figures: npm run bench -- --readme -->'
const END = '<!-- end of figures -->'
const HEAD = ['| what | measured | goal | on |', '| --- | --- | --- | --- |']

/** Only what has a goal is told. Throws RangeError where the README has no place for it. `machine`: what they were measured on, and when. */
export function withFigures(readme: string, figures: readonly Figure[], machine: string): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (begin < 0 || end < begin) throw new RangeError(`the README has no place for figures: ${BEGIN}`)
  const table = readme.slice(begin, end)
  const rows = new Map(
    table
      .split('\n')
      .filter((line) => line.startsWith('| ') && !HEAD.includes(line))
      .map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line]),
  )
  for (const figure of figures.filter(({ target }) => target)) {
    const { name, value, unit } = figure
    const missed = met(figure) ? '' : ', missed'
    rows.set(name, `| ${name} | ${`${shown(value)} ${unit}`.trim()} | ${bound(figure)}${missed} | ${machine} |`)
  }
  const lines = ['', '', ...HEAD, ...rows.values(), '', ''].join('\n')
  return readme.slice(0, begin + BEGIN.length) + lines + readme.slice(end)
}

export function writeFigures(file: string, figures: readonly Figure[], machine: string): void {
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), figures, machine))
}
