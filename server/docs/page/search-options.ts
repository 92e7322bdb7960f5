/** What the index is made with, and read with. */
import type { Options } from 'minisearch'

/** A place in the documentation. */
export interface Found {
  readonly id: number
  /** Address, relative to the pages. */
  readonly at: string
  /** Title of the page. */
  readonly page: string
  /** Empty: the page itself. */
  readonly heading: string
  /** How the text there begins. */
  readonly begin: string
}

export const SEARCH_OPTIONS: Options<Found & { readonly text: string }> = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['at', 'page', 'heading', 'begin'],
  searchOptions: { boost: { heading: 3, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
