/** Meanings of exit statuses, at the end of a command's help and in the documentation (decisions 5). */

export const EXIT_STATUSES = 'Exit status:'

/** Texts of every command that does not replace them. */
const USUAL_TEXTS: Readonly<Record<number, string>> = {
  0: 'success',
  2: 'invalid option, file or configuration; nothing was started',
  3: 'a required port, device, folder or program is unavailable',
}

/** Returns the text for commander's `addHelpText('after', ...)`. */
export function exitStatusHelp(own: Readonly<Record<number, string>> = {}): string {
  const lines = Object.entries({ ...USUAL_TEXTS, ...own }).map(([status, words]) => `  ${status.padEnd(4)}${words}`)
  return `\n${EXIT_STATUSES}\n${lines.join('\n')}`
}

export const BY_SIGNAL = { 0: 'stopped by a signal (Ctrl+C)' } as const
