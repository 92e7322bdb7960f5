import { buildHostA } from '../frame-builders/frames-a.ts'
import { buildHostB } from '../frame-builders/frames-b.ts'
import { buildMessageC } from '../frame-builders/frames-c.ts'

/** A complete frame of each family that prints an X report, built by the oracle. */
export const X_REPORTS = {
  A: buildHostA(0x25, 69, 'X\t'),
  B: buildHostB(0x25, 69, '2'),
  C: buildMessageC(0x25, 0x7c, 'X'),
} as const

export type Attacked = keyof typeof X_REPORTS
export const ATTACKED = Object.keys(X_REPORTS) as Attacked[]
