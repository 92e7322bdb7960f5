import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DOCS_PATH, DOCS_POLICY } from './documentation.ts'
import { html, scriptFrom } from './markup.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'server', 'docs', 'dist')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
}

export const isDocumentationBuilt = (): boolean =>
  ['index.html', 'index.html.gz'].some((name) => existsSync(join(FOLDER, name)))

interface DocumentationFile {
  readonly status: 200 | 404
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** A single file name with an extension, so that no path leaves the folder. */
const NAME = /^\/[\w-]+(?:\.[\w-]+)+$/

export async function documentationFile(path: string, accepts = ''): Promise<DocumentationFile | undefined> {
  const below = path.slice(DOCS_PATH.length)
  const name = below === '' || below === '/' ? '/index.html' : below
  const type = TYPES[extname(name)]
  if (type === undefined || !NAME.test(name)) return undefined
  const headers = { 'Content-Type': type, 'Content-Security-Policy': DOCS_POLICY }
  const bytes = await readOr(join(FOLDER, name))
  if (bytes) return { status: 200, headers, bytes: below === '' ? fromAbove(bytes) : bytes }
  const packed = await readOr(join(FOLDER, `${name}.gz`))
  if (!packed) return name === '/index.html' ? NOT_BUILT : undefined
  const isAccepted = /\bgzip\b/.test(accepts)
  return isAccepted
    ? { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, bytes: packed }
    : { status: 200, headers, bytes: await promisify(gunzip)(packed) }
}

/**
 * Returns the page for a browser that requests a page that does not exist; `undefined` if the caller does not accept
 * HTML. `accepts`: the Accept header of the request.
 */
export function missingPage(accepts = '', place: MissingPlace = 'documentation'): DocumentationFile | undefined {
  if (!/\btext\/html\b/i.test(accepts)) return undefined
  return {
    status: 404,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': DOCS_POLICY, Vary: 'Accept' },
    bytes: Buffer.from(String(missing(MISSING[place]))),
  }
}

type MissingPlace = keyof typeof MISSING

const MISSING = {
  documentation: {
    home: `${DOCS_PATH}/`,
    icon: `${DOCS_PATH}/favicon.svg`,
    text: html`The documentation has no page at this address. It begins with its <a href="${DOCS_PATH}/">first page</a>.`,
  },
  panel: {
    home: '/',
    icon: '/favicon.svg',
    text: html`The control panel has no page at this address. Open the <a href="/">control panel</a>.`,
  },
} as const

const missing = ({ home, icon, text }: (typeof MISSING)[MissingPlace]) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No such page · fiscal-rig</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="stylesheet" href="${DOCS_PATH}/docs.css">
${scriptFrom(`${DOCS_PATH}/theme.js`, false)}
</head>
<body>
<header class="top">
<a class="brand" href="${home}"><img src="${icon}" alt="" width="28" height="28"><span>fiscal-rig</span></a>
</header>
<main id="content">
<h1>No such page</h1>
<p>${text}</p>
</main>
</body>
</html>
`

const NOT_BUILT: DocumentationFile = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  bytes: Buffer.from('The documentation is not built in this checkout. Build it by: npm run docs\n'),
}

async function readOr(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch {
    return undefined
  }
}

/** Rewrites the relative links of the first page, because `/docs` without a final slash also returns that page. */
const fromAbove = (page: Buffer): Buffer =>
  Buffer.from(page.toString('utf8').replaceAll(/\b(href|src)="\.\//g, `$1="${DOCS_PATH}/`))
