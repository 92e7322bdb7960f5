import type { AnyCallName, Client } from './contract.ts'

/** A call of the control interface as HTTP carries it: what its clients share, in a browser and in Node. */

interface Parts {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

interface HttpRequest {
  /** In capital letters. */
  readonly method: string
  readonly path: string
  /** JSON. */
  readonly body?: string
}

/** Where the calls of a device begin, where it is the only one. */
const ALONE = '/emulator'
const FLEET = '/emulator/fleet'

/** Where the calls of one printer among many begin. */
export const printerAt = (name: string): string => `${FLEET}/${encodeURIComponent(name)}`

/** `at`: where the calls of the device begin. */
export function requestOf(name: AnyCallName, { params = {}, query = {}, body }: Parts = {}, at = ALONE): HttpRequest {
  const [method = '', address = ''] = name.split(' ')
  const own = address.startsWith(FLEET) ? address : at + address.slice(ALONE.length)
  const path = own.replace(/\{(\w+)\}/g, (_match, key: string) => encodeURIComponent(String(params[key])))
  const search = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  return {
    method,
    path: search.length === 0 ? path : `${path}?${search.join('&')}`,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

/** Typed calls over any way to carry a request; `send` gives the JSON or the text of the answer, or rejects. */
export const clientOver = (send: (request: HttpRequest) => Promise<unknown>, at?: string): Client =>
  ((name: AnyCallName, parts?: Parts) => send(requestOf(name, parts, at))) as Client
