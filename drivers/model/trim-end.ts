/**
 * Returns the text without these characters at its end. A pattern such as / +$/ needs quadratic time for many blanks
 * before a letter.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}
