/** The address of a view: the part after `#`, such as `#/documents/16?form=text`. The first slash is optional. */

export interface Address {
  readonly view: string
  /** Id of the selected object, such as a document or a timeline entry. */
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** `#scenario=` of the static site carries data, and names no view. */
const DATA = /^#[a-z]+=/

export function readAddress(hash: string): Address {
  if (DATA.test(hash)) return { view: '', path: [], query: {} }
  const [places = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...path] = places.split('/').map(decoded)
  return { view, path: path.filter((place) => place !== ''), query: Object.fromEntries(new URLSearchParams(search)) }
}

export function writeAddress({ view, path = [], query = {} }: Partial<Address> & Pick<Address, 'view'>): string {
  const places = [view, ...path].map((place) => encodeURIComponent(place)).join('/')
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return search === '' ? `#/${places}` : `#/${places}?${search}`
}

/** Returns the text unchanged if a typed address is invalid. */
export function decoded(place: string): string {
  try {
    return decodeURIComponent(place)
  } catch {
    return place
  }
}

/** Returns the printing time of a document for its address, because documents of other devices have the same ids. */
export const timeInAddress = ({ at }: { readonly at: string }): string => at.replace(/\D/g, '')

/** Returns the link to the details of a triggered fault. The id of a fault belongs to a run of the emulator. */
export const faultLink = ({ id }: { readonly id: number }, run = ''): string =>
  writeAddress({ view: 'faults', query: { story: String(id), run } })

/** Returns the link to a document; the printing time excludes other documents with the same id. */
export const documentLink = (document: { readonly id: number; readonly at: string }): string =>
  writeAddress({ view: 'documents', path: [String(document.id)], query: { at: timeInAddress(document) } })
