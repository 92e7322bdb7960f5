/** The modules that replace modules of Node in the bundle for a browser. */
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '..', '..')
const at = (name: string): string => join(root, 'bin', 'site', 'browser', 'replacements', name)

const OWN_MODULES = new Map(
  Object.entries({
    'drivers/host/digest.ts': 'digest.ts',
    'drivers/host/sqlite.ts': 'sqlite.ts',
    'emulator/faults/schemas.ts': 'schemas.ts',
    'emulator/fiscal/sqlite-store.ts': 'stores.ts',
    'scenarios/runner/inject.ts': 'inject.ts',
    'scenarios/runner/pattern.ts': 'pattern.ts',
    'server/operations/log/sqlite-tables.ts': 'stores.ts',
  }).map(([name, instead]) => [join(root, name), at(instead)] as const),
)

const PARTS: Readonly<Record<string, string>> = {
  'node:crypto': 'digest.ts',
  'node:fs': 'fs.ts',
  'node:os': 'os.ts',
  'node:path': 'path.ts',
}

const NATIVE = ['@serialport/bindings-cpp', '@resvg/resvg-js']

export const replacementOf = (source: string): string | undefined =>
  source === 'express' ? at('express.ts') : OWN_MODULES.get(source)

export async function namesInBrowser(source: string): Promise<readonly string[]> {
  const part = PARTS[source]
  return part === undefined ? [] : Object.keys((await import(at(part))) as object)
}

const ABSENT_PREFIX = '\0not in a browser: '

/**
 * Replaces modules for files, sockets, processes and native code. Functions that have no replacement throw an error
 * when they are called.
 */
export function browserModules(): Plugin {
  return {
    name: 'browser-modules',
    enforce: 'pre',
    async resolveId(source, importer) {
      const packageReplacement = replacementOf(source)
      if (packageReplacement !== undefined) return packageReplacement
      const isNodes = source.startsWith('node:') || (isBuiltin(source) && importer !== undefined)
      if (isNodes || NATIVE.includes(source)) return ABSENT_PREFIX + source
      const resolved = await this.resolve(source, importer, { skipSelf: true })
      return (resolved && replacementOf(resolved.id)) ?? resolved
    },
    async load(id) {
      return id.startsWith(ABSENT_PREFIX) ? absentModule(id.slice(ABSENT_PREFIX.length)) : undefined
    },
  }
}

async function absentModule(source: string): Promise<string> {
  const part = PARTS[source]
  const there = await namesInBrowser(source)
  const names = Object.keys((await import(source)) as object).filter((name) => /^\w+$/.test(name) && name !== 'default')
  const module = JSON.stringify(source.replace(/^node:/, ''))
  return [
    `const absent = (name) => function () { throw new Error('A browser has no ' + ${module} + '.' + name) }`,
    ...names
      .filter((name) => !there.includes(name))
      .map((name) => `export const ${name} = /* @__PURE__ */ absent('${name}')`),
    ...(part === undefined ? [] : [`export * from ${JSON.stringify(at(part))}`]),
    'export default {}',
  ].join('\n')
}
