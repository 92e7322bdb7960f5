import type { ExactNumber } from '../drivers/model/json.ts'

/** One thing that is wrong with a request. `message` is a whole sentence; `path` is `ReceiptItems[0].Price`. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** What `Data` may hold: text, or an object of texts, whole numbers and exact decimals. */
export type Data =
  | null
  | string
  | number
  | boolean
  | ExactNumber
  | readonly Data[]
  | { readonly [member: string]: Data }
