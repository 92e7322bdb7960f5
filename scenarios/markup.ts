/** Text of a report inside of HTML and XML: whatever somebody has put into it stays text. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { visible, visibleLines } from '../drivers/model/visible.ts'

export const html = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

interface PageParts {
  readonly title: string
  /** Of the report: its `page.css`, behind what all share, and its `page.js` become part of the page, which stands alone. */
  readonly folder: string
  /** Rules behind those of the style sheet. */
  readonly rules?: string
  readonly header: string
  readonly main: string
  /** Lines of markup that the script reads. */
  readonly data?: string
  /** There are pictures whose bytes stand in the page. */
  readonly pictures?: 'inside'
}

/** One HTML file without outside references; `header` and `main` are markup. */
export function htmlPage({ title, folder, rules = '', header, main, data = '', pictures }: PageParts): string {
  const sheet = (place: string, name: string) => readFileSync(join(place, name), 'utf8')
  const style = `\n${sheet(import.meta.dirname, 'markup.css')}${sheet(folder, 'page.css')}${rules}`
  const script = `\n${readFileSync(join(folder, 'page.js'), 'utf8')}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(style, script, pictures)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${html(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
${header}
</header>
<main>
${main}
</main>
${data}<script>${script}</script>
</body>
</html>
`
}

/** `2026-03-01 09:00 UTC`, for people and programs. */
export const timeOf = (at: Date): string =>
  `<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`

/** Of a page with this policy nothing is run and nothing applies but what it was written with. */
function pagePolicy(style: string, script: string, pictures: PageParts['pictures']): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const images = pictures === undefined ? '' : 'img-src data:; '
  return `default-src 'none'; ${images}style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`
}

/** What XML 1.0 cannot hold at all becomes a question mark; what would steer a terminal stands as its number. */
const possible = (value: string): string =>
  visibleLines(value).replace(/[^\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')

export const xmlText = (value: string): string =>
  possible(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const xmlAttribute = (value: string): string => xmlText(visible(value)).replaceAll('"', '&quot;')

/** As JUnit counts time. */
export const seconds = (ms: number): string => (ms / 1000).toFixed(3)
