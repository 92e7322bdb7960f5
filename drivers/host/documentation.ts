/** Where the documentation is found: served alike by the service and by the panel of an emulated device. */
export const DOCS_PATH = '/docs'

/** Its own scripts, styles and pictures, questions to the server that it comes from, and nothing else. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What the pages ask the server that they come from. */
export const DOCS_HERE = `${DOCS_PATH}/here.json`

export interface DocumentationHere {
  /** Where the API is on this server; absent: this is none that has one. */
  readonly api?: string
  /** Callers need the API key. */
  readonly needsKey?: boolean
  /** First page of the same documentation on the service, where that is known. */
  readonly service?: string
  /** The page of the emulated device, where there is one that the caller can open. */
  readonly panel?: string
}
