/**
 * Characters from a till, a device or a file that must not reach a terminal, a log or a report: control characters
 * steer the viewer; line separators and characters that change the writing direction falsify the text.
 */
const CONTROL = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const number = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Returns the text on one line; control characters appear as `\u001b`, which has the same meaning inside a JSON string.
 */
export const escapeControl = (text: string): string => text.replace(CONTROL, number)

/** Escapes text of several lines, which may be indented by tabs. */
export const escapeControlInLines = (text: string): string =>
  text.replace(CONTROL, (sign) => (sign === '\n' || sign === '\t' ? sign : number(sign)))

/** Replaces control characters by spaces: on paper, a printer draws nothing for a control character. */
export const printable = (text: string): string => text.replace(CONTROL, ' ')
