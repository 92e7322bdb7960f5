/**
 * Characters that must not reach a terminal, a log or a report. Control characters steer the viewer; line separators
 * and characters that change the writing direction falsify the text.
 */
const CONTROL = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const number = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Returns the text on one line. Control characters are escaped as in `\u001b`, which has the same meaning in JSON
 * strings.
 */
export const escapeControl = (text: string): string => text.replace(CONTROL, number)

/** Escapes control characters except line feeds and tabs. */
export const escapeControlInLines = (text: string): string =>
  text.replace(CONTROL, (sign) => (sign === '\n' || sign === '\t' ? sign : number(sign)))

/** Replaces control characters by spaces, because a printer draws nothing for them. */
export const printable = (text: string): string => text.replace(CONTROL, ' ')
