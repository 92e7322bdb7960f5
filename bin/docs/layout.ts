import { attributes, type Markup, html as markup, renderedByLibrary, scriptFrom } from '../../drivers/host/markup.ts'
import type { Heading, RenderedPage } from './markdown.ts'
import { type Page, SECTIONS } from './page.ts'

interface Frame {
  readonly page: Page
  readonly rendered: RenderedPage
  readonly pages: readonly Page[]
  readonly version: string
}

export const FIRST_PAGE = 'index'

export function html({ page, rendered, pages, version }: Frame): string {
  const isFirst = page.name === FIRST_PAGE
  const title = isFirst ? 'fiscal-rig: documentation' : `${page.title} · fiscal-rig`
  const place = pages.findIndex((one) => one.name === page.name)
  const headings = rendered.headings.filter(({ level }) => level === 2 || level === 3)
  const styles = (page.styles ?? []).map((name) => markup`<link rel="stylesheet" href="./${name}">\n`)
  const scripts = [
    scriptFrom('./theme.js', false),
    ...['docs.js', ...(page.scripts ?? [])].map((name) => scriptFrom(`./${name}`, true)),
  ]
  return String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="./favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="./docs.css">
${styles}${scripts}</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header class="top">
<a class="brand" href="./index.html"><img src="./favicon.svg" alt="" width="28" height="28"><span>fiscal-rig</span> <span class="version">${version}</span></a>
<div class="tools">
<a class="panel" id="panel" hidden>Printer</a>
<button type="button" class="find" id="find"><span>Search</span><kbd>/</kbd></button>
<button type="button" class="icon" id="theme" aria-label="Colours: as the system"></button>
<button type="button" class="icon" id="menu" aria-label="Pages" aria-expanded="false" aria-controls="pages"></button>
</div>
</header>
<div class="frame">
<nav id="pages" class="pages" aria-label="Pages">${sidebar(page, pages)}</nav>
<main id="content" tabindex="-1">
${isFirst ? '' : markup`<p class="section">${page.section}</p>\n`}<h1>${page.title}</h1>
${renderedByLibrary(rendered.html)}${neighbourLinks(pages[place - 1], pages[place + 1])}
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
`)
}

function sidebar(page: Page, pages: readonly Page[]): Markup {
  const link = ({ name, title }: Page) =>
    markup`<li><a href="./${name}.html"${attributes({ 'aria-current': name === page.name ? 'page' : undefined })}>${title}</a></li>`
  const sections = SECTIONS.map((section) => {
    const own = pages.filter((one) => one.section === section && one.name !== FIRST_PAGE)
    return own.length === 0 ? '' : markup`<h2>${section}</h2><ul>${own.map(link)}</ul>`
  })
  return markup`${sections}`
}

function contents(headings: readonly Heading[]): Markup {
  if (headings.length < 2) return markup`<div class="contents"></div>`
  const items = headings.map(
    ({ level, id, text }) => markup`<li class="level-${level}"><a href="#${id}">${text.trim()}</a></li>`,
  )
  return markup`<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items}</ul></nav>`
}

function neighbourLinks(before: Page | undefined, after: Page | undefined): Markup {
  const link = (page: Page | undefined, rel: string, words: string) =>
    page
      ? markup`<a rel="${rel}" href="./${page.name}.html"><small>${words}</small> ${page.title}</a>`
      : markup`<span></span>`
  return markup`<nav class="steps" aria-label="Before and after">${link(before, 'prev', 'Before')}${link(after, 'next', 'Next')}</nav>`
}
