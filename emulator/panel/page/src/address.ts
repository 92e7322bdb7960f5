/** What stands behind the `#` of the page's address: `#/documents/16?form=text`. Also read without the first slash. */

export interface Address {
  readonly view: string
  /** What of the view is shown: the id of a document, a moment. */
  readonly path: readonly string[]
  /** How it is shown: filters and forms. */
  readonly query: Readonly<Record<string, string>>
}

export function readAddress(hash: string): Address {
  const [places = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...path] = places.split('/').map(decoded)
  return { view, path: path.filter((place) => place !== ''), query: Object.fromEntries(new URLSearchParams(search)) }
}

/** What is empty is left out. */
export function writeAddress({ view, path = [], query = {} }: Partial<Address> & Pick<Address, 'view'>): string {
  const places = [view, ...path].map((place) => encodeURIComponent(place)).join('/')
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return search === '' ? `#/${places}` : `#/${places}?${search}`
}

/** Somebody may have typed it. */
function decoded(place: string): string {
  try {
    return decodeURIComponent(place)
  } catch {
    return place
  }
}
