/** The frame around every page: head, sidebar, what is on the page, and where to go from here. */
import { attribute, escaped, type Heading, type Rendered } from './markdown.ts'
import { type Page, SECTIONS } from './page.ts'

export interface Frame {
  readonly page: Page
  readonly rendered: Rendered
  /** All of them, in the order of the sidebar. */
  readonly pages: readonly Page[]
  readonly version: string
}

/** The first page is in no section: it leads to all. */
export const FIRST = 'index'

export function html({ page, rendered, pages, version }: Frame): string {
  const isFirst = page.name === FIRST
  const title = isFirst ? 'fiscal-rig: documentation' : `${page.title} · fiscal-rig`
  const place = pages.findIndex((one) => one.name === page.name)
  const headings = rendered.headings.filter(({ level }) => level === 2 || level === 3)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="./favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="./docs.css">
${(page.styles ?? []).map((name) => `<link rel="stylesheet" href="./${name}">\n`).join('')}<script src="./theme.js"></script>
<script src="./docs.js" defer></script>
${(page.scripts ?? []).map((name) => `<script src="./${name}" defer></script>\n`).join('')}</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header class="top">
<a class="brand" href="./index.html"><img src="./favicon.svg" alt="" width="28" height="28"><span>fiscal-rig</span> <span class="version">${escaped(version)}</span></a>
<div class="tools">
<button type="button" class="find" id="find"><span>Search</span><kbd>/</kbd></button>
<button type="button" class="icon" id="theme" aria-label="Colours: as the system"></button>
<button type="button" class="icon" id="menu" aria-label="Pages" aria-expanded="false" aria-controls="pages"></button>
</div>
</header>
<div class="frame">
<nav id="pages" class="pages" aria-label="Pages">${sidebar(page, pages)}</nav>
<main id="content" tabindex="-1">
${isFirst ? '' : `<p class="section">${escaped(page.section)}</p>\n`}<h1>${escaped(page.title)}</h1>
${rendered.html}${steps(pages[place - 1], pages[place + 1])}
</main>
${contents(headings)}
</div>
<dialog id="search" aria-label="Search">
<form method="dialog"><input type="search" id="query" aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off" spellcheck="false"><button class="quiet">Close</button></form>
<p class="told" id="told" role="status"></p>
<ol id="found"></ol>
</dialog>
</body>
</html>
`
}

function sidebar(page: Page, pages: readonly Page[]): string {
  const link = ({ name, title }: Page) =>
    `<li><a href="./${name}.html"${name === page.name ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`
  return SECTIONS.map((section) => {
    const own = pages.filter((one) => one.section === section && one.name !== FIRST)
    return own.length === 0 ? '' : `<h2>${section}</h2><ul>${own.map(link).join('')}</ul>`
  }).join('')
}

function contents(headings: readonly Heading[]): string {
  if (headings.length < 2) return '<div class="contents"></div>'
  const items = headings.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${attribute(id)}">${escaped(text.trim())}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

function steps(before: Page | undefined, after: Page | undefined): string {
  const link = (page: Page | undefined, rel: string, words: string) =>
    page
      ? `<a rel="${rel}" href="./${page.name}.html"><small>${words}</small> ${escaped(page.title)}</a>`
      : '<span></span>'
  return `<nav class="steps" aria-label="Before and after">${link(before, 'prev', 'Before')}${link(after, 'next', 'Next')}</nav>`
}
