/** What became of a case, as data: all that the judge knows. Amounts are whole hundredths, quantities thousandths. */

/** Equal rows are told apart by nothing: a row is what was sold, not what it was called. */
export interface SoldRow {
  readonly taxCode: number
  readonly price: number
  readonly quantity: number
}

export interface Paid {
  readonly mode: number
  /** Change is an amount below zero, of the mode that it was given in. */
  readonly amount: number
}

export interface RequestedSale {
  readonly id: string
  readonly rows: readonly SoldRow[]
  readonly payments: readonly Paid[]
  readonly total: number
}

/** A fiscal receipt that was closed on the device: rows that were taken back again are left out. */
export interface HeldReceipt {
  readonly number: number
  readonly rows: readonly SoldRow[]
  readonly payments: readonly Paid[]
  readonly total: number
  /** It takes back what an earlier one has sold. */
  readonly isReversal: boolean
}

export type Claim = 'printed' | 'failed' | 'unknown' | 'crashed' | 'hung'

export interface Claimed {
  readonly job: string
  readonly again: boolean
  readonly claim: Claim
}

export interface History {
  readonly first: RequestedSale
  readonly second: RequestedSale
  /** In their order. */
  readonly claims: readonly Claimed[]
  /** In the order of their numbers. */
  readonly receipts: readonly HeldReceipt[]
  /** What the case itself had put into the device: document numbers, and what was sold under them. */
  readonly otherPrograms: readonly { readonly number: number; readonly rows: readonly SoldRow[] }[]
  /** A receipt that is open at the end. */
  readonly open: { readonly number: number; readonly kind: string; readonly rows: readonly SoldRow[] } | null
  /** The fault has found something to strike. */
  readonly isReached: boolean
}
