import { hexOf } from '../wire/charset.ts'
import type { TraceListener } from './types.ts'

/**
 * What goes over the line, for people and for fixtures: every piece with its direction and time, one JSON line each,
 * `{"at": 1752528180000, "direction": "toDevice", "hex": "01 30 30"}`.
 */
export interface TraceLine {
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly hex: string
}

/** A listener that hands every piece on as a line of JSON, without the line's end. */
export function traceLines(write: (line: string) => void): TraceListener {
  return ({ at, direction, bytes }) => {
    const line: TraceLine = { at, direction, hex: hexOf(bytes) }
    write(JSON.stringify(line))
  }
}
