import type { DocumentKind } from './day.ts'

/** What the device tells the world beside its answers, and where trouble may strike inside the books. */

export type PaperState = 'ok' | 'low' | 'out'

/** What the device tells the world besides its answers: the panel, the recorder and fault rules listen. */
export type DeviceEvent =
  /** `line`: which one of the document, from 1. */
  | { readonly type: 'line'; readonly text: string; readonly document: number; readonly line: number }
  | { readonly type: 'document'; readonly id: number; readonly kind: DocumentKind; readonly number: number }
  | { readonly type: 'display'; readonly lines: readonly string[] }
  | { readonly type: 'state' }
  | { readonly type: 'drawer' }

/** Where trouble may strike inside the books; asked at these places and nowhere else. */
export interface BookPoints {
  /** Before anything is written to fiscal memory or journal. May throw `PowerCut`: the whole command is undone. */
  memoryWrite(what: 'receipt' | 'z' | 'taxRates' | 'header' | 'journal'): void
  /** Before a line goes on paper. May change the mechanism's state; may throw `PowerCut`. */
  paperLine(text: string): void
  /**
   * Asked before the command that runs, where it needs room; true: refused with `fiscalMemoryFull`. `writes` false: it
   * writes nothing itself, and what is refused one write at a time does not concern it.
   */
  memoryFull?(writes: boolean): boolean
  /** For whoever only looks: full until somebody says otherwise, or for the command that runs. */
  memoryIsFull?(): 'persistent' | 'forThisCommand' | false
}

export class PowerCut extends Error {
  constructor() {
    super('power cut')
    this.name = 'PowerCut'
  }
}
