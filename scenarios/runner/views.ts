/** The forms of the control interface that checks look at (decisions 6 and 8). */

export interface CountedView {
  readonly count: number
  readonly amount: string
}

export interface SumsView {
  readonly total: string
  readonly discounts: CountedView
  readonly surcharges: CountedView
  readonly voids: CountedView
  readonly cashIn: string
  readonly cashOut: string
}

export interface DayView extends SumsView {
  readonly taxes: Readonly<Record<string, string>>
  readonly payments: Readonly<Record<string, string>>
  readonly drawerCash: string
}

export interface StateView {
  readonly family: string
  readonly profile: string
  readonly power: boolean
  readonly paper: string
  readonly cover: boolean
  readonly cable: boolean
  readonly clock: string
  readonly display: readonly string[]
  readonly receipt: object | null
  readonly counters: Readonly<Record<string, number>>
  readonly day: DayView
}

export interface DocumentView {
  readonly id: number
  readonly kind: string
  readonly number: number
  readonly at: string
  readonly text: readonly string[]
}

export interface ZView extends SumsView {
  readonly number: number
  readonly at: string
  readonly firstReceipt: number | null
  readonly lastReceipt: number | null
  readonly receiptsCount: number
  readonly taxes: readonly { readonly letter: string; readonly turnover: string; readonly tax: string }[]
  readonly payments: readonly { readonly paymentMode: number; readonly amount: string }[]
}

export interface FrameView {
  readonly id: number
  readonly at: string
  readonly direction: 'toDevice' | 'toHost'
  readonly hex: string
  readonly command: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly status: readonly string[]
}

export interface RuleView {
  readonly id: number
  readonly hits: number
  readonly at: string
  readonly do: unknown
}
