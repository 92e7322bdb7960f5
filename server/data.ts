import type { ExactNumber } from '../drivers/model/json.ts'

/** A mistake in a request. `message` is a readable message; `path` is `ReceiptItems[0].Price`. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** Possible values of `Data`: text, or an object of texts, whole numbers and exact decimals. */
export type Data =
  | null
  | string
  | number
  | boolean
  | ExactNumber
  | readonly Data[]
  | { readonly [member: string]: Data }
