/**
 * The origin of an HTTP request by its headers: the rules for web pages on this machine, shared by the service, the
 * panel and the mock platform. A program may write any header; a web page cannot write these headers.
 */

interface CallerHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | readonly string[] | undefined
}

/**
 * Returns the Host header without its port and brackets, in lower case; `undefined` if it is missing or contains no
 * host.
 */
export function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]{1,253}))(?::\d{1,5})?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2]?.replace(/\.$/, ''))?.toLowerCase()
}

/** Returns whether the name leads only to this machine, for every resolver. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)

/** Returns whether `origin` is the origin of the server that was called under this Host. */
export const isOwnOrigin = (origin: string, scheme: 'http' | 'https', host: string | undefined): boolean =>
  origin.toLowerCase() === `${scheme}://${host?.toLowerCase()}`

/**
 * Returns whether the browser reports that a page of another site or port sent the request (Fetch Metadata). Images,
 * frames and links have no Origin and would reach every GET endpoint. Programs other than browsers do not send the
 * header.
 */
export function isFromOtherSite({ 'sec-fetch-site': site }: CallerHeaders): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Returns why a page may not call a server for this machine only, as a message; `undefined` if it may. A foreign Host
 * is a name that was rebound to this machine.
 */
export function whyNotLocal(headers: CallerHeaders): string | undefined {
  const host = hostOf(headers.host)
  if (host === undefined || !isLoopback(host)) return `${hostWords(headers)}: only loopback names are answered`
  return whyForeignPage(headers)
}

export const hostWords = ({ host }: CallerHeaders): string => `Host ${(host ?? '(none)').slice(0, 100)}`

/** Returns why a page may not call a server that is reached under any Host, as a message; `undefined` if it may. */
export function whyForeignPage(headers: CallerHeaders): string | undefined {
  const { origin } = headers
  if (origin !== undefined && !isOwnOrigin(origin, 'http', headers.host)) {
    return `Origin ${origin.slice(0, 100)}: only its own pages may call it`
  }
  return isFromOtherSite(headers)
    ? 'the request comes from a page of another site: open the address yourself'
    : undefined
}

/**
 * Headers of every answer: no page may use the answer as script, image or frame. Servers of pages send a different
 * policy.
 */
export const NO_EMBED_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const
