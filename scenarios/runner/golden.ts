/** Golden files of the paper, and how two papers differ. Dates and times are left out of the comparison. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { diffArrays } from 'diff'

const SHARED = ['fixtures', 'paper', 'scenarios']

/** `fixtures/paper/scenarios` of the project that the file stands in, else `paper` beside it. */
export function goldenFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const shared = join(at, ...SHARED)
    if (existsSync(shared)) return shared
    if (dirname(at) === at) return join(folder, 'paper')
  }
}

/** The papers of families differ, and those of a profile that a run was asked for: each has its own file. */
export const goldenPath = (root: string, papers: string, name: string): string => join(root, papers.toLowerCase(), name)

const DATES = /(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{2}[-./]\d{2}[-./](?:\d{4}|\d{2}))(?!\d)/g
const TIMES = /(?<!\d)\d{2}:\d{2}(?::\d{2})?(?!\d)/g

/** The hash at the end of a fiscal document (B), which covers date and time. */
const HASH = /^( *)[0-9A-F]{5}(?:-[0-9A-F]{5}){3}$/

/** As it is compared: same width, no date, no time, no hash, nothing behind the last character of a line. */
export const comparable = (lines: readonly string[]): string[] =>
  boxesJoined(lines, (line) =>
    line.replace(DATES, (date) => date.replace(/\d/g, '_')).replace(TIMES, (time) => time.replace(/\d/g, '_')),
  ).map((line) => line.trimEnd().replace(HASH, (hash) => hash.replace(/[0-9A-F]/g, '_')))

/** A line of a barcode's box; the text of a QR code goes on from line to line, and so may a date inside it. */
const BOX = /^(\s*\|\| )(.*)( \|\|\s*)$/

/** Changes each line, and the text of a box as one; the change must keep the length. */
function boxesJoined(lines: readonly string[], change: (text: string) => string): string[] {
  const changed: string[] = []
  for (let at = 0; at < lines.length; ) {
    const box: RegExpExecArray[] = []
    for (let line = BOX.exec(lines[at] ?? ''); line; line = BOX.exec(lines[++at] ?? '')) box.push(line)
    if (box.length === 0) {
      changed.push(change(lines[at++] ?? ''))
      continue
    }
    const whole = change(box.map(([, , text]) => text).join(''))
    let from = 0
    for (const [, left, text = '', right] of box) {
      changed.push(`${left}${whole.slice(from, from + text.length)}${right}`)
      from += text.length
    }
  }
  return changed
}

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

/** Each line of both with its mark. */
export const lineDiff = (want: readonly string[], have: readonly string[]): string[] =>
  diffArrays([...want], [...have]).flatMap(({ value, added, removed }) =>
    value.map((line) => `${removed ? '-' : added ? '+' : ' '} ${line}`),
  )
