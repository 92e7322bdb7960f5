/** Builds the panel's page (emulator/panel/page, into emulator/panel/dist) when its sources are newer than what is built. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const sources = [join(root, 'emulator', 'panel', 'page'), join(root, 'emulator', 'print', 'fonts')]
const built = join(root, 'emulator', 'panel', 'dist')

/** When something in this folder changed last; 0: there is no such folder. */
function newest(folder: string): number {
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

/** Every file on its own and nothing inline: the page's security policy allows neither scripts nor styles in the text. */
export async function buildPage(): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: sources[0] as string,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: built,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      target: 'es2023',
      reportCompressedSize: false,
    },
  })
}

if (import.meta.main) {
  const isStale = Math.max(...sources.map(newest), statSync(import.meta.filename).mtimeMs) > newest(built)
  if (isStale) await buildPage()
  if (process.argv.includes('--verbose'))
    process.stdout.write(isStale ? 'The page is built.\n' : 'The page is as its sources are.\n')
}
