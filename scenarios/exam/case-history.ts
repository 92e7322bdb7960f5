/** The facts of a case, as data: the only input of the judge. Amounts are whole hundredths, quantities thousandths. */

/** A sold item without its name: equal rows cannot be told apart. */
export interface SoldRow {
  readonly taxCode: number
  readonly price: number
  readonly quantity: number
}

export interface PaidAmount {
  readonly mode: number
  /** Change is a negative amount, in the mode in which it was given. */
  readonly amount: number
}

export interface RequestedSale {
  readonly id: string
  readonly rows: readonly SoldRow[]
  readonly payments: readonly PaidAmount[]
  readonly total: number
}

/** A fiscal receipt that was closed on the device, without voided rows. */
export interface HeldReceipt {
  readonly number: number
  readonly rows: readonly SoldRow[]
  readonly payments: readonly PaidAmount[]
  readonly total: number
  /** True if the receipt reverses an earlier one. */
  readonly isReversal: boolean
}

export type Claim = 'printed' | 'failed' | 'unknown' | 'crashed' | 'hung'

export interface ClaimedJob {
  readonly job: string
  readonly again: boolean
  readonly claim: Claim
}

export interface History {
  readonly first: RequestedSale
  readonly second: RequestedSale
  /** In the order of the runs. */
  readonly claims: readonly ClaimedJob[]
  /** In the order of their numbers. */
  readonly receipts: readonly HeldReceipt[]
  /** Receipts that the case itself entered as another program: document numbers and sold rows. */
  readonly otherPrograms: readonly { readonly number: number; readonly rows: readonly SoldRow[] }[]
  /** The receipt that is open at the end, or null. */
  readonly open: { readonly number: number; readonly kind: string; readonly rows: readonly SoldRow[] } | null
  /** True if the fault was triggered. */
  readonly isReached: boolean
}
