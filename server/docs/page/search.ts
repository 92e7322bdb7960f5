import MiniSearch, { type SearchResult } from 'minisearch'
import { countText } from '../../../drivers/model/count-text.ts'
import { SEARCH_OPTIONS, type SearchHit, wordsFor } from './search-options.ts'

interface SearchParts {
  readonly open: HTMLElement
  readonly dialog: HTMLDialogElement
  readonly query: HTMLInputElement
  readonly status: HTMLElement
  readonly list: HTMLElement
}

type Index = MiniSearch<SearchHit & { readonly text: string }>
type Hit = SearchResult & SearchHit

declare global {
  interface Window {
    searchIndex?: Parameters<typeof MiniSearch.loadJS>[0]
  }
}

const SHOWN_HITS_MAX = 20

/**
 * The script's address. `/docs` without a final slash is also the first page, but addresses relative to it would be
 * wrong.
 */
const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href
const besideThis = (address: string): string => new URL(address, own).href

let loading: Promise<Index> | undefined

function load(): Promise<Index> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = besideThis('./search.js')
    script.addEventListener('error', () => reject(new Error('The search index is missing.')))
    script.addEventListener('load', () => {
      if (window.searchIndex) resolve(MiniSearch.loadJS(window.searchIndex, SEARCH_OPTIONS))
    })
    document.head.append(script)
  })
  return loading
}

export function search({ open, dialog, query, status: statusLine, list }: SearchParts): void {
  const show = () => {
    dialog.showModal()
    query.select()
    void load()
  }
  open.addEventListener('click', show)
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
    const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isAsked || dialog.open) return
    event.preventDefault()
    show()
  })
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  query.addEventListener('input', async () => {
    const words = query.value
    const index = await load()
    if (words !== query.value) return
    const hits = words.trim() === '' ? [] : hitsFor(index, words)
    statusLine.textContent = words.trim() === '' ? '' : countWords(hits.length)
    list.replaceChildren(...hits.slice(0, SHOWN_HITS_MAX).map(item))
  })
  dialog.addEventListener('keydown', (event) => {
    // The default action of Escape would only clear the search field.
    if (event.key === 'Escape') dialog.close()
    else walk(event, query, list)
  })
  list.addEventListener('click', () => dialog.close())
}

/** Returns the hits for all words, or similar words. If there are none, returns the hits for any of the words. */
function hitsFor(index: Index, words: string): Hit[] {
  const parts = words.split(/\s+/).filter((word) => word !== '')
  const exact = new Map(index.search(words).map(({ id, score }) => [id, score]))
  const similar = index.search({
    combineWith: 'AND',
    queries: parts.map((word) => ({ combineWith: 'OR', queries: wordsFor(word) })),
  })
  // An exact hit counts in addition, and a heading that contains all words doubles the score.
  const isInHeading = (heading: string): boolean =>
    parts.every((word) => heading.toLowerCase().includes(word.toLowerCase()))
  const found = similar
    .map((hit) => ({
      ...hit,
      score: (hit.score + (exact.get(hit.id) ?? 0)) * (isInHeading((hit as Hit).heading) ? 2 : 1),
    }))
    .toSorted((one, other) => other.score - one.score)
  return (found.length > 0 ? found : index.search(words, { combineWith: 'OR' })) as Hit[]
}

const countWords = (count: number): string => (count === 0 ? 'Nothing found.' : `${countText(count, 'place')} found.`)

function item({ at, page, heading, begin }: Hit): HTMLElement {
  const link = document.createElement('a')
  link.href = besideThis(at)
  const title = document.createElement('strong')
  title.textContent = heading === '' ? page : heading
  const where = document.createElement('small')
  where.textContent = heading === '' ? '' : page
  const text = document.createElement('span')
  text.textContent = begin
  link.append(title, ' ', where, text)
  const entry = document.createElement('li')
  entry.append(link)
  return entry
}

/**
 * Handles the arrow keys, which move between the field and the hits, and Enter in the field, which opens the first hit.
 */
function walk(event: KeyboardEvent, query: HTMLInputElement, list: HTMLElement): void {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  if (event.key === 'Enter' && event.target === query) {
    event.preventDefault()
    links[0]?.click()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const next = at + step
  if (next < 0) query.focus()
  else links[Math.min(next, links.length - 1)]?.focus()
}
