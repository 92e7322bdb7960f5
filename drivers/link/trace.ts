import { hexOf } from '../wire/charset.ts'
import type { TraceListener } from './types.ts'

/**
 * The bytes on the line, for people and for fixtures: every chunk with its direction and time, one JSON line each,
 * `{"at": 1752528180000, "direction": "toDevice", "hex": "01 30 30"}`.
 */
export interface TraceLine {
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly hex: string
}

/** Returns a listener that writes every chunk as a line of JSON, without the line's end. */
export function traceLines(write: (line: string) => void): TraceListener {
  return ({ at, direction, bytes }) => {
    const line: TraceLine = { at, direction, hex: hexOf(bytes) }
    write(JSON.stringify(line))
  }
}
