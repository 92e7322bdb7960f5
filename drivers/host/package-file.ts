import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Returns the folder of package.json: the checkout, or the installed package, whose programs are one folder deeper. */
function packageFolder(): string {
  const checkout = join(import.meta.dirname, '..', '..')
  return existsSync(join(checkout, 'package.json')) ? checkout : join(checkout, '..')
}

/**
 * Returns the path of a file of this package for a person to open: relative if it is inside the working folder, else
 * absolute.
 */
export function packageFile(name: string): string {
  const path = join(packageFolder(), ...name.split('/'))
  const fromHere = relative(process.cwd(), path)
  return fromHere.startsWith('..') ? path : fromHere.replaceAll(sep, '/')
}
