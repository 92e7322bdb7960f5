/** Scripts and styles of the pages: each script is one file that runs as it is loaded, from a folder on disk too. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const SCRIPTS = { theme: 'early.ts', docs: 'docs.ts', reader: 'reader.ts' } as const

/** The reader of the API description, as its package has it; its script is large, and kept packed. */
function writeReader(root: string, folder: string): void {
  const from = join(root, 'node_modules', 'swagger-ui-dist')
  const script = readFileSync(join(from, 'swagger-ui-bundle.js'))
  writeFileSync(join(folder, 'swagger-ui-bundle.js.gz'), gzipSync(script, { level: 9 }))
  copyFileSync(join(from, 'swagger-ui.css'), join(folder, 'swagger-ui.css'))
}

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
        // A file of its own, and not a piece of the script.
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
  writeReader(root, folder)
  copyFileSync(join(root, 'emulator', 'panel', 'page', 'public', 'favicon.svg'), join(folder, 'favicon.svg'))
}
