import type { ExactNumber } from '../drivers/model/json.ts'

/** A mistake in a request. `path` is, for example, `ReceiptItems[0].Price`. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** Values that `Data` in an answer may contain. */
export type Data =
  | null
  | string
  | number
  | boolean
  | ExactNumber
  | readonly Data[]
  | { readonly [member: string]: Data }
