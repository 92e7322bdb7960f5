/** Path of the documentation, on the service and on the panel of an emulated device. */
export const DOCS_PATH = '/docs'

/** Content security policy: the documentation's own scripts, styles and pictures, and requests to its own server. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Address at which the pages query their server. */
export const DOCS_HERE = `${DOCS_PATH}/here.json`

export interface DocumentationHere {
  /** Path of the API on this server. Absent if the server has no API. */
  readonly api?: string
  readonly needsKey?: boolean
  /** Address of the same documentation on the service. Absent if unknown. */
  readonly service?: string
  /** Address of the control panel. Absent if there is none that the caller can open. */
  readonly panel?: string
}
