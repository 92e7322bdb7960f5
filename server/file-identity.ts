import { statSync } from 'node:fs'

/** The returned function returns why the path no longer leads to the same file as now; `undefined` if it does. */
export function fileAt(path: string): () => string | undefined {
  const opened = statSync(path, { bigint: true })
  return () => {
    const now = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!now) return 'it was removed'
    return now.ino === opened.ino && now.dev === opened.dev ? undefined : 'another file has replaced it'
  }
}
