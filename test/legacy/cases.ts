/** The worked examples of the two legacy formats: lines, and the job that the service must parse from them. */
import { readFileSync } from 'node:fs'

export interface Case {
  readonly name: string
  readonly format: 1 | 2 | null
  readonly lines: readonly unknown[]
  readonly context?: { readonly family?: 'A' | 'B' | 'C'; readonly vatTable?: Readonly<Record<string, number>> }
  readonly expect: Expected
}

export type Expected =
  | {
      readonly ok: true
      readonly kind: 'fiscal' | 'fiscal-cancelled' | 'nonfiscal' | 'service'
      readonly items?: readonly unknown[]
      readonly payments?: readonly { readonly PaymentMode: number; readonly Amount: number }[]
      readonly total?: number
      readonly change?: number
      readonly customerTaxId?: string
      readonly open?: unknown
      readonly commands?: readonly unknown[]
    }
  | { readonly ok: false; readonly error: { readonly code: string; readonly name: string; readonly line?: number } }

export const CASES: readonly Case[] = JSON.parse(
  readFileSync(new URL('../../fixtures/legacy/cases.json', import.meta.url), 'utf8'),
)
