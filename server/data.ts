import type { ExactNumber } from '../drivers/model/json.ts'

/** A mistake in a request. `path`: `ReceiptItems[0].Price`. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** Values of `Data` in an answer. */
export type Data =
  | null
  | string
  | number
  | boolean
  | ExactNumber
  | readonly Data[]
  | { readonly [member: string]: Data }
