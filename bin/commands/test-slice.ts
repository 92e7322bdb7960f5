/** The revision that selects the rotating part of `npm test` (test/support/slice.ts). */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const FOLDERS = ['bin', 'drivers', 'emulator', 'fixtures', 'scenarios', 'server', 'test']
const KINDS = '{ts,tsx,mjs,json,yaml,css}'

/** Returns a hash of all sources that a test may depend on, so that equal sources select equal tests. */
export function revisionOfAll(): string {
  const hash = createHash('sha256')
  const files = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.${KINDS}`, { cwd: root })).sort()
  for (const file of files) hash.update(`${file.replaceAll('\\', '/')}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 12)
}
