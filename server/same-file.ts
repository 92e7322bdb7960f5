import { statSync } from 'node:fs'

/** Remembers which file this path leads to now. What it returns says in words why that is no longer so; undefined: it is. */
export function fileAt(path: string): () => string | undefined {
  const opened = statSync(path, { bigint: true })
  return () => {
    const now = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!now) return 'it was removed'
    return now.ino === opened.ino && now.dev === opened.dev ? undefined : 'another file stands in its place'
  }
}
