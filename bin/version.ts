import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of package.json: the parent of `bin` in a checkout, and of `dist` in the package. */
export const packageRoot = [join(import.meta.dirname, '..'), join(import.meta.dirname, '..', '..')].find((folder) =>
  existsSync(join(folder, 'package.json')),
)

export function rigVersion(): string {
  if (packageRoot === undefined) return 'unknown'
  return String((JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: unknown }).version)
}
