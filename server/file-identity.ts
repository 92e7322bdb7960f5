import { statSync } from 'node:fs'

/**
 * Returns a function that returns the reason why the path no longer leads to the present file; `undefined` if it still
 * does.
 */
export function fileAt(path: string): () => string | undefined {
  const opened = statSync(path, { bigint: true })
  return () => {
    const now = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!now) return 'it was removed'
    return now.ino === opened.ino && now.dev === opened.dev ? undefined : 'another file has replaced it'
  }
}
