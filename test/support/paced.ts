import { join } from 'node:path'
import { startNode } from './command.ts'

/**
 * Share by which the time of 100 exchanges on a pty differs from the time of their bytes, 8N1, measured by a program of
 * its own (tight-client.ts).
 */
export async function inaccuracyOfProgram(path: string, baud: number): Promise<number> {
  const { out, err } = await startNode([join(import.meta.dirname, 'tight-client.ts'), path]).ended
  if (out === '') throw new Error(err)
  const { bytes, ms } = JSON.parse(out) as { bytes: number; ms: number }
  return ms / ((bytes * 10_000) / baud) - 1
}
