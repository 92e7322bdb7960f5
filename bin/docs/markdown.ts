import { createRequire } from 'node:module'
import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { attributes, joinMarkup, type Markup, html as markup, renderedByLibrary } from '../../drivers/host/markup.ts'

/**
 * The part of highlight.js that is used here. The types of its package would add those of a browser to every source.
 */
interface Highlighter {
  getLanguage(name: string): object | undefined
  highlight(text: string, options: { readonly language: string }): { readonly value: string }
}
const highlighter = createRequire(import.meta.url)('highlight.js/lib/common') as Highlighter

export interface Heading {
  readonly level: number
  readonly id: string
  readonly html: string
  readonly text: string
}

export interface Passage {
  readonly heading: string
  readonly id: string
  readonly text: string
}

export interface RenderedPage {
  readonly html: string
  readonly headings: readonly Heading[]
  readonly passages: readonly Passage[]
}

/**
 * Returns the address of a link; `undefined` for a target outside the documentation, of which the page shows only the
 * text.
 */
type LinkOf = (target: string) => string | undefined

const PLAIN_MARKED = new Marked()

export function render(markdown: string, linkOf: LinkOf): RenderedPage {
  const headings: Heading[] = []
  const taken = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        const text = plainText(html)
        const id = idOf(text, taken)
        headings.push({ level: depth, id, html, text })
        const link = markup`<a class="anchor" href="#${id}" aria-label="Link to ${oneLine(text)}">#</a>`
        return String(heading(depth, id, markup`${renderedByLibrary(html)} ${link}`))
      },
      code({ text, lang = '' }) {
        return String(codeBlock(text, lang))
      },
      table(token) {
        return String(table(token, (cell) => renderedByLibrary(this.parser.parseInline(cell.tokens))))
      },
      link({ href, title, tokens }) {
        const words = this.parser.parseInline(tokens)
        const target = linkOf(href)
        if (target === undefined) return words
        const rel = /^https?:/.test(target) ? 'noreferrer' : undefined
        const linkAttributes = attributes({ title: title ? oneLine(title) : undefined, rel })
        return String(markup`<a href="${oneLine(target)}"${linkAttributes}>${renderedByLibrary(words)}</a>`)
      },
      image({ href, text }) {
        return String(markup`<img src="${oneLine(href)}" alt="${oneLine(text)}">`)
      },
    },
  })
  const tokens = marked.lexer(markdown)
  const html = marked.parser(tokens)
  return { html, headings, passages: passagesOf(tokens, headings) }
}

/** Returns the id that GitHub gives to a heading, so that links work in both places. */
function idOf(text: string, taken: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const before = taken.get(id)
  taken.set(id, (before ?? 0) + 1)
  return before === undefined ? id : `${id}-${before}`
}

/** The name of an element cannot be a value of the template, so that each level has its own case. */
function heading(depth: number, id: string, words: Markup): Markup {
  switch (depth) {
    case 1:
      return markup`<h1 id="${id}">${words}</h1>\n`
    case 2:
      return markup`<h2 id="${id}">${words}</h2>\n`
    case 3:
      return markup`<h3 id="${id}">${words}</h3>\n`
    case 4:
      return markup`<h4 id="${id}">${words}</h4>\n`
    default:
      return markup`<h5 id="${id}">${words}</h5>\n`
  }
}

function codeBlock(text: string, lang: string): Markup {
  const [language = ''] = lang.split(/\s/)
  const isHighlighted = highlighter.getLanguage(language) !== undefined
  const html = isHighlighted ? renderedByLibrary(highlighter.highlight(text, { language }).value) : text
  return markup`<div class="code"><pre class="scrolls"><code>${html}</code></pre></div>\n`
}

function table({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => Markup): Markup {
  const head = header.map((cell) => {
    const html = inline(cell)
    return html.isEmpty ? markup`<td></td>` : markup`<th scope="col">${html}</th>`
  })
  const body = rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${inline(cell)}</td>`)}</tr>`)
  return markup`<div class="wide scrolls"><table><thead><tr>${head}</tr></thead><tbody>${joinMarkup(body)}</tbody></table></div>\n`
}

function passagesOf(tokens: readonly Token[], headings: readonly Heading[]): Passage[] {
  const passages: { heading: string; id: string; text: string }[] = [{ heading: '', id: '', text: '' }]
  let next = 0
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = headings[next++]
      if (heading) passages.push({ heading: heading.text, id: heading.id, text: '' })
    } else {
      const last = passages.at(-1)
      if (last) last.text += ` ${plainText(PLAIN_MARKED.parser([token]))}`
    }
  }
  return passages.map((one) => ({ ...one, text: one.text.replaceAll(/\s+/g, ' ').trim() }))
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Returns the text of HTML that this module has created. `between` replaces the tags. */
export const plainText = (html: string, between = ' '): string =>
  html
    .replaceAll(/<[^<>]*>/g, between)
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name) => NAMED_ENTITIES[name] ?? whole)

const oneLine = (text: string): string => text.replaceAll('\n', ' ')

/**
 * Returns the resolver of links. A link between pages is `./NAME.md`. A link in a text of the repository is relative to
 * its file, and leads to the page of its target if there is one.
 */
export function linksOf(page: { readonly source?: string }, pageOfFile: ReadonlyMap<string, string>): LinkOf {
  return (target) => {
    if (/^(?:https?|mailto):|^#/.test(target)) return target
    const [path = '', anchor] = target.split('#')
    const rest = anchor === undefined ? '' : `#${anchor}`
    if (page.source === undefined) return path.replace(/^(?:\.\/)?([\w-]+)\.md$/, './$1.html') + rest
    const name = pageOfFile.get(posix.join(posix.dirname(page.source), path))
    return name === undefined ? undefined : `./${name}.html${rest}`
  }
}
