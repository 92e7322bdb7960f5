import type { DeviceSnapshot } from '../fiscal/api.ts'
import type { CallName, DocumentHead, DocumentView, FleetRow, PanelEvent } from '../panel/contract.ts'
import type { HttpCallInput } from '../panel/controls.ts'
import type { PrinterFigures } from '../panel/fleet.ts'
import type { StartFailure } from './printer.ts'
import type { PrinterPlan } from './printer-plan.ts'

export interface StartOrder {
  readonly plan: PrinterPlan
  readonly books?: DeviceSnapshot
}

export type StartReport =
  | {
      readonly name: string
      readonly ok: true
      readonly profile: string
      readonly tcp?: number
      readonly documents: readonly number[]
    }
  | { readonly name: string; readonly ok: false; readonly failure: StartFailure }

export interface Questions {
  start: { ask: readonly StartOrder[]; answer: readonly StartReport[] }
  call: { ask: { readonly name: string; readonly call: CallName; readonly carried: HttpCallInput }; answer: unknown }
  rows: { ask: readonly string[]; answer: readonly FleetRow[] }
  /** `null` for a document that no longer exists. */
  documents: { ask: readonly DocumentPlace[]; answer: readonly (DocumentView | null)[] }
  heads: { ask: readonly DocumentPlace[]; answer: readonly (DocumentHead | null)[] }
  figures: { ask: undefined; answer: readonly PrinterFigures[] }
  /** Answered after all printed documents were reported. */
  news: { ask: undefined; answer: undefined }
  listen: { ask: { readonly name: string; readonly listener: number }; answer: undefined }
  unlisten: { ask: { readonly listener: number }; answer: undefined }
  watch: { ask: boolean; answer: undefined }
  end: { ask: undefined; answer: undefined }
}

export interface DocumentPlace {
  readonly name: string
  readonly own: number
}

export type QuestionName = keyof Questions

export type GroupMessage =
  | { readonly news: 'log'; readonly name: string; readonly line: string }
  | { readonly news: 'printed'; readonly documents: readonly DocumentPlace[] }
  | { readonly news: 'another'; readonly name: string; readonly documents: readonly number[] }
  | { readonly news: 'rows'; readonly rows: readonly FleetRow[] }
  | { readonly news: 'events'; readonly listener: number; readonly events: readonly PanelEvent[] }
  /** The thread dies of an error. `books` is the current state of its devices in memory. */
  | { readonly news: 'dying'; readonly why: string; readonly books: readonly (readonly [string, DeviceSnapshot])[] }

export interface Question<Name extends QuestionName = QuestionName> {
  readonly id: number
  readonly question: Name
  readonly ask: Questions[Name]['ask']
}

export type Reply =
  | { readonly answerTo: number; readonly answer: unknown }
  /** `status` is that of a refusal by the control API; absent for an internal error. */
  | { readonly answerTo: number; readonly problem: string; readonly status?: 400 | 404 }
