/** Writes the documentation as static pages: hand-written ones, and those that are generated from declarations. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TROUBLES, TROUBLES_FILE, type Trouble } from '../../drivers/host/troubleshooting-links.ts'
import { rigVersion } from '../version.ts'
import { writeAssets } from './assets.ts'
import { generatedPages } from './generated-pages.ts'
import { FIRST_PAGE, html } from './layout.ts'
import { linksOf, plainText, type RenderedPage, render } from './markdown.ts'
import { handWritten, type Page, SECTIONS } from './page.ts'
import { apiDescription } from './rest.ts'
import { searchIndex } from './search.ts'

const root = join(import.meta.dirname, '..', '..')
const guide = join(root, 'server', 'docs', 'guide')

export async function pages(): Promise<readonly Page[]> {
  const written = readdirSync(guide)
    .filter((name) => name.endsWith('.md'))
    .map((name) => handWritten(name.slice(0, -3), readFileSync(join(guide, name), 'utf8')))
  const all = [...written, ...(await generatedPages(root))]
  const place = ({ name, section, order }: Page) =>
    name === FIRST_PAGE ? -1 : SECTIONS.indexOf(section) * 1000 + order
  return all.toSorted((one, other) => place(one) - place(other) || one.title.localeCompare(other.title))
}

export async function writeSite(folder: string): Promise<void> {
  const all = await pages()
  const pageOfFile = new Map(all.flatMap(({ name, source }) => (source === undefined ? [] : [[source, name] as const])))
  const version = rigVersion()
  await writeAssets(root, folder)
  const contents = all.map((page) => {
    const rendered = render(page.markdown, linksOf(page, pageOfFile))
    writeFileSync(join(folder, `${page.name}.html`), html({ page, rendered, pages: all, version }))
    if (page.name === TROUBLES) writeFileSync(join(folder, TROUBLES_FILE), JSON.stringify(troublesIn(rendered)))
    return { page, passages: rendered.passages }
  })
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(await apiDescription()))
  writeFileSync(join(folder, 'search.js'), searchIndex(contents))
}

/** The headings of level 3 on this page are messages, so that programs can link a message to its advice. */
const troublesIn = ({ headings }: RenderedPage): readonly Trouble[] =>
  headings.filter(({ level }) => level === 3).map(({ id, html }) => ({ id, message: plainText(html, '') }))
