import type { Clock } from '../../drivers/model/clock.ts'
import type { Emulator, EmulatorEvent } from '../../emulator/emulator.ts'
import { faultLine } from '../../emulator/faults/effects.ts'
import type { FrameEntry } from '../../emulator/line/frame-log.ts'

/** Expensive texts are functions, because most traces are never printed. */
type TraceNote = string | (() => string) | Frame

interface Frame {
  readonly entry: FrameEntry
  readonly device: Pick<Emulator, 'decode'>
}

export class Trace {
  readonly #clock: Clock
  readonly #rows: { readonly at: number; readonly what: TraceNote }[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(what: TraceNote): void {
    this.#rows.push({ at: this.#clock.now(), what })
  }

  /** Notes frames and faults. Frames are decoded only when the trace is read. */
  keep(event: EmulatorEvent, device: Pick<Emulator, 'decode'>): void {
    if (event.type === 'frame') this.note({ entry: event.entry, device })
    if (event.type === 'fault') this.note(`  ${faultLine(event)}`)
  }

  lines(): readonly string[] {
    return this.#rows.map(({ at, what }) => {
      const time = `${String(at).padStart(8)} ms  `
      if (typeof what === 'string') return `${time}${what}`
      if (typeof what === 'function') return `${time}${what()}`
      const { direction, hex, command } = what.device.decode(what.entry)
      return `${time}  ${direction === 'toDevice' ? '>' : '<'} ${command} ${hex}`
    })
  }
}
