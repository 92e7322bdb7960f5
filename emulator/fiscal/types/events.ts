/** Events that the device emits besides its answers, and the points at which faults can be injected into the books. */
import type { DocumentKind } from './day.ts'

export type PaperState = 'ok' | 'low' | 'out'

/** An event that the device emits besides its answers, for the panel, the recorder and fault rules. */
export type DeviceEvent =
  /** `line`: number of the line within the document, from 1. */
  | { readonly type: 'line'; readonly text: string; readonly document: number; readonly line: number }
  | { readonly type: 'document'; readonly id: number; readonly kind: DocumentKind; readonly number: number }
  | { readonly type: 'display'; readonly lines: readonly string[] }
  | { readonly type: 'state' }
  | { readonly type: 'drawer' }

/** Injection points inside the books, for faults that are possible at no other point. */
export interface BookPoints {
  /** Called before a write to the fiscal memory or the journal. May throw `PowerCut`: the whole command is undone. */
  memoryWrite(what: 'receipt' | 'z' | 'taxRates' | 'header' | 'journal'): void
  /** Called before a line is printed. May change the mechanism's state; may throw `PowerCut`. */
  paperLine(text: string): void
  /**
   * Called before a command that needs room in the memory. Returns true if the command must be refused with
   * `fiscalMemoryFull`. `writes` is false for a command that writes nothing itself: faults that refuse one write at a
   * time do not apply to it.
   */
  memoryFull?(writes: boolean): boolean
  /** Returns the current state for readers: full until the state is changed back, or for the running command only. */
  memoryIsFull?(): 'persistent' | 'forThisCommand' | false
}

export class PowerCut extends Error {
  constructor() {
    super('power cut')
    this.name = 'PowerCut'
  }
}
