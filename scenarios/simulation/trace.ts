import type { Clock } from '../../drivers/model/clock.ts'
import type { Emulator, EmulatorEvent } from '../../emulator/emulator.ts'
import type { DecodedFrame } from '../../emulator/line/frame-log.ts'

/** What happened in a run, the frames of the wire among it, each with its time. */
export class Trace {
  readonly #clock: Clock
  readonly #rows: { readonly at: number; readonly what: string | (() => DecodedFrame) }[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(what: string | (() => DecodedFrame)): void {
    this.#rows.push({ at: this.#clock.now(), what })
  }

  /** Frames and faults are kept, and decoded only when somebody reads them. */
  keep(event: EmulatorEvent, { decode }: Pick<Emulator, 'decode'>): void {
    if (event.type === 'frame') this.note(() => decode(event.entry))
    if (event.type === 'fault')
      this.note(`fault: rule ${event.rule} at ${event.point}: ${event.what} (${event.on ?? 'any'})`)
  }

  lines(): readonly string[] {
    return this.#rows.map(({ at, what }) => {
      const time = `${String(at).padStart(8)} ms  `
      if (typeof what === 'string') return `${time}${what}`
      const { direction, hex, command } = what()
      return `${time}  ${direction === 'toDevice' ? '>' : '<'} ${command} ${hex}`
    })
  }
}
