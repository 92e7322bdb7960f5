import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { it } from 'vitest'

export const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
export const has = (program: string): boolean => PLACES.some((folder) => existsSync(join(folder, program)))

/**
 * Declares a test that needs a program which not every machine has. The title of a skipped test names the missing
 * program.
 */
export const needing = (what: string, isThere: boolean) => (name: string, body: () => Promise<void>) =>
  isThere
    ? it(name, body)
    : it(`${name} (not run: ${what} is not installed)`, (context) => context.skip(`${what} is not installed`))
