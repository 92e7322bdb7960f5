/** The facts of a case, which are the only input of the judge. Amounts in hundredths, quantities in thousandths. */

/** A sold item without its name, so that equal rows are interchangeable. */
export interface SoldRow {
  readonly taxCode: number
  readonly price: number
  readonly quantity: number
}

export interface PaidAmount {
  readonly mode: number
  /** Change is a negative amount, in the mode in which the change was given. */
  readonly amount: number
}

export interface RequestedSale {
  readonly id: string
  readonly rows: readonly SoldRow[]
  readonly payments: readonly PaidAmount[]
  readonly total: number
}

/** A fiscal receipt that the device has closed. `rows` omits voided rows. */
export interface HeldReceipt {
  readonly number: number
  readonly rows: readonly SoldRow[]
  readonly payments: readonly PaidAmount[]
  readonly total: number
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
  readonly claims: readonly ClaimedJob[]
  readonly receipts: readonly HeldReceipt[]
  /** Receipts that the case itself opened or printed, in the role of another program. */
  readonly otherPrograms: readonly { readonly number: number; readonly rows: readonly SoldRow[] }[]
  readonly open: { readonly number: number; readonly kind: string; readonly rows: readonly SoldRow[] } | null
  readonly isReached: boolean
  /** `false` for the baseline case. */
  readonly hasFault?: boolean
  /** The reason if the fault was not triggered; default: the till has not sent the command. */
  readonly whyNotReached?: string
}
