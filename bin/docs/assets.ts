/**
 * Builds scripts and styles of the pages. Each script is one file, which also runs when a page is opened from a folder.
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const SCRIPTS = { theme: 'initial-theme.ts', docs: 'docs.ts', reader: 'api-reader.ts' } as const

const READER = ['swagger-ui-bundle.js', 'swagger-ui.css'] as const

export async function writeAssets(root: string, folder: string): Promise<void> {
  const sources = join(root, 'server', 'docs', 'page')
  mkdirSync(folder, { recursive: true })
  for (const [name, source] of Object.entries(SCRIPTS)) {
    await build({
      configFile: false,
      root: sources,
      logLevel: 'warn',
      build: {
        outDir: folder,
        emptyOutDir: false,
        copyPublicDir: false,
        cssCodeSplit: false,
        assetsInlineLimit: 100_000,
        target: 'es2023',
        reportCompressedSize: false,
        rolldownOptions: {
          input: join(sources, source),
          output: { format: 'iife', entryFileNames: `${name}.js`, assetFileNames: `${name}.css` },
        },
      },
    })
  }
  for (const name of READER) copyFileSync(join(root, 'node_modules', 'swagger-ui-dist', name), join(folder, name))
  copyFileSync(join(root, 'emulator', 'panel', 'page', 'public', 'favicon.svg'), join(folder, 'favicon.svg'))
}
