/** The index of the search, built in advance: the page only loads it. */
import MiniSearch from 'minisearch'
import { type Found, SEARCH_OPTIONS } from '../../server/docs/page/search-options.ts'
import type { Passage } from './markdown.ts'
import type { Page } from './page.ts'

/** Number of characters of a passage that are shown with a hit. */
const SHOWN = 140

/** Returns the index as a script, and not JSON: pages that are opened as files may load it too. */
export function searchIndex(all: readonly { readonly page: Page; readonly passages: readonly Passage[] }[]): string {
  const index = new MiniSearch<Found & { readonly text: string }>(SEARCH_OPTIONS)
  let id = 0
  for (const { page, passages } of all) {
    for (const { heading, id: anchor, text } of passages) {
      if (heading === '' && text === '') continue
      const at = `./${page.name}.html${anchor === '' ? '' : `#${anchor}`}`
      index.add({ id: id++, at, page: page.title, section: page.section, heading, text, begin: text.slice(0, SHOWN) })
    }
  }
  return `window.searchIndex = ${JSON.stringify(index)}\n`
}
