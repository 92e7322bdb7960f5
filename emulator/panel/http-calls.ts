/** The HTTP form of a call of the control API, for clients in a browser and in Node. */
import type { AnyCallName, Client } from './contract.ts'

interface Parts {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
}

const SINGLE_DEVICE_PATH = '/emulator'
const FLEET = '/emulator/fleet'

export const printerAt = (name: string): string => `${FLEET}/${encodeURIComponent(name)}`

/** `at` is the base path of the device's calls; calls of the fleet keep their path. */
export function requestOf(
  name: AnyCallName,
  { params = {}, query = {}, body }: Parts = {},
  at = SINGLE_DEVICE_PATH,
): HttpRequest {
  const [method = '', address = ''] = name.split(' ')
  const own = address.startsWith(FLEET) ? address : at + address.slice(SINGLE_DEVICE_PATH.length)
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

/** Creates typed calls over any transport. `send` resolves to the JSON or the text of the answer, or rejects. */
export const clientOver = (send: (request: HttpRequest) => Promise<unknown>, at?: string): Client =>
  ((name: AnyCallName, parts?: Parts) => send(requestOf(name, parts, at))) as Client
