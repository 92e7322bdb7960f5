import type { Options } from 'minisearch'

export interface SearchHit {
  readonly id: number
  readonly at: string
  readonly page: string
  readonly section: string
  readonly heading: string
  readonly begin: string
}

/**
 * Weights of sections and pages for readers who need instructions: guides are more important than references, and
 * references more important than wire protocols and changes.
 */
const WEIGHTS: Readonly<Record<string, number>> = {
  Troubleshooting: 3.5,
  'First hour': 3,
  Guides: 3,
  Help: 1.5,
  Reference: 1,
  Wire: 0.25,
  Changelog: 0.1,
}

const weightOf = ({ page, section }: Pick<SearchHit, 'page' | 'section'>): number =>
  WEIGHTS[page] ?? WEIGHTS[section] ?? 1

const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  retry: ['again', 'twice', 'repeat'],
  busy: ['taken', 'use'],
  cyrillic: ['letters', 'text'],
  crash: ['power', 'killed'],
  timeout: ['late', 'time-out'],
  offline: ['unplugged', 'reach'],
  cancel: ['void', 'end'],
  reprint: ['copy', 'duplicate', 'twice'],
  vat: ['tax'],
  refund: ['reversal', 'void'],
}

export const wordsFor = (word: string): string[] => [word, ...(OTHER_WORDS[word.toLowerCase()] ?? [])]

/** Minimum length of a word that also finds longer words. "out" must not find "outcome". */
const PREFIX_MIN = 4

export const SEARCH_OPTIONS: Options<SearchHit & { readonly text: string }> = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['at', 'page', 'section', 'heading', 'begin'],
  searchOptions: {
    boost: { heading: 3, page: 2 },
    prefix: (word) => word.length >= PREFIX_MIN,
    fuzzy: 0.15,
    combineWith: 'AND',
    boostDocument: (_id, _term, stored) => weightOf(stored as unknown as SearchHit),
  },
}
