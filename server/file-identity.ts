import { statSync } from 'node:fs'

/** Records the file at this path. The returned function returns why it is not the same any more; undefined: it is. */
export function fileAt(path: string): () => string | undefined {
  const opened = statSync(path, { bigint: true })
  return () => {
    const now = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!now) return 'it was removed'
    return now.ino === opened.ino && now.dev === opened.dev ? undefined : 'another file has replaced it'
  }
}
