import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** The folder of package.json: of the checkout, or of the installed package, whose programs are one folder deeper. */
function packageFolder(): string {
  const checkout = join(import.meta.dirname, '..', '..')
  return existsSync(join(checkout, 'package.json')) ? checkout : join(checkout, '..')
}

/** A file of this package as a person can open it: from the working folder if it lies inside, else with its whole path. */
export function packageFile(name: string): string {
  const path = join(packageFolder(), ...name.split('/'))
  const fromHere = relative(process.cwd(), path)
  return fromHere.startsWith('..') ? path : fromHere.replaceAll(sep, '/')
}
