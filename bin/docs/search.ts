/** The search index, which is built here so that the page only loads it. */
import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS, type SearchHit } from '../../server/docs/page/search-options.ts'
import type { Passage } from './markdown.ts'
import type { Page } from './page.ts'

const EXCERPT_CHARACTERS = 140

/** Returns the index as a script, because pages that are opened as files cannot load JSON. */
export function searchIndex(all: readonly { readonly page: Page; readonly passages: readonly Passage[] }[]): string {
  const index = new MiniSearch<SearchHit & { readonly text: string }>(SEARCH_OPTIONS)
  let id = 0
  for (const { page, passages } of all) {
    for (const { heading, id: anchor, text } of passages) {
      if (heading === '' && text === '') continue
      const at = `./${page.name}.html${anchor === '' ? '' : `#${anchor}`}`
      index.add({
        id: id++,
        at,
        page: page.title,
        section: page.section,
        heading,
        text,
        begin: text.slice(0, EXCERPT_CHARACTERS),
      })
    }
  }
  return `window.searchIndex = ${JSON.stringify(index)}\n`
}
