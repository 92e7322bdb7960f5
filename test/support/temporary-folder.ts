/** All tests and the processes that they start use one temporary folder, which is removed when all have ended. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'rig-'))

export function setup(): void {
  process.env['TMPDIR'] = folder
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}
