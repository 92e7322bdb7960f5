import type { DeviceSnapshot } from '../fiscal/api.ts'
import type { CallName, DocumentHead, DocumentView, FleetRow, PanelEvent } from '../panel/contract.ts'
import type { CarriedCall } from '../panel/controls.ts'
import type { PrinterFigures } from '../panel/fleet.ts'
import type { StartFailure } from './printer.ts'
import type { PrinterPlan } from './printer-plan.ts'

/** What passes between the thread that people talk to and those that run the printers. */

export interface StartOrder {
  readonly plan: PrinterPlan
  /** What it had when its thread before this one died: of a device that is kept in memory. */
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

/** What a group of printers is asked, and what it answers. */
export interface Questions {
  start: { ask: readonly StartOrder[]; answer: readonly StartReport[] }
  call: { ask: { readonly name: string; readonly call: CallName; readonly carried: CarriedCall }; answer: unknown }
  rows: { ask: readonly string[]; answer: readonly FleetRow[] }
  /** Null: it is there no more. */
  documents: { ask: readonly DocumentPlace[]; answer: readonly (DocumentView | null)[] }
  heads: { ask: readonly DocumentPlace[]; answer: readonly (DocumentHead | null)[] }
  figures: { ask: undefined; answer: readonly PrinterFigures[] }
  /** Everything that has been printed is told before this is answered. */
  news: { ask: undefined; answer: undefined }
  /** The events of one printer, under a number of the asker's choice. */
  listen: { ask: { readonly name: string; readonly listener: number }; answer: undefined }
  unlisten: { ask: { readonly listener: number }; answer: undefined }
  /** Whether changed rows are told. */
  watch: { ask: boolean; answer: undefined }
  end: { ask: undefined; answer: undefined }
}

export interface DocumentPlace {
  readonly name: string
  /** The document's id at its printer. */
  readonly own: number
}

export type QuestionName = keyof Questions

/** What a group tells by itself. */
export type GroupMessage =
  | { readonly news: 'log'; readonly name: string; readonly line: string }
  /** Documents in the order in which they were printed. */
  | { readonly news: 'printed'; readonly documents: readonly DocumentPlace[] }
  /** The device has become another one; these are its documents now. */
  | { readonly news: 'another'; readonly name: string; readonly documents: readonly number[] }
  | { readonly news: 'rows'; readonly rows: readonly FleetRow[] }
  | { readonly news: 'events'; readonly listener: number; readonly events: readonly PanelEvent[] }
  /** The thread dies of an error; what its devices in memory hold by now. */
  | { readonly news: 'dying'; readonly why: string; readonly books: readonly (readonly [string, DeviceSnapshot])[] }

export interface Question<Name extends QuestionName = QuestionName> {
  readonly id: number
  readonly question: Name
  readonly ask: Questions[Name]['ask']
}

export type Reply =
  | { readonly answerTo: number; readonly answer: unknown }
  /** `status`: a refusal of the control interface; without it, a mistake of ours. */
  | { readonly answerTo: number; readonly problem: string; readonly status?: 400 | 404 }
