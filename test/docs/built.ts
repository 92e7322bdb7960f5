/** The documentation as it is built, read from its folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureSite } from '../../bin/commands/site.ts'

const folder = join(import.meta.dirname, '..', '..', 'server', 'docs', 'dist')

/** HTML of every page by its name. */
export async function builtPages(): Promise<ReadonlyMap<string, string>> {
  await ensureSite()
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'))
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** Names of all files. */
export const builtFiles = (): ReadonlySet<string> => new Set(readdirSync(folder))
