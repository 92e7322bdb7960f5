import { join } from 'node:path'
import { startNode } from './command.ts'

const PATIENCE_MS = 120_000

interface Exchanges {
  readonly bytes: number
  readonly ms: number
}

interface Inaccuracy {
  /**
   * Inaccuracy of all exchanges, from before the first command. The line cannot be faster: delays of the client add
   * time.
   */
  readonly all: number
  /**
   * Inaccuracy of all but the first. A client that reads the first answer late makes the line seem faster, because the
   * next command counts as sent when the answer had passed.
   */
  readonly next: number
}

/** Returns the relative difference between the time of `exchanges` and the time of their bytes, 8N1. */
export const inaccuracyOf = ({ bytes, ms }: Exchanges, baud: number): number => ms / ((bytes * 10_000) / baud) - 1

/** Measures the inaccuracy of a pty with a separate program (tight-client.ts). */
export async function inaccuracyOfProgram(path: string, baud: number): Promise<Inaccuracy> {
  const { child, ended } = startNode([join(import.meta.dirname, 'tight-client.ts'), path])
  // A client whose answer is lost would wait forever, and take the answers of the clients after it.
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  const { out, err } = await ended
  clearTimeout(late)
  if (out === '') throw new Error(`no answer after ${err.length} exchanges: ${err}`)
  const { all, next } = JSON.parse(out) as { all: Exchanges; next: Exchanges }
  return { all: inaccuracyOf(all, baud), next: inaccuracyOf(next, baud) }
}
