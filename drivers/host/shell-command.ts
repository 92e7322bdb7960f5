/**
 * Commands that a person copies into a shell. This is the only module that quotes words, so that a file, a name or a
 * pattern from outside remains one word on one line and cannot become a second command.
 */
import { escapeControl } from '../model/escape-control.ts'

const PLAIN_WORD = /^[\w@%+=:,./-]+$/

/** Returns one word of a command line. Control characters are written as numbers, in the form of bash, zsh and ksh. */
export function shellWord(text: string): string {
  if (PLAIN_WORD.test(text)) return text
  if (escapeControl(text) === text) return `'${text.replaceAll("'", "'\\''")}'`
  return `$'${escapeControl(text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))}'`
}

export const rigCommand = (words: readonly string[]): string => ['npx fiscal-rig', ...words.map(shellWord)].join(' ')

/** Returns the options of a command line, without those that are undefined or false. */
export const formatOptions = (options: Readonly<Record<string, string | number | boolean | undefined>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, String(value)]
  })
