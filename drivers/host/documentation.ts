/** Path of the documentation, on the service and on the panel of an emulated device. */
export const DOCS_PATH = '/docs'

/** Content security policy: the documentation's own scripts, styles and pictures, and requests to its own server. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Address at which the pages query their server. */
export const DOCS_HERE = `${DOCS_PATH}/here.json`

export interface DocumentationHere {
  /** Path of the API on this server; absent if the server has none. */
  readonly api?: string
  readonly needsKey?: boolean
  /** First page of the same documentation on the service, if known. */
  readonly service?: string
  /** Control panel of the emulated device, if there is one that the caller can open. */
  readonly panel?: string
}
