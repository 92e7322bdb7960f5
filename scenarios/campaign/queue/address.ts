/** The address of a queue: `redis://[USER:PASSWORD@]HOST[:PORT][/N]`, or `rediss://` over TLS. */

export interface QueueAddress {
  readonly host: string
  readonly port: number
  readonly database: number
  readonly isTls: boolean
  readonly user?: string
  readonly password?: string
  readonly publicAddress: string
}

export const ADDRESS_FORM = 'redis://HOST[:PORT][/N], or rediss:// over TLS'
const PORT = 6379

/** Throws RangeError. Its message contains no part of the address, which may contain a password. */
export function queueAddress(text: string): QueueAddress {
  const wrong = new RangeError(`expected ${ADDRESS_FORM}`)
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw wrong
  }
  const { protocol, hostname, pathname, search, hash } = url
  const database = /^\/?$/.test(pathname) ? 0 : Number(/^\/(\d{1,4})$/.exec(pathname)?.[1] ?? Number.NaN)
  const isTls = protocol === 'rediss:'
  const isOther = (protocol !== 'redis:' && !isTls) || hostname === '' || url.port === '0'
  if (isOther || Number.isNaN(database) || `${search}${hash}` !== '') throw wrong
  const port = url.port === '' ? PORT : Number(url.port)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...{ port, database, isTls },
    ...(url.username !== '' && { user: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    publicAddress: `${protocol}//${hostname}:${port}/${database}`,
  }
}
