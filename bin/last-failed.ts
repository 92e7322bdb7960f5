/** The scenarios that failed in the last run, for `run --last-failed`, stored for each working folder. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readForeignJson } from '../drivers/host/foreign-file.ts'
import type { Play } from '../scenarios/runner/loaded-scenario.ts'
import type { Result } from '../scenarios/runner/play-scenario.ts'
import { type Environment, userFolder } from '../server/data-folder.ts'

/** The file is in the user's folder for data that may be lost. */
export function lastFailedFile(
  folder = process.cwd(),
  environment: Environment = process.env,
  platform: string = process.platform,
): string {
  const base = userFolder('cache', environment, platform)
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return join(base, 'last-failed', `${name}.json`)
}

const keyOf = ({ loaded, id }: Play): string => `${resolve(loaded.file)}\n${id}`

/** An unreadable file counts as empty. */
export function readLastFailed(path: string): (play: Play) => boolean {
  const failed = new Set(keysIn(path))
  return (play) => failed.has(keyOf(play))
}

function keysIn(path: string): string[] {
  try {
    const keys: unknown = readForeignJson(path)
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

/**
 * Stores the failures. Scenarios that were not played keep their state. A folder that cannot be written does not fail
 * the run.
 */
export function saveLastFailed(path: string, results: readonly Result[]): void {
  const before = keysIn(path)
  const now = new Set(before)
  for (const { play, status } of results) if (status === 'passed') now.delete(keyOf(play))
  for (const { play, status } of results) if (status === 'failed') now.add(keyOf(play))
  const keys = [...now].sort()
  if (keys.join() === before.join() && (existsSync(path) || keys.length === 0)) return
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(keys))
    renameSync(`${path}.${process.pid}`, path)
  } catch {
    // Without the file, the next run plays all scenarios.
  }
}
