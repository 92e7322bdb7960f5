/**
 * Commands that a person copies into a shell. Only this module quotes words, so a word from outside (a file name, a
 * pattern) remains one word on one line and cannot become a second command.
 */
import { escapeControl } from '../model/escape-control.ts'

const PLAIN_WORD = /^[\w@%+=:,./-]+$/

/** Quotes a word for a shell. Control characters are written as escapes, in the form of bash, zsh and ksh. */
export function shellWord(text: string): string {
  if (PLAIN_WORD.test(text)) return text
  if (escapeControl(text) === text) return `'${text.replaceAll("'", "'\\''")}'`
  return `$'${escapeControl(text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))}'`
}

export const rigCommand = (words: readonly string[]): string => ['npx fiscal-rig', ...words.map(shellWord)].join(' ')

export const formatOptions = (options: Readonly<Record<string, string | number | boolean | undefined>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, String(value)]
  })
