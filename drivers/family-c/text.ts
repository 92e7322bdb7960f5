import type { ByteText } from '../wire/charset.ts'

/** Control characters mean something on this line (sheet 2.2); the device gets a space instead. */
export const clean = (text: string): string => text.replace(/[\x00-\x1f\x7f]/g, ' ')

export interface WrappedName {
  /** Lines of text in front of the sale. */
  readonly before: readonly ByteText[]
  /** What the sale itself is called. */
  readonly last: ByteText
}

/** The last part of a long name fits the sale's field, what stands before it is wrapped on blanks into lines. */
export function wrapName(name: ByteText, room: number, lineWidth: number): WrappedName {
  if (name.length <= room) return { before: [], last: name }
  const before: ByteText[] = []
  let rest = name
  while (rest.length > room) {
    // No more than needed goes on the line: what remains must still fill the name.
    const width = Math.min(lineWidth, rest.length - 1)
    const blank = rest.lastIndexOf(' ', width)
    const cut = blank > 0 ? blank : width
    before.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  return rest === ''
    ? { before: before.slice(0, -1), last: (before.at(-1) ?? '').slice(0, room) }
    : { before, last: rest }
}
