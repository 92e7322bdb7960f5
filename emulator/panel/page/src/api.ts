/** The control interface as the page uses it (decisions 6 and 8): forms of its answers, and the calls. */

export interface Counted {
  readonly count: number
  readonly amount: string
}

export interface Device {
  readonly family: string
  readonly profile: string
  readonly model: string
  readonly serialNumber: string
  readonly fiscalMemoryNumber: string
  readonly power: boolean
  readonly paper: PaperState
  readonly cover: boolean
  readonly cable: boolean
  readonly clock: string
  readonly display: readonly string[]
  readonly receipt: {
    readonly kind: string
    readonly number: number
    readonly items: number
    readonly total: string
    readonly paid: string
  } | null
  readonly counters: {
    readonly fiscalReceipts: number
    readonly nonFiscal: number
    readonly lastReceiptNumber: number
    readonly lastZ: number
  }
  readonly day: {
    readonly taxes: Readonly<Record<string, string>>
    readonly payments: Readonly<Record<string, string>>
    readonly total: string
    readonly discounts: Counted
    readonly surcharges: Counted
    readonly voids: Counted
    readonly cashIn: string
    readonly cashOut: string
    readonly drawerCash: string
  }
  readonly fiscalMemory: { readonly used: number; readonly capacity: number }
  readonly generation: number
}

export type PaperState = 'ok' | 'low' | 'out'

export interface DocumentHead {
  readonly id: number
  readonly kind: string
  readonly number: number
  readonly zNumber?: number
  readonly at: string
}

export interface PrintedDocument extends DocumentHead {
  readonly text: readonly string[]
}

export interface Frame {
  readonly id: number
  readonly at: string
  readonly direction: 'toDevice' | 'toHost'
  readonly hex: string
  readonly command: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly status: readonly string[]
}

export interface JournalLine {
  readonly id: number
  readonly at: string
  readonly document: number
  readonly line: string
  readonly chain: string
}

export interface ZReport {
  readonly number: number
  readonly at: string
  readonly firstReceipt: number | null
  readonly lastReceipt: number | null
  readonly receiptsCount: number
  readonly total: string
  readonly taxes: readonly {
    readonly letter: string
    readonly rate: string | null
    readonly turnover: string
    readonly tax: string
  }[]
  readonly payments: readonly { readonly paymentMode: number; readonly amount: string }[]
  readonly discounts: Counted
  readonly surcharges: Counted
  readonly voids: Counted
  readonly cashIn: string
  readonly cashOut: string
}

export interface RuleForm {
  readonly at: string
  readonly on?: string
  readonly skip?: number
  readonly times?: number
  readonly probability?: number
  readonly do: string | Readonly<Record<string, string | number>>
}

export interface ActiveRule extends RuleForm {
  readonly id: number
  readonly hits: number
}

export interface Hit {
  readonly at: string
  readonly what: string
  readonly on?: string
  readonly rule?: number
}

export interface Article {
  readonly plu: number
  readonly name: string
  readonly taxCode: number
  readonly price: string
  readonly department: number
}

export interface Registers {
  readonly taxRates: readonly { readonly taxCode: number; readonly letter: string; readonly rate: string | null }[]
  readonly payments: readonly { readonly paymentMode: number; readonly name: string }[]
  readonly lineWidth: number
  readonly departments: number
  readonly nameLength: number
}

export interface Lines {
  readonly ptys: readonly string[]
  readonly tcps: readonly number[]
  /** True speed of the device's lines; null: as fast as bytes pass, whatever a program sets. */
  readonly baud: number | null
}

export interface OpenPaper {
  readonly number: number
  readonly svg: string
}

/** A browser writes an error line for each 4xx, and what the device refuses is no error of this page (panel.ts). */
const REFUSAL = 'refusal=ok'

/** Rejects with the device's own sentence. */
export async function call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, form?: unknown): Promise<T> {
  const body = form === undefined ? {} : { body: JSON.stringify(form) }
  const response = await reach(path, { method, headers: { Prefer: REFUSAL }, ...body })
  const answer = (await response.json()) as T & { readonly error?: string }
  const isRefused = response.headers.get('Preference-Applied') === REFUSAL
  if (!response.ok || isRefused) throw new Error(answer.error ?? `${method} ${path}: ${response.status}`)
  return answer
}

export async function textOf(path: string): Promise<string> {
  const response = await reach(path, {})
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.text()
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request)
  } catch {
    throw new Error('The emulator cannot be reached. Is it still running?')
  }
}
