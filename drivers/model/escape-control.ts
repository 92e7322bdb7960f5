/**
 * Characters in text from a till, a device or a file that must not reach a terminal, a log or a report: control
 * characters of both sets would steer the viewer, and characters that separate lines or turn the direction of writing
 * would forge the text.
 */
const STEERS = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const number = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Returns the text on one line; control characters appear as `\u001b`, which inside a JSON string means the same. */
export const escapeControl = (text: string): string => text.replace(STEERS, number)

/** Escapes text of several lines, which may be indented by tabs. */
export const escapeControlInLines = (text: string): string =>
  text.replace(STEERS, (sign) => (sign === '\n' || sign === '\t' ? sign : number(sign)))

/**
 * Replaces control characters by spaces, for paper: a printer draws nothing for a control character, and begins no line
 * with it.
 */
export const printable = (text: string): string => text.replace(STEERS, ' ')
