import { join } from 'node:path'
import { startNode } from './command.ts'

const PATIENCE_MS = 120_000

interface Exchanges {
  readonly bytes: number
  readonly ms: number
}

interface Inaccuracy {
  /**
   * Inaccuracy of all exchanges, including the first. The line cannot be faster: delays of the client only add time.
   */
  readonly all: number
  /**
   * Inaccuracy of all exchanges but the first. A client that reads the first response late makes the line seem faster.
   */
  readonly next: number
}

/** Returns the relative difference between the measured time of `exchanges` and the time of their bytes at 8N1. */
export const inaccuracyOf = ({ bytes, ms }: Exchanges, baud: number): number => ms / ((bytes * 10_000) / baud) - 1

/** A separate program (tight-client.ts) measures the inaccuracy of the pty. */
export async function inaccuracyOfProgram(path: string, baud: number): Promise<Inaccuracy> {
  const { child, ended } = startNode([join(import.meta.dirname, 'tight-client.ts'), path])
  // A client that misses a response would wait forever, and receive the responses for later clients.
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  const { out, err } = await ended
  clearTimeout(late)
  if (out === '') throw new Error(`no answer after ${err.length} exchanges: ${err}`)
  const { all, next } = JSON.parse(out) as { all: Exchanges; next: Exchanges }
  return { all: inaccuracyOf(all, baud), next: inaccuracyOf(next, baud) }
}
