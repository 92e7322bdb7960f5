/** Tests that need a program which not every machine has. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { it } from 'vitest'

export const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
export const has = (program: string): boolean => PLACES.some((folder) => existsSync(join(folder, program)))

/** Adds the missing program to the title of the test, so that a skipped test is visible. */
export const needing = (what: string, isThere: boolean) => (name: string, body: () => Promise<void>) =>
  isThere
    ? it(name, body)
    : it(`${name} (not run: ${what} is not installed)`, (context) => context.skip(`${what} is not installed`))
