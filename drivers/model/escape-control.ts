/**
 * Text that somebody else has chosen, a till, a device or a file, for a terminal, a log or a report: control characters
 * of both sets would steer what shows them, and what separates lines or turns the direction of writing would forge it.
 */
const STEERS = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const number = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/** On one line; such characters stand as `\u001b`, which inside a text of JSON means the same. */
export const escapeControl = (text: string): string => text.replace(STEERS, number)

/** The same for several lines, which may be indented by tabs. */
export const escapeControlInLines = (text: string): string =>
  text.replace(STEERS, (sign) => (sign === '\n' || sign === '\t' ? sign : number(sign)))

/** On paper: a printer draws nothing for a control character, and begins no line with it. */
export const printable = (text: string): string => text.replace(STEERS, ' ')
