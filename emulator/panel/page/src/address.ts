/** The part of the address after `#`, such as `#/documents/16?form=text`. The first slash is optional. */

export interface Address {
  readonly view: string
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** On the static site, `#scenario=` carries data and names no view. */
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

/** Returns the text unchanged if a typed address is not validly encoded. */
export function decoded(place: string): string {
  try {
    return decodeURIComponent(place)
  } catch {
    return place
  }
}

/**
 * Returns the id in an address; `undefined` if the address has none. Returns NaN, which no object has as its id, if the
 * text cannot be an id.
 */
export function idInAddress(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN
}

export interface Printed {
  readonly at: string
  /** The run of the device during an exam, because the clocks of all its devices start at the same time. */
  readonly examRun?: string
}

/** The printing time distinguishes documents of different devices, which have the same ids. */
export const timeInAddress = ({ at, examRun }: Printed): string =>
  `${at.replace(/\D/g, '')}${examRun === undefined ? '' : `-${examRun}`}`

/** The id of a fault is unique only within one run of the emulator. */
export const faultLink = ({ id }: { readonly id: number }, run = ''): string =>
  writeAddress({ view: 'faults', query: { story: String(id), run } })

export const documentLink = (document: Printed & { readonly id: number }): string =>
  writeAddress({ view: 'documents', path: [String(document.id)], query: { at: timeInAddress(document) } })
