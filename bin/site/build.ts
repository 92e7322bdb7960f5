/** `npm run site`: documentation, page, device and service as a folder of static files. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { browserModules } from './modules.ts'

const root = join(import.meta.dirname, '..', '..')
const sources = join(import.meta.dirname, 'browser')

export async function buildSite(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({
    configFile: false,
    root: sources,
    base: './',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [browserModules()],
    worker: { format: 'es', plugins: () => [browserModules()] },
    build: {
      outDir: folder,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      modulePreload: false,
      target: 'es2023',
      reportCompressedSize: false,
      rolldownOptions: { input: { index: join(sources, 'index.html') } },
    },
  })
  copyFileSync(join(root, 'emulator', 'panel', 'page', 'public', 'favicon.svg'), join(folder, 'favicon.svg'))
}

if (import.meta.main) await buildSite(join(root, 'site'))
