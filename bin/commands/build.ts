/** `npm run build`: the publishable JavaScript in dist/: compiled sources, and the files that the panel's page is made of. */
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const dist = join(root, 'dist')
const FOLDERS = ['bin', 'drivers', 'emulator', 'server', 'scenarios']
/** Made from sources, or only for a checkout: the page's sources, papers. */
const NOT_COPIED = /\.(?:ts|mjs|md)$|[/\\]panel[/\\]page[/\\]/

rmSync(dist, { recursive: true, force: true })
const tsc = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'tsc.cmd' : 'tsc')
const { status } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (status !== 0) process.exit(1)

let copied = 0
for (const folder of FOLDERS) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true, recursive: true })) {
    const from = join(entry.parentPath, entry.name)
    if (!entry.isFile() || NOT_COPIED.test(from)) continue
    cpSync(from, join(dist, from.slice(root.length)))
    copied++
  }
}
process.stdout.write(`dist/ is built: sources compiled, ${copied} files copied.\n`)
