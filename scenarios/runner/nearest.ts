import { distance } from '../../drivers/host/edit-distance.ts'

/** Returns `undefined` if no name is similar. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  let best: { readonly word: string; readonly at: number } | undefined
  for (const one of names) {
    const candidate = one.toLowerCase()
    const contains = lower.length > 2 && (candidate.includes(lower) || lower.includes(candidate))
    const at = contains ? Math.min(distance(lower, candidate), 2) : distance(lower, candidate)
    if (best === undefined || at < best.at) best = { word: one, at }
  }
  return best && best.at <= Math.max(2, Math.floor(word.length / 3)) ? best.word : undefined
}

const SHOWN_CHARACTERS = 26

/** Moves requests to the end of a list: there are many, and they are documented elsewhere. */
const wordsFirst = (names: readonly string[]): readonly string[] => [
  ...names.filter((one) => !one.includes(' ')),
  ...names.filter((one) => one.includes(' ')),
]

function otherMethod(word: string, names: readonly string[]): string | undefined {
  const [, path] = /^[a-z]+ (\/\S+)$/i.exec(word) ?? []
  return path === undefined ? undefined : names.find((one) => one.split(' ')[1] === path)
}

/**
 * Returns a text such as `unknown "expct"; nearest: expect`, or with a list of the names if none is similar. `synonyms`
 * maps words to the names that callers probably mean.
 */
export function unknownWord(
  what: string,
  word: string,
  names: readonly string[],
  synonyms: Readonly<Record<string, string>> = {},
): string {
  const synonym = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined
  const near = synonym ?? otherMethod(word, names) ?? nearest(word, names)
  const some = names.length > SHOWN_CHARACTERS ? [...wordsFirst(names).slice(0, SHOWN_CHARACTERS), '...'] : names
  const hint = near === undefined ? knownNames(some) : `nearest: ${near}`
  return `unknown ${what} ${JSON.stringify(word)}; ${hint}`
}

/** Maximum number of positions at which a line is compared: longer than any printed line. */
const WINDOWS_MAX = 80

/**
 * Returns the line with the most similar part, or `undefined` if none is similar. A regular expression has no nearest
 * line.
 */
export function nearestLine(text: string, lines: readonly string[]): string | undefined {
  if (/^\/.+\/i?$/s.test(text) || text.length > WINDOWS_MAX) return undefined
  let best: { readonly line: string; readonly at: number } | undefined
  for (const line of lines) {
    const words = line.trim().replace(/ +/g, ' ')
    const last = Math.min(WINDOWS_MAX, Math.max(0, words.length - text.length))
    for (let from = 0; from <= last; from++) {
      const at = distance(text, words.slice(from, from + text.length))
      if (best === undefined || at < best.at) best = { line: words, at }
    }
  }
  return best && best.at <= Math.max(2, Math.floor(text.length / 2)) ? best.line : undefined
}

function knownNames(names: readonly string[]): string {
  if (names.length === 0) return 'there are none'
  return names.length === 1 ? `there is only ${names[0]}` : `there are ${names.join(', ')}`
}
