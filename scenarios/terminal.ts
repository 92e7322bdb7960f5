export interface Style {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly faint: (text: string) => string
  readonly mark: (text: string) => string
}

const paint = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`
const PLAIN_STYLE: Style = { good: (text) => text, bad: (text) => text, faint: (text) => text, mark: (text) => text }
const UNDERLINED = (text: string) => `\u001b[4m${text}\u001b[24m`
const COLOURS: Style = { good: paint(32), bad: paint(31), faint: paint(2), mark: UNDERLINED }

export const CLEAR_LINE = '\r\u001b[K'

/** Returns colours for a terminal, and plain text for a pipe or if `NO_COLOR` is set. */
export const styleFor = (isTerminal: boolean): Style => (isTerminal && !process.env['NO_COLOR'] ? COLOURS : PLAIN_STYLE)
