/**
 * A text without these characters behind it. Counted from its end: a pattern such as / +$/ begins anew at each of many
 * blanks before a letter, which takes quadratic time for a text that somebody else has made.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}
