/** Builds the page of the control panel from emulator/panel/page into emulator/panel/dist, if the sources are newer. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lastChangeIn, replaceFolder } from '../build-output.ts'

const root = join(import.meta.dirname, '..', '..')
const sources = [join(root, 'emulator', 'panel', 'page'), join(root, 'emulator', 'print', 'fonts')]
const colours = join(root, 'emulator', 'panel', 'tokens.css')
const built = join(root, 'emulator', 'panel', 'dist')

/** The control API works without the page, and the panel reports that the page is missing. */
export const ensurePageIfPossible = (): Promise<void> => ensurePage().catch(() => undefined)

export async function ensurePage(): Promise<void> {
  if (existsSync(join(built, 'index.html')) || !existsSync(join(sources[0] as string, 'index.html'))) return
  await buildPage()
}

/** Nothing is inline, because the page's security policy forbids inline scripts and styles. */
async function buildPage(): Promise<void> {
  const { build } = await import('vite')
  const fresh = join(root, 'node_modules', '.cache', `page-${process.pid}`)
  await build({
    configFile: false,
    root: sources[0] as string,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: fresh,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      target: 'es2023',
      reportCompressedSize: false,
    },
  })
  replaceFolder(fresh, built)
}

if (import.meta.main) {
  const files = [colours, import.meta.filename]
  const isStale =
    Math.max(...sources.map(lastChangeIn), ...files.map((file) => statSync(file).mtimeMs)) > lastChangeIn(built)
  if (isStale) await buildPage()
  if (process.argv.includes('--verbose'))
    process.stdout.write(isStale ? 'The control panel is built.\n' : 'The control panel is up to date.\n')
}
