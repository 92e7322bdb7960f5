import { hexOf } from '../wire/charset.ts'
import type { TraceListener } from './types.ts'

/**
 * A chunk of bytes on the line, recorded as a line of JSON: `{"at": 1752528180000, "direction": "toDevice", "hex": "01
 * 30 30"}`.
 */
export interface TraceLine {
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly hex: string
}

export function traceLines(write: (line: string) => void): TraceListener {
  return ({ at, direction, bytes }) => {
    const line: TraceLine = { at, direction, hex: hexOf(bytes) }
    write(JSON.stringify(line))
  }
}
