import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'

interface Sources {
  readonly files: readonly string[]
  readonly packages: readonly string[]
}

const STATEMENTS = /^(?:import|export)\s(?!type\s)(?:[^'";]*?\bfrom\s*)?['"]([^'"]+)['"]/gm
const CALLS = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

export function sourcesOf(entry: string, options: { readonly onlyStatic?: boolean } = {}): Sources {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    const text = readFileSync(file, 'utf8')
    const imports = [...text.matchAll(STATEMENTS), ...(options.onlyStatic ? [] : text.matchAll(CALLS))]
    for (const [, name = ''] of imports) {
      if (!name.startsWith('.')) {
        if (!name.startsWith('node:')) packages.add(packageOf(name))
        continue
      }
      const next = join(dirname(file), name)
      if (existsSync(next)) visit(next)
    }
  }
  visit(entry)
  return { files: [...files].sort(), packages: [...packages].sort() }
}

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

const root = join(import.meta.dirname, '..', '..')
const HASH_LETTERS = 12

/** Returns a hash of the sources of a run and of the versions of the packages that they import. */
export function revision(
  entry = join(root, 'scenarios', 'simulation', `check-worker${extname(import.meta.filename)}`),
) {
  const hash = createHash('sha256')
  const { files, packages } = sourcesOf(entry)
  for (const file of files) {
    hash.update(`${relative(root, file).replaceAll('\\', '/')}\n`)
    hash.update(readFileSync(file))
  }
  for (const name of packages) hash.update(`${name} ${versionOf(name)}\n`)
  return hash.digest('hex').slice(0, HASH_LETTERS)
}

/** Returns the version of an installed package, which is searched in parent folders like Node does, or `unknown`. */
function versionOf(name: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    const manifest = join(folder, 'node_modules', name, 'package.json')
    if (existsSync(manifest))
      return String((JSON.parse(readFileSync(manifest, 'utf8')) as { version: unknown }).version)
    if (folder === dirname(folder)) return 'unknown'
  }
}
