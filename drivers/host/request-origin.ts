/**
 * Rules for requests from web pages, by the headers of the request. The service, the panel and the mock platform share
 * them. Programs may send any header, but web pages cannot set these.
 */

interface CallerHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | readonly string[] | undefined
}

/**
 * Returns the host in the Host header, without port and brackets, in lower case; `undefined` if the header is missing
 * or invalid.
 */
export function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]{1,253}))(?::\d{1,5})?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2]?.replace(/\.$/, ''))?.toLowerCase()
}

/** Returns whether every resolver resolves the name to this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)

export const isOwnOrigin = (origin: string, scheme: 'http' | 'https', host: string | undefined): boolean =>
  origin.toLowerCase() === `${scheme}://${host?.toLowerCase()}`

/**
 * Returns whether the browser reports that a page of another site or port sent the request (Fetch Metadata). Requests
 * for images, frames and links have no Origin header, so only this header reveals them. Other programs do not send it.
 */
export function isFromOtherSite({ 'sec-fetch-site': site }: CallerHeaders): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Returns the reason why a page may not call a server that only serves this machine; `undefined` if it may. A Host that
 * is not a loopback name shows that an attacker rebound a domain name to this machine.
 */
export function whyNotLocal(headers: CallerHeaders): string | undefined {
  const host = hostOf(headers.host)
  if (host === undefined || !isLoopback(host))
    return `${hostWords(headers)}: only requests to a loopback name are answered`
  return whyForeignPage(headers)
}

export const hostWords = ({ host }: CallerHeaders): string => `Host ${(host ?? '(none)').slice(0, 100)}`

/** Returns the reason why a page may not call a server that accepts any Host; `undefined` if it may. */
export function whyForeignPage(headers: CallerHeaders): string | undefined {
  const { origin } = headers
  if (origin !== undefined && !isOwnOrigin(origin, 'http', headers.host)) {
    return `Origin ${origin.slice(0, 100)}: only the pages of this address itself may call it`
  }
  return isFromOtherSite(headers)
    ? 'the request comes from a page of another site: open the address yourself'
    : undefined
}

/**
 * Headers of every answer: no page may embed it as a script, image or frame. Servers that serve pages replace the
 * policy.
 */
export const NO_EMBED_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const
