import { escapeControl, escapeControlInLines } from '../../drivers/model/escape-control.ts'
import type { Emulator, EmulatorEvent } from '../../emulator/emulator.ts'
import { describeEffect } from '../../emulator/faults/effects.ts'
import { POINTS } from '../../emulator/faults/points.ts'
import type { FrameEntry } from '../../emulator/line/frame-log.ts'

type CaseLogKind = 'asked' | 'said' | 'output' | 'hand' | 'fault' | 'toDevice' | 'toHost' | 'paper'

export interface CaseLogEntry {
  /** Time since the start of the case in ms, by the clock of the device. */
  readonly ms: number
  readonly kind: CaseLogKind
  readonly text: string
  readonly hex?: string
}

type CaseLogEvent = { readonly ms: number } & (
  | { readonly kind: CaseLogKind; readonly text: string }
  | { readonly entry: FrameEntry }
)

/**
 * Half of the maximum number of entries. A till that never gives up produces far more, and entries in the middle are
 * dropped.
 */
const LOG_ENTRIES_MAX = 1000

export class CaseLog {
  readonly #emulator: Emulator
  readonly #events: CaseLogEvent[] = []
  #dropped = 0
  readonly #since: number
  readonly #end: () => void

  constructor(emulator: Emulator) {
    this.#emulator = emulator
    this.#since = emulator.clock.now()
    this.#end = emulator.subscribe((event) => this.#onEvent(event))
  }

  add(kind: CaseLogKind, text: string): void {
    this.#add({ ms: this.#ms(), kind, text: kind === 'output' ? escapeControlInLines(text) : escapeControl(text) })
  }

  end(): CaseLogEntry[] {
    this.#end()
    const entries = this.#events.map((event): CaseLogEntry => {
      if (!('entry' in event)) return event
      const { ms, entry } = event
      const { direction, hex, command, fields, status } = this.#emulator.decode(entry)
      const values = Object.entries(fields).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
      const words = [command, values.join(', '), status.length > 0 ? `[${status.join(' ')}]` : '']
      return { ms, kind: direction, text: escapeControl(words.filter((one) => one !== '').join('  ')), hex }
    })
    return entries
  }

  #onEvent(event: EmulatorEvent): void {
    switch (event.type) {
      case 'frame':
        this.#add({ ms: this.#ms(), entry: event.entry })
        return
      case 'fault': {
        const { point, what, on } = event
        // A delay of 0 ms changes nothing: the rule only determines when a manual action is due.
        if (what === 'delayMs 0') return
        this.add('fault', `${on === undefined ? '' : `${on}: `}${describeEffect(what)}, ${POINTS[point].words}`)
        return
      }
      case 'document': {
        const { kind, number } = event
        this.add('paper', `document ${number} (${kind}) is on paper`)
        return
      }
    }
  }

  #add(entry: CaseLogEvent): void {
    this.#events.push(entry)
    if (this.#events.length <= 2 * LOG_ENTRIES_MAX) return
    const [first = entry, ...others] = this.#events.splice(LOG_ENTRIES_MAX / 2, LOG_ENTRIES_MAX)
    // The first one of a second overflow is the line of the first.
    this.#dropped += others.length + (this.#dropped === 0 ? 1 : 0)
    const text = `(${this.#dropped} more)`
    this.#events.splice(LOG_ENTRIES_MAX / 2, 0, { ms: first.ms, kind: 'hand', text })
  }

  #ms(): number {
    return Math.round(this.#emulator.clock.now() - this.#since)
  }
}

const SIGNS: Readonly<Record<CaseLogKind, string>> = {
  asked: '?',
  said: '!',
  output: '|',
  hand: '*',
  fault: '*',
  toDevice: '>',
  toHost: '<',
  paper: '#',
}

export const caseLogLine = ({ ms, kind, text, hex }: CaseLogEntry): string =>
  `${String(ms).padStart(7)} ms ${SIGNS[kind]} ${text}${hex === undefined ? '' : `  ${hex}`}`
