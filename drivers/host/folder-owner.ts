import { statSync } from 'node:fs'

/**
 * Returns a message if another user owns the folder. Returns `undefined` if the current user owns it, if it does not
 * exist, or if the system has no user numbers.
 */
export function whyNotOwn(path: string): string | undefined {
  const own = process.getuid?.()
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  if (own === undefined || owner === undefined || owner === own) return undefined
  return `The data folder ${path} belongs to another user (number ${owner}; this is number ${own}): choose a folder of your own.`
}
