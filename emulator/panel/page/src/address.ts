/** The part of the page's address after `#`: `#/documents/16?form=text`. The first slash is optional. */

export interface Address {
  readonly view: string
  /** The selected object: id of a document, of a timeline entry. */
  readonly path: readonly string[]
  /** Filters and forms of the view. */
  readonly query: Readonly<Record<string, string>>
}

export function readAddress(hash: string): Address {
  const [places = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...path] = places.split('/').map(decoded)
  return { view, path: path.filter((place) => place !== ''), query: Object.fromEntries(new URLSearchParams(search)) }
}

/** Returns the address, without empty parts. */
export function writeAddress({ view, path = [], query = {} }: Partial<Address> & Pick<Address, 'view'>): string {
  const places = [view, ...path].map((place) => encodeURIComponent(place)).join('/')
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return search === '' ? `#/${places}` : `#/${places}?${search}`
}

/** A typed address may be invalid. */
export function decoded(place: string): string {
  try {
    return decodeURIComponent(place)
  } catch {
    return place
  }
}

/** Printing time of a document in an address, because documents of another device have the same ids. */
export const timeInAddress = ({ at }: { readonly at: string }): string => at.replace(/\D/g, '')

/** Returns the link to the details of a triggered fault; its id belongs to a run of the emulator. */
export const faultLink = ({ id }: { readonly id: number }, run = ''): string =>
  writeAddress({ view: 'faults', query: { story: String(id), run } })

/** Returns the link to a document, which leads to no other one. */
export const documentLink = (document: { readonly id: number; readonly at: string }): string =>
  writeAddress({ view: 'documents', path: [String(document.id)], query: { at: timeInAddress(document) } })
