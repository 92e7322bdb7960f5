/** Vitest calls `setup` once before it starts its workers, which inherit the selected slice in the environment. */
import { revisionOfAll } from '../../bin/commands/test-slice.ts'

export function setup(): void {
  process.env['SLICE'] ??= revisionOfAll()
  const all = process.env['RIG_SUITE'] === 'deep'
  process.stdout.write(all ? 'slice: everything\n' : `slice: SLICE=${process.env['SLICE']}\n`)
}
