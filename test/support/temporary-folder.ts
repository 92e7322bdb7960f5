/** Whatever tests, and what they start and kill, leave in the temporary folder goes when all have ended. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'rig-'))

/** Vitest calls it before the first file (vitest.config.ts). */
export function setup(): void {
  process.env['TMPDIR'] = folder
}

/** And this behind the last. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}
