/** Builds the documentation (server/docs/dist) when something that it is made of is newer than what is built. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newest, putInPlace } from '../build-output.ts'

const root = join(import.meta.dirname, '..', '..')
const built = join(root, 'server', 'docs', 'dist')
/** Declarations stand everywhere. */
const FOLDERS = ['bin', 'drivers', 'emulator', 'fixtures', 'scenarios', 'server']
const FILES = ['CHANGELOG.md', 'package.json']

/** What is built is as new as its sources; what is in it counts as one of them. */
const isStale = (): boolean =>
  !existsSync(join(built, 'index.html')) ||
  Math.max(
    ...FOLDERS.map((name) => newest(join(root, name))),
    ...FILES.map((name) => statSync(join(root, name)).mtimeMs),
  ) > newest(built)

/** Tells whether there was something to build. */
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
