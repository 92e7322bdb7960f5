import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureSite } from '../../bin/commands/site.ts'

const folder = join(import.meta.dirname, '..', '..', 'server', 'docs', 'dist')

export async function builtPages(): Promise<ReadonlyMap<string, string>> {
  await ensureSite()
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'))
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

export const builtFiles = (): ReadonlySet<string> => new Set(readdirSync(folder))

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly tags: readonly string[]; readonly operationId: string }>>>
  >
}

export function readerPlaces(): ReadonlySet<string> {
  const { paths } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as Described
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return new Set(
    operations.flatMap(({ tags, operationId }) => tags.map((tag) => `/${encodeURIComponent(tag)}/${operationId}`)),
  )
}
