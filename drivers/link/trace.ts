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

export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('hex')
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1 ')

/** A listener that hands every piece on as a line of JSON, without the line's end. */
export function traceLines(write: (line: string) => void): TraceListener {
  return ({ at, direction, bytes }) => {
    const line: TraceLine = { at, direction, hex: toHex(bytes) }
    write(JSON.stringify(line))
  }
}

/** Keeps the last pieces, for the message of a failed test or a report of trouble. */
export function traceRing(capacity: number): { readonly listener: TraceListener; lines(): readonly TraceLine[] } {
  const kept: TraceLine[] = []
  return {
    listener({ at, direction, bytes }) {
      if (kept.length === capacity) kept.shift()
      kept.push({ at, direction, hex: toHex(bytes) })
    },
    lines: () => [...kept],
  }
}
