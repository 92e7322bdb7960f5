import { join } from 'node:path'
import { startNode } from './command.ts'

const PATIENCE_MS = 120_000

/**
 * Share by which the time of 100 exchanges on a pty differs from the time of their bytes, 8N1, measured by a program of
 * its own (tight-client.ts).
 */
export async function inaccuracyOfProgram(path: string, baud: number): Promise<number> {
  const { child, ended } = startNode([join(import.meta.dirname, 'tight-client.ts'), path])
  // Who waits for an answer that is lost would wait for ever, and take those of the clients behind it.
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  const { out, err } = await ended
  clearTimeout(late)
  if (out === '') throw new Error(`no answer after ${err.length} exchanges: ${err}`)
  const { bytes, ms } = JSON.parse(out) as { bytes: number; ms: number }
  return ms / ((bytes * 10_000) / baud) - 1
}
