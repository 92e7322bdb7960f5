/** What exit statuses mean, at the end of a command's help and in the documentation (decisions 5). */
export const EXIT_STATUSES = 'Exit status:'

/** The same for every command that has no other words for it. */
const USUAL: Readonly<Record<number, string>> = {
  0: 'done',
  2: 'wrong usage: an option, a file or the configuration; nothing was started',
  3: 'a part of the environment is missing: a port, a device, a folder, a program',
}

/** Text for `addHelpText('after', ...)`. */
export function exits(own: Readonly<Record<number, string>> = {}): string {
  const lines = Object.entries({ ...USUAL, ...own }).map(([status, words]) => `  ${status.padEnd(4)}${words}`)
  return `\n${EXIT_STATUSES}\n${lines.join('\n')}`
}

export const BY_SIGNAL = { 0: 'ended by a signal (Ctrl+C)' } as const
