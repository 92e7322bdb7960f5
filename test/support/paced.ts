/** How far off a paced line is, measured by a program of its own on the pty (tight-client.ts). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The same by a program of its own on a pty. */
export async function inaccuracyOfProgram(path: string, baud: number): Promise<number> {
  const program = join(import.meta.dirname, 'tight-client.ts')
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  await once(child, 'close')
  const { bytes, ms } = JSON.parse(out) as { bytes: number; ms: number }
  return ms / ((bytes * 10_000) / baud) - 1
}
