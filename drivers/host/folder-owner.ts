/** Folders of data are believed and written to: those of this user alone. */
import { statSync } from 'node:fs'

/** Returns a sentence when another user owns the folder; undefined: this user does, or it is missing. */
export function whyNotOwn(path: string): string | undefined {
  const own = process.getuid?.()
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  // Windows has no owner of that kind.
  if (own === undefined || owner === undefined || owner === own) return undefined
  return `The data folder ${path} belongs to another user (number ${owner}; this is number ${own}): choose a folder of your own.`
}
