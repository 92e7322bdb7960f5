import type { DocumentKind } from './day.ts'

export type PaperState = 'ok' | 'low' | 'out'

export type DeviceEvent =
  | { readonly type: 'line'; readonly text: string; readonly document: number; readonly line: number }
  | { readonly type: 'document'; readonly id: number; readonly kind: DocumentKind; readonly number: number }
  | { readonly type: 'display'; readonly lines: readonly string[] }
  | { readonly type: 'state' }
  | { readonly type: 'drawer' }

/** Injection points inside the books, for faults that are possible only there. */
export interface BookPoints {
  /**
   * Called before a write to the fiscal memory or the journal. May throw `PowerCut`, which undoes the whole command.
   */
  memoryWrite(what: 'receipt' | 'z' | 'taxRates' | 'header' | 'journal'): void
  /** Called before a line is printed. May change the state of the mechanism, and may throw `PowerCut`. */
  paperLine(text: string): void
  /**
   * Called before a command that needs room in the memory. Returns true if the command must be refused with
   * `fiscalMemoryFull`. `writes` is false for a command that writes nothing itself; faults that refuse a single write
   * do not apply to it.
   */
  memoryFull?(writes: boolean): boolean
  /** Returns whether the memory is full: until the rule is removed, or for the running command only. */
  memoryIsFull?(): 'persistent' | 'forThisCommand' | false
}

export class PowerCut extends Error {
  constructor() {
    super('power cut')
    this.name = 'PowerCut'
  }
}
