import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the time of the last change in this folder, in ms since 1970; 0 if the folder does not exist. */
export function lastChangeIn(folder: string): number {
  let last = 0
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (entry.isFile()) last = Math.max(last, statSync(join(entry.parentPath, entry.name)).mtimeMs)
    }
  } catch {
    return 0
  }
  return last
}

/** Replaces a folder of pages as a whole. If another process has built the same pages meanwhile, its pages remain. */
export function replaceFolder(fresh: string, built: string): void {
  try {
    rmSync(built, { recursive: true, force: true })
    renameSync(fresh, built)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(join(built, 'index.html'))) throw error
  }
}
