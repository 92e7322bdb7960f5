/** Builds the documentation into server/docs/dist if any of its sources is newer. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lastChangeIn, replaceFolder } from '../build-output.ts'

const root = join(import.meta.dirname, '..', '..')
const built = join(root, 'server', 'docs', 'dist')
const FOLDERS = ['bin', 'drivers', 'emulator', 'fixtures', 'scenarios', 'server']
const FILES = ['CHANGELOG.md', 'package.json']

/** The files of the generator are sources, too. */
const isStale = (): boolean =>
  !existsSync(join(built, 'index.html')) ||
  Math.max(
    ...FOLDERS.map((name) => lastChangeIn(join(root, name))),
    ...FILES.map((name) => statSync(join(root, name)).mtimeMs),
  ) > lastChangeIn(built)

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
  replaceFolder(fresh, built)
}

if (import.meta.main) await ensureSite()
