import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { diffArrays } from 'diff'
import { readForeignFile } from '../../drivers/host/foreign-file.ts'
import { PRIVATE_FILE } from '../../server/private-files.ts'

const SHARED_PATH = ['fixtures', 'paper', 'scenarios']

/** Thrown if a golden file has an invalid name or location. */
export class GoldenFileError extends RangeError {}

const ownerOnDisk = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.uid

/**
 * Returns the folder `parts` of the project that contains `folder`. The search ends at the project's root: at `.git`,
 * or else at the nearest `package.json`. Folders of other users are skipped, because any user can create folders in a
 * shared temporary folder.
 */
export function projectFolder(folder: string, parts: readonly string[], ownerOf = ownerOnDisk): string | undefined {
  const trusted = [process.getuid?.(), ownerOf(folder)]
  const isOurs = (path: string): boolean => existsSync(path) && trusted.includes(ownerOf(path))
  const above = [folder]
  for (let at = folder; dirname(at) !== at; at = dirname(at)) above.push(dirname(at))
  const end = ['.git', 'package.json']
    .map((name) => above.findIndex((at) => isOurs(join(at, name))))
    .find((at) => at >= 0)
  return above
    .slice(0, (end ?? 0) + 1)
    .map((at) => join(at, ...parts))
    .find(isOurs)
}

export const goldenFolder = (folder: string, ownerOf = ownerOnDisk): string =>
  projectFolder(folder, SHARED_PATH, ownerOf) ?? join(folder, 'paper')

const PLAIN_PART = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ .,()+-]*[\p{L}\p{N}_)+-])?$/u
const NAME_MAX = 200

/**
 * Returns the path of a golden file. Each family has its own folder, and so has a profile that the run has selected.
 * Throws GoldenFileError for a name that could leave the folder, and for a symbolic link.
 */
export function goldenPath(root: string, papers: string, name: string): string {
  const parts = name.split('/')
  if (name.length > NAME_MAX || !parts.every((part) => PLAIN_PART.test(part)))
    throw new GoldenFileError(
      `expected a plain name inside the folder of golden files: letters, digits and _ - . with / between folders, not ${JSON.stringify(name)}`,
    )
  const path = join(root, papers.toLowerCase(), ...parts)
  const isShared = root.endsWith(`${sep}${join(...SHARED_PATH)}`)
  let at = isShared ? join(root, '..', '..', '..') : dirname(root)
  for (const part of relative(at, path).split(sep)) {
    at = join(at, part)
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new GoldenFileError(
        `${relative(process.cwd(), at)} is a link: put the golden files themselves into their folder`,
      )
  }
  return path
}

const DATES = /(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{2}[-./]\d{2}[-./](?:\d{4}|\d{2}))(?!\d)/g
const TIMES = /(?<!\d)\d{2}:\d{2}(?::\d{2})?(?!\d)/g

/** Matches the hash at the end of a fiscal document of family B, which covers date and time. */
const HASH = /^( *)[0-9A-F]{5}(?:-[0-9A-F]{5}){3}$/

/** Masks dates, times and hashes at the same width, and removes blanks at the end of a line. */
export const comparable = (lines: readonly string[]): string[] =>
  boxesJoined(lines, (line) =>
    line.replace(DATES, (date) => date.replace(/\d/g, '_')).replace(TIMES, (time) => time.replace(/\d/g, '_')),
  ).map((line) => line.trimEnd().replace(HASH, (hash) => hash.replace(/[0-9A-F]/g, '_')))

/** Matches a line of a barcode's box. The text of a QR code, and a date in it, may continue on the next line. */
const BOX = /^(\s*\|\| )(.*)( \|\|\s*)$/

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

/** Returns `undefined` if the file does not exist. `path` must come from goldenPath, which rejects symbolic links. */
export function readGolden(path: string): string[] | undefined {
  if (!existsSync(path)) return undefined
  return readForeignFile(path, { noLink: true }).replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n')
}

export function writeGolden(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true })
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666)
  try {
    writeFileSync(file, `${comparable(lines).join('\n')}\n`)
  } finally {
    closeSync(file)
  }
}

/** Creates a file that only its owner can read. Throws GoldenFileError if the file exists. */
export function createExclusively(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: PRIVATE_FILE, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new GoldenFileError(`${path} already exists and is not overwritten: name another file, or delete it`)
  }
}

export function paperDiff(expected: readonly string[], actual: readonly string[]): string[] | undefined {
  const [want, have] = [comparable(expected), comparable(actual)]
  if (want.join('\n') === have.join('\n')) return undefined
  return lineDiff(want, have)
}

export const lineDiff = (want: readonly string[], have: readonly string[]): string[] =>
  diffArrays([...want], [...have]).flatMap(({ value, added, removed }) =>
    value.map((line) => `${removed ? '-' : added ? '+' : ' '} ${line}`),
  )
