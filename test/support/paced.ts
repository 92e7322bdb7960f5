import { join } from 'node:path'
import { startNode } from './command.ts'

const PATIENCE_MS = 120_000

interface Exchanges {
  readonly bytes: number
  readonly ms: number
}

interface Inaccuracy {
  /** Of all exchanges from before the first question. The line cannot take less: what delays the client adds time. */
  readonly all: number
  /**
   * Of all but the first. A client that reads the first answer late seems to have a faster line: the next question
   * counts as sent when the answer had passed.
   */
  readonly next: number
}

/** Share by which the time of `exchanges` differs from the time of their bytes, 8N1. */
export const inaccuracyOf = ({ bytes, ms }: Exchanges, baud: number): number => ms / ((bytes * 10_000) / baud) - 1

/** Inaccuracy of a pty, measured by a program of its own (tight-client.ts). */
export async function inaccuracyOfProgram(path: string, baud: number): Promise<Inaccuracy> {
  const { child, ended } = startNode([join(import.meta.dirname, 'tight-client.ts'), path])
  // Who waits for an answer that is lost would wait for ever, and take those of the clients behind it.
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  const { out, err } = await ended
  clearTimeout(late)
  if (out === '') throw new Error(`no answer after ${err.length} exchanges: ${err}`)
  const { all, next } = JSON.parse(out) as { all: Exchanges; next: Exchanges }
  return { all: inaccuracyOf(all, baud), next: inaccuracyOf(next, baud) }
}
