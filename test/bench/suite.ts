/** Time of `npm test` from its start to its last line, on an otherwise idle machine. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Figure } from './measure.ts'

const root = join(import.meta.dirname, '..', '..')

export async function suiteFigures(): Promise<Figure[]> {
  const began = performance.now()
  const suite = spawn(process.execPath, ['bin/commands/test-suite.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = ''
  for await (const line of createInterface(suite.stdout)) {
    last = line
    process.stderr.write(`${line}\n`)
  }
  const tookMs = performance.now() - began
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(last) ?? []
  return [
    { name: 'npm test', value: tookMs / 1000, unit: 's', target: { atMost: 240 } },
    { name: 'npm test, passed', value: Number(passed), unit: 'tests' },
    { name: 'npm test, failed', value: Number(failed), unit: 'tests', target: { atMost: 0 } },
  ]
}
