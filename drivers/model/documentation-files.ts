/** The files of the documentation, as `npm run docs` has made them; loaded by the first who asks for one. */
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { DOCS_PATH } from './documentation.ts'

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

export interface DocumentationFile {
  readonly type: string
  readonly bytes: Buffer
}

/** One word, or one folder and a word: nothing that leads out of the folder. */
const NAME = /^\/(?:[\w-]+\/)?[\w-]+(?:\.[\w-]+)+$/

/** What stands at this path, beginning with `/docs`; undefined: nothing. */
export async function documentationFile(path: string): Promise<DocumentationFile | undefined> {
  const below = path.slice(DOCS_PATH.length)
  const name = below === '' || below === '/' ? '/index.html' : below
  const type = TYPES[extname(name)]
  if (type === undefined || !NAME.test(name)) return undefined
  let bytes: Buffer
  try {
    bytes = await readFile(join(FOLDER, name))
  } catch {
    return undefined
  }
  return { type, bytes: below === '' ? fromAbove(bytes) : bytes }
}

/** Links of the first page, which is also found at `/docs` without a stroke behind it. */
const fromAbove = (page: Buffer): Buffer =>
  Buffer.from(page.toString('utf8').replaceAll(/\b(href|src)="\.\//g, `$1="${DOCS_PATH}/`))
