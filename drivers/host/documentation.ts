export const DOCS_PATH = '/docs'

export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Address at which the pages query their server. */
export const DOCS_HERE = `${DOCS_PATH}/here.json`

export interface DocumentationHere {
  readonly api?: string
  readonly needsKey?: boolean
  readonly service?: string
  readonly panel?: string
}
