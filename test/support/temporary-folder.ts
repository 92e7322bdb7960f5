/** A temporary folder for all tests and the processes that they start; removed when all have ended. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'rig-'))

/** Vitest calls this before the first file (vitest.config.ts). */
export function setup(): void {
  process.env['TMPDIR'] = folder
}

/** Vitest calls this after the last file. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}
