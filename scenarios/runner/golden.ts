/** Golden files of the paper, and how two papers differ. Dates and times are left out of the comparison. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Family } from '../../drivers/model/receipt.ts'

const SHARED = ['fixtures', 'paper', 'scenarios']

/** `fixtures/paper/scenarios` of the project that the file stands in, else `paper` beside it. */
export function goldenFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, ...SHARED)
    if (existsSync(found)) return found
    if (dirname(at) === at) return join(folder, 'paper')
  }
}

/** The families' papers differ: each has its own file. */
export const goldenPath = (root: string, family: Family, name: string): string => join(root, family.toLowerCase(), name)

const DATES = /\b(?:\d{4}-\d{2}-\d{2}|\d{2}[-./]\d{2}[-./](?:\d{4}|\d{2}))(?!\d)/g
const TIMES = /\b\d{2}:\d{2}(?::\d{2})?\b/g

/** As it is compared: same width, no date, no time, nothing behind the last character of a line. */
export const comparable = (lines: readonly string[]): string[] =>
  lines.map((line) =>
    line
      .replace(DATES, (date) => date.replace(/\d/g, '_'))
      .replace(TIMES, (time) => time.replace(/\d/g, '_'))
      .trimEnd(),
  )

export function readGolden(path: string): string[] | undefined {
  if (!existsSync(path)) return undefined
  return readFileSync(path, 'utf8').replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n')
}

export function writeGolden(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${comparable(lines).join('\n')}\n`)
}

/** Lines with `-` (only expected), `+` (only there) or a space; undefined when there is no difference. */
export function paperDiff(expected: readonly string[], actual: readonly string[]): string[] | undefined {
  const [want, have] = [comparable(expected), comparable(actual)]
  if (want.join('\n') === have.join('\n')) return undefined
  return lineDiff(want, have)
}

/** By the longest common subsequence; receipts are short. */
export function lineDiff(want: readonly string[], have: readonly string[]): string[] {
  const longest = Array.from({ length: want.length + 1 }, () => new Array<number>(have.length + 1).fill(0))
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0
  for (let i = want.length - 1; i >= 0; i--) {
    for (let j = have.length - 1; j >= 0; j--) {
      const row = longest[i] as number[]
      row[j] = want[i] === have[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < want.length || j < have.length) {
    if (i < want.length && j < have.length && want[i] === have[j]) {
      lines.push(`  ${want[i++]}`)
      j++
    } else if (i < want.length && (j >= have.length || at(i + 1, j) >= at(i, j + 1))) lines.push(`- ${want[i++]}`)
    else lines.push(`+ ${have[j++]}`)
  }
  return lines
}
