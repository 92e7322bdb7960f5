/** Ownership of data folders: the programs trust and write only folders of the current user. */
import { statSync } from 'node:fs'

/** Returns a message if another user owns the folder; `undefined` if this user does or the folder is missing. */
export function whyNotOwn(path: string): string | undefined {
  const own = process.getuid?.()
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  if (own === undefined || owner === undefined || owner === own) return undefined
  return `The data folder ${path} belongs to another user (number ${owner}; this is number ${own}): choose a folder of your own.`
}
