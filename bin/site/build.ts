/** `npm run site`: writes documentation, page, device and service as static files. */
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type InlineConfig } from 'vite'
import type { DocumentationHere } from '../../drivers/host/documentation.ts'
import { html } from '../../drivers/host/markup.ts'
import { NO_EMBED_HEADERS } from '../../drivers/host/request-origin.ts'
import { ensureSite } from '../commands/site.ts'
import { TRY_IT } from '../docs/try-it.ts'
import { rigVersion } from '../version.ts'
import { browserModules } from './browser-modules.ts'

const root = join(import.meta.dirname, '..', '..')
const sources = join(import.meta.dirname, 'browser')

/** Allows only the site's own scripts, styles, fonts and workers. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'none'"

export async function buildSite(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await writePages(folder)
  await writeDocumentation(join(folder, 'docs'))
  for (const name of namesIn(folder).filter((one) => one.endsWith('.html'))) addPolicy(join(folder, name))
  await writeOffline(folder)
  writeFileSync(join(folder, '_headers'), headersFile())
  // Without this file, some hosts process the pages.
  writeFileSync(join(folder, '.nojekyll'), '')
}

const SHARED_CONFIG: InlineConfig = {
  configFile: false,
  root: sources,
  base: './',
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
}

async function writePages(folder: string): Promise<void> {
  await build({
    ...SHARED_CONFIG,
    define: { RIG_VERSION: JSON.stringify(rigVersion()) },
    plugins: [browserModules()],
    worker: { format: 'es', plugins: () => [browserModules()] },
    build: {
      outDir: folder,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      modulePreload: false,
      target: 'es2023',
      reportCompressedSize: false,
      rolldownOptions: {
        input: Object.fromEntries(
          ['index.html', 'printer.html', 'try-it.ts'].map((name) => [nameOf(name), join(sources, name)]),
        ),
        output: {
          entryFileNames: (chunk) => (chunk.name === 'try-it' ? 'assets/try-it.js' : 'assets/[name]-[hash].js'),
        },
      },
    },
  })
  copyFileSync(join(root, 'emulator', 'panel', 'page', 'public', 'favicon.svg'), join(folder, 'favicon.svg'))
}

const nameOf = (file: string): string => file.replace(/\.\w+$/, '')

/** Writes the documentation as a service sends it. On the site, the worker answers the requests of its pages. */
async function writeDocumentation(folder: string): Promise<void> {
  await ensureSite()
  cpSync(join(root, 'server', 'docs', 'dist'), folder, { recursive: true })
  const here: DocumentationHere = { api: '/api' }
  writeFileSync(join(folder, 'here.json'), JSON.stringify(here))
  const page = join(folder, `${TRY_IT.name}.html`)
  const script = html`<script type="module" src="../assets/try-it.js"></script>\n`
  writeFileSync(page, readFileSync(page, 'utf8').replace(/(?=<script)/, String(script)))
}

function addPolicy(path: string): void {
  const policy = html`<meta http-equiv="Content-Security-Policy" content="${POLICY}">`
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/<meta charset="utf-8">\n/, (charset) => `${charset}${policy}\n`),
  )
}

/** Returns the headers for hosts that read a `_headers` file. */
function headersFile(): string {
  const { 'Cache-Control': _fresh, ...shut } = NO_EMBED_HEADERS
  const headers = {
    ...shut,
    'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'`,
    'Permissions-Policy': 'serial=(self), camera=(), microphone=(), geolocation=()',
  }
  return ['/*', ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')
}

/** The service worker contains a digest of all files, so that it changes with any of them. */
async function writeOffline(folder: string): Promise<void> {
  const files = namesIn(folder)
  const digest = createHash('sha256')
  for (const name of files) digest.update(name).update(readFileSync(join(folder, name)))
  await build({
    ...SHARED_CONFIG,
    define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(digest.digest('hex').slice(0, 16)) },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2023',
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(sources, 'offline.ts'),
        output: { format: 'iife', entryFileNames: 'offline.js' },
      },
    },
  })
}

const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, 'site'))
  await buildSite(folder)
  process.stdout.write(`The site is in ${folder}: serve it with any web server.\n`)
}
