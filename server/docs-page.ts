/** The documentation as a page (decisions 9): the API description, for people. No script, and nothing from outside. */
import { createHash } from 'node:crypto'

export const DOCS_PATH = '/docs'

const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
@media (prefers-color-scheme: dark) { body { background: #16181d; color: #e4e6eb } a { color: #8ab4f8 } }
h3 { margin-top: 2.5rem } code, pre { font: 14px/1.4 ui-monospace, monospace } pre { overflow-x: auto; padding: .75rem;
border: 1px solid #8886; border-radius: .4rem } table { border-collapse: collapse; font-size: 14px } .wide { overflow-x: auto }
td, th { border: 1px solid #8886; padding: .2rem .5rem; text-align: left; vertical-align: top }`

const hash = createHash('sha256').update(STYLE).digest('base64')
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

interface Operation {
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } }
}

interface Description {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** `description`: the JSON text of openapi.json. */
export function docsPage(description: string): string {
  const { info, servers, tags, paths } = JSON.parse(description) as Description
  const base = servers.at(-1)?.url ?? ''
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `<h2>${escaped(name)}</h2>${own.map((one) => article(one, base)).join('')}`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(info.title)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(info.title)} ${escaped(info.version)}</h1>
<p>${servers.map(({ url }) => `<code>${escaped(url)}</code>`).join(' and ')}.
Every limit, for programs: <a href="/api/openapi.json">openapi.json</a>.</p>
${prose(info.description)}${sections.join('')}</body></html>
`
}

interface Described {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

function article({ path, method, operation }: Described, base: string): string {
  const { summary, description = '', requestBody } = operation
  const example = requestBody?.content['application/json'].example
  const head = `<h3><code>${method.toUpperCase()} ${escaped(path)}</code></h3><p>${escaped(summary)}.</p>${prose(description)}`
  if (example === undefined) return head
  const body = JSON.stringify(example, null, 2)
  const call = `curl -s ${base}${path} -H 'Content-Type: application/json' -d '${body}'`
  return `${head}<pre>${escaped(call)}</pre>`
}

/** Paragraphs, and tables of lines that begin with a bar. */
function prose(markdown: string): string {
  return markdown
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('|') ? table(part) : `<p>${escaped(part)}</p>`))
    .join('')
}

function table(text: string): string {
  const [head = '', , ...rows] = text.split('\n')
  const cells = (row: string, tag: 'td' | 'th') =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => `<${tag}>${escaped(cell.trim())}</${tag}>`)
      .join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<div class="wide"><table><tr>${cells(head, 'th')}</tr>${body}</table></div>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
