import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/**
 * Returns the folder of package.json. The programs of the installed package are one folder deeper than those of the
 * checkout.
 */
function packageFolder(): string {
  const checkout = join(import.meta.dirname, '..', '..')
  return existsSync(join(checkout, 'package.json')) ? checkout : join(checkout, '..')
}

/**
 * Returns the path of a file of this package for a person to open: relative if it is inside the working folder,
 * otherwise absolute.
 */
export function packageFile(name: string): string {
  const path = join(packageFolder(), ...name.split('/'))
  const fromHere = relative(process.cwd(), path)
  return fromHere.startsWith('..') ? path : fromHere.replaceAll(sep, '/')
}
