/**
 * The content of legacy lines, in the terms of the service. Both formats are parsed into the same commands, one per
 * line. The commands become one job: a receipt, a non-fiscal document or a list of service calls (legacy formats 1.7,
 * 4).
 */
import type { Money, Quantity } from '../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../drivers/model/receipt.ts'

/** A tax group, or a rate in hundredths of a percent. One of the device's groups must have that rate. */
export type LegacyTax = { readonly code: TaxCode } | { readonly percent: number }

export interface LegacyItem {
  readonly name: string
  readonly price: Money
  readonly quantity: Quantity
  readonly unit: string
  readonly tax: LegacyTax
  readonly department: number
}

export interface LegacyOpening {
  readonly line: number
  readonly operator: number
  readonly password: string
  readonly pointOfSale: number
  readonly invoice: boolean
}

export type ServiceCall =
  | { readonly call: 'reportX' | 'reportZ' | 'drawer' | 'copy' | 'cancel' | 'clearDisplay' }
  | { readonly call: 'cashIn' | 'cashOut'; readonly amount: Money }
  | { readonly call: 'display'; readonly row: 1 | 2; readonly text: string }

/**
 * A call and its position in the array of the request, counted from 1. The answer to a partly executed job names the
 * position.
 */
export type PlacedCall = ServiceCall & { readonly line: number }

export type Command = { readonly line: number } & CommandWord

export type CommandWord =
  | { readonly word: 'sale' | 'void'; readonly item: LegacyItem }
  | { readonly word: 'adjustment'; readonly adjustment: Adjustment }
  | { readonly word: 'subtotal' }
  | { readonly word: 'text'; readonly texts: readonly string[] }
  | { readonly word: 'barcode'; readonly type: number; readonly data: string }
  | { readonly word: 'taxNumber'; readonly number: string }
  /** Without `amount`, the payment is the whole remaining amount. `zero`: the line contains an amount of 0. */
  | { readonly word: 'payment'; readonly mode: number; readonly amount?: Money; readonly zero?: true }
  | { readonly word: 'open'; readonly opening: LegacyOpening }
  | { readonly word: 'head' | 'foot' | 'nonFiscal' | 'cancel' }
  /** `trailer`: the line may follow a closed document. */
  | { readonly word: 'service'; readonly calls: readonly ServiceCall[]; readonly trailer?: boolean }

export type PrintStep =
  | { readonly do: 'text'; readonly text: string }
  | { readonly do: 'barcode'; readonly type: number; readonly data: string }

export const printSteps = (command: Extract<Command, { readonly word: 'text' | 'barcode' }>): readonly PrintStep[] =>
  command.word === 'barcode'
    ? [{ do: 'barcode', type: command.type, data: command.data }]
    : command.texts.map((text) => ({ do: 'text', text }))

export interface VoidedSale {
  readonly step: number
  /** Quantity that remains sold, and its amount in `net`. */
  readonly remaining: Quantity
  readonly net: Money
}

export type ReceiptStep =
  | PrintStep
  | { readonly do: 'sale'; readonly item: LegacyItem; readonly void: false; readonly adjustment?: Adjustment }
  /** `adjustment` is that of the voided sale. Such a sale can only be voided as a whole. */
  | {
      readonly do: 'sale'
      readonly item: LegacyItem
      readonly void: true
      readonly adjustment?: Adjustment
      readonly voids: VoidedSale
    }
  | { readonly do: 'subtotal'; readonly adjustment?: Adjustment }
  /** `amount` is the tendered amount. `rest`: it was the whole remaining amount. */
  | { readonly do: 'payment'; readonly mode: number; readonly amount: Money; readonly rest: boolean }

export type LegacyJob =
  | {
      readonly kind: 'fiscal'
      /** True if the lines end with a cancellation. Everything except the payments is then executed. */
      readonly cancelled: boolean
      readonly opening?: LegacyOpening
      readonly customerTaxId?: string
      readonly steps: readonly ReceiptStep[]
      readonly total: Money
      readonly change: Money
      readonly after: readonly PlacedCall[]
    }
  | {
      readonly kind: 'nonFiscal'
      readonly cancelled: boolean
      readonly steps: readonly PrintStep[]
      readonly after: readonly PlacedCall[]
    }
  | { readonly kind: 'service'; readonly calls: readonly PlacedCall[] }

const WITHOUT_PAPER: ReadonlySet<ServiceCall['call']> = new Set(['drawer', 'display', 'clearDisplay'])

export const isOnPaper = ({ call }: ServiceCall): boolean => !WITHOUT_PAPER.has(call)

export const isPrinted = (job: LegacyJob): boolean => job.kind !== 'service' || job.calls.some(isOnPaper)
