import type { ExactNumber } from '../drivers/model/json.ts'

export interface Problem {
  readonly path: string
  readonly message: string
}

export type Data =
  | null
  | string
  | number
  | boolean
  | ExactNumber
  | readonly Data[]
  | { readonly [member: string]: Data }
