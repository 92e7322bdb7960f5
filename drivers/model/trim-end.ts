/**
 * Returns the text without these characters at its end. The function counts from the end: a pattern such as / +$/
 * starts again at each of many blanks before a letter, which takes quadratic time for a text from outside.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}
