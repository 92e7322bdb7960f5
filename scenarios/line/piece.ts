export type Direction = 'toDevice' | 'toHost'

/** Bytes that arrived together. `at` is ms since 1970, with fractions. */
export interface Piece {
  readonly at: number
  readonly direction: Direction
  readonly bytes: Uint8Array
}
