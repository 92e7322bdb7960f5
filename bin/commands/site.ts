/** Builds the documentation (server/docs/dist) if any of its sources is newer than the output. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newest, putInPlace } from '../build-output.ts'

const root = join(import.meta.dirname, '..', '..')
const built = join(root, 'server', 'docs', 'dist')
/** Folders with declarations. */
const FOLDERS = ['bin', 'drivers', 'emulator', 'fixtures', 'scenarios', 'server']
const FILES = ['CHANGELOG.md', 'package.json']

/** Returns whether the output is stale: its own files count as sources too. */
const isStale = (): boolean =>
  !existsSync(join(built, 'index.html')) ||
  Math.max(
    ...FOLDERS.map((name) => newest(join(root, name))),
    ...FILES.map((name) => statSync(join(root, name)).mtimeMs),
  ) > newest(built)

/** Builds the documentation if necessary. Resolves to whether it was. */
export async function ensureSite(): Promise<boolean> {
  if (!isStale()) return false
  await buildSite()
  return true
}

async function buildSite(): Promise<void> {
  const { writeSite } = await import('../docs/site.ts')
  const fresh = join(root, 'node_modules', '.cache', `docs-${process.pid}`)
  rmSync(fresh, { recursive: true, force: true })
  await writeSite(fresh)
  putInPlace(fresh, built)
}

if (import.meta.main) await ensureSite()
