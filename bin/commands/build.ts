/**
 * `npm run build`: writes the publishable JavaScript to dist/: compiled sources, library entries, pages, pictures and
 * schemas. An argument names another output folder; --no-check skips the type check.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { TROUBLES, TROUBLES_FILE } from '../../drivers/host/troubleshooting-links.ts'
import { buildLibrary } from './build-library.ts'
import { ensureSite } from './site.ts'

const root = join(import.meta.dirname, '..', '..')
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-check': { type: 'boolean' } },
})
const dist = resolve(positionals[0] ?? join(root, 'dist'))
const FOLDERS = ['bin', 'drivers', 'emulator', 'server', 'scenarios']
/**
 * Files that are compiled, that are for readers of the code, or that the package contains at their own path, such as
 * the scenarios. The control panel uses the fonts of emulator/print/fonts, next to their licence.
 */
const NOT_COPIED =
  /\.(?:ts|mjs|md|yaml)$|[/\\](?:panel|docs)[/\\]page[/\\]|[/\\]panel[/\\]dist[/\\].*\.ttf$|[/\\]bin[/\\](?:container|site)[/\\]/
/** Commands that only work in a checkout. */
const OF_A_CHECKOUT = ['build', 'build-library', 'docs', 'site', 'test-parts', 'test-slice', 'test-suite']
/** Packages whose code becomes part of the output, with their licence files. */
const BUILT_IN = { jose: 'LICENSE.md', minisearch: 'LICENSE.txt', preact: 'LICENSE', 'swagger-ui-dist': 'LICENSE' }

await ensureSite()
rmSync(dist, { recursive: true, force: true })
const tsc = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'tsc.cmd' : 'tsc')
const compile = (...extraOptions: readonly string[]): void => {
  const args = ['-p', 'tsconfig.build.json', '--outDir', dist, ...extraOptions]
  const { status } = spawnSync(tsc, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(1)
}
// Editors show the comments of the declarations. In the programs, comments would be a tenth of the package.
compile('--emitDeclarationOnly', ...(options['no-check'] ? ['--noCheck'] : []))
compile('--declaration', 'false', '--removeComments', '--noCheck')
for (const name of OF_A_CHECKOUT) rmSync(join(dist, 'bin', 'commands', `${name}.js`))
rmSync(join(dist, 'bin', 'docs'), { recursive: true })
await buildLibrary(root, dist)

/** Minimum size of pages that are compressed; the service sends them compressed, as browsers accept them. */
const PACKED_FROM_BYTES = 4096
/** Files that messages refer to, and that users without a service open from the disk. */
const READ_AS_FILES: ReadonlySet<string> = new Set([`${TROUBLES}.html`, TROUBLES_FILE])
const isPacked = (file: string): boolean =>
  file.startsWith(join(root, 'server', 'docs', 'dist')) &&
  !READ_AS_FILES.has(basename(file)) &&
  statSync(file).size >= PACKED_FROM_BYTES

function pack(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(`${to}.gz`, gzipSync(readFileSync(from), { level: 9 }))
}

let copied = 0
for (const folder of FOLDERS) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true, recursive: true })) {
    const from = join(entry.parentPath, entry.name)
    if (!entry.isFile() || NOT_COPIED.test(from)) continue
    const to = join(dist, from.slice(root.length))
    if (isPacked(from)) pack(from, to)
    else if (to.endsWith('.json')) writeCompact(from, to)
    else cpSync(from, to)
    copied++
  }
}
function writeCompact(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, JSON.stringify(JSON.parse(readFileSync(from, 'utf8'))))
}
for (const [name, licence] of Object.entries(BUILT_IN)) {
  cpSync(join(root, 'node_modules', name, licence), join(dist, 'licences', `${name}.txt`))
}
process.stdout.write(`The package is built: sources compiled, ${copied} files copied.\n`)
