import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../drivers/host/digest.ts'
import { html, type Markup, verbatim } from '../../drivers/host/markup.ts'

interface PageParts {
  readonly title: string
  readonly folder: string
  readonly rules?: string
  readonly header: Markup
  readonly main: Markup
  readonly data?: Markup
  readonly pictures?: 'inside'
}

export interface HtmlPage {
  readonly text: string
  /** Value of the header `Content-Security-Policy` for a served page. The page itself contains the policy too. */
  readonly policy: string
}

/** Returns an HTML file without outside references. */
export function htmlPage({ title, folder, rules = '', header, main, data = html``, pictures }: PageParts): HtmlPage {
  const text = (...path: readonly string[]) => readFileSync(join(...path), 'utf8')
  const here = import.meta.dirname
  const style = `\n${text(here, '../../emulator/panel/tokens.css')}${text(here, 'style.css')}${rules}`
  const script = `\n${text(folder, 'page.js')}`
  const policy = pagePolicy(style, script, pictures)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${verbatim('style', style)}
</head>
<body>
<header>
${header}
</header>
<main>
${main}
</main>
${data}${verbatim('script', script)}
</body>
</html>
`
  // `frame-ancestors` is valid only in a header.
  return { text: String(page), policy: `${policy}; frame-ancestors 'none'` }
}

export const timeOf = (at: Date): Markup =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`

function pagePolicy(style: string, script: string, pictures: PageParts['pictures']): string {
  const hash = (text: string) => `'sha256-${Buffer.from(sha256(text), 'hex').toString('base64')}'`
  const images = pictures === undefined ? '' : 'img-src data:; '
  return `default-src 'none'; ${images}style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`
}
