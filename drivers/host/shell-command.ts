/**
 * Commands that a person copies into a shell: the only module that quotes their words. A file, a name or a pattern from
 * outside stays one word, on one line, and cannot become a second command.
 */
import { escapeControl } from '../model/escape-control.ts'

const PLAIN_WORD = /^[\w@%+=:,./-]+$/

/** Returns one word of a command line. A control character is written by its number, as bash, zsh and ksh read it. */
export function shellWord(text: string): string {
  if (PLAIN_WORD.test(text)) return text
  if (escapeControl(text) === text) return `'${text.replaceAll("'", "'\\''")}'`
  return `$'${escapeControl(text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))}'`
}

/** Returns the command that runs this program with these words. */
export const rigCommand = (words: readonly string[]): string => ['npx fiscal-rig', ...words.map(shellWord)].join(' ')

/** Returns the options of a command line. Omits those that are undefined or false. */
export const formatOptions = (options: Readonly<Record<string, string | number | boolean | undefined>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, String(value)]
  })
