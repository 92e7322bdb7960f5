/**
 * Who calls over HTTP, as far as headers tell: shared by the service, the panel and the mock platform, so that what
 * a web page may do on this machine is decided once. A program may write any header; a page may not write these.
 */

interface CallerHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | readonly string[] | undefined
}

/** Host header without its port and brackets, lower case; undefined when there is none or it is no host. */
export function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]{1,253}))(?::\d{1,5})?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2]?.replace(/\.$/, ''))?.toLowerCase()
}

/** A name that leads to this machine and nowhere else, whoever resolves it. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)

/** `origin` is that of the server which was called under this Host. */
export const isOwnOrigin = (origin: string, scheme: 'http' | 'https', host: string | undefined): boolean =>
  origin.toLowerCase() === `${scheme}://${host?.toLowerCase()}`

/**
 * A browser says that a page of another site asks, or one of another port of this machine (Fetch Metadata). Images,
 * frames and links carry no Origin, and still reach what a GET reaches. Programs that are no browser do not send it.
 */
export function isFromOtherSite({ 'sec-fetch-site': site }: CallerHeaders): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Why a page may not call a server that only this machine's programs and its own pages use, as a sentence; undefined: it
 * may. A foreign Host is a name that was rebound to this machine.
 */
export function whyNotLocal(headers: CallerHeaders): string | undefined {
  const host = hostOf(headers.host)
  if (host === undefined || !isLoopback(host)) return `${hostWords(headers)}: only loopback names are answered`
  return whyForeignPage(headers)
}

/** The Host header of a caller, for a refusal. */
export const hostWords = ({ host }: CallerHeaders): string => `Host ${(host ?? '(none)').slice(0, 100)}`

/** The same for a server that is called under any Host. */
export function whyForeignPage(headers: CallerHeaders): string | undefined {
  const { origin } = headers
  if (origin !== undefined && !isOwnOrigin(origin, 'http', headers.host)) {
    return `Origin ${origin.slice(0, 100)}: only its own pages may call it`
  }
  return isFromOtherSite(headers)
    ? 'a page of another site asks, or a link in one: open the address by hand'
    : undefined
}

/** On every answer: no page may use it as script, image or frame. What shows pages has a policy of its own. */
export const NO_EMBED_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const
