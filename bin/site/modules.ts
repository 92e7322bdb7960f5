/** Which modules the bundle for a browser has in place of those that need Node. */

import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '..', '..')
const OWN = {
  'drivers/host/digest.ts': 'digest.ts',
  'drivers/host/sqlite.ts': 'sqlite.ts',
  'emulator/faults/schemas.ts': 'schemas.ts',
  'emulator/fiscal/sqlite-store.ts': 'stores.ts',
  'scenarios/runner/inject.ts': 'inject.ts',
  'server/operations/log/sqlite-tables.ts': 'stores.ts',
} as const
const PACKAGES = { express: 'express.ts', 'node:os': 'os.ts', 'node:path': 'path.ts' } as const

const at = (name: string): string => join(root, 'bin', 'site', 'browser', 'instead', name)
const OWN_AT = new Map(Object.entries(OWN).map(([name, instead]) => [join(root, name), at(instead)] as const))
const PACKAGE_AT = new Map(Object.entries(PACKAGES).map(([name, instead]) => [name, at(instead)] as const))

const NOWHERE = '\0not in a browser: '

/**
 * Files, sockets, processes and native code: what needs them is bundled, and says so when it is called. Every export is a
 * function or a class that throws; what nobody uses is left out of the bundle.
 */
const NATIVE = ['@serialport/bindings-cpp', '@resvg/resvg-js']

export function browserModules(): Plugin {
  return {
    name: 'browser-modules',
    enforce: 'pre',
    async resolveId(source, importer) {
      const instead = PACKAGE_AT.get(source)
      if (instead !== undefined) return instead
      if (source.startsWith('node:') || NATIVE.includes(source) || (isBuiltin(source) && importer !== undefined))
        return NOWHERE + source
      const resolved = await this.resolve(source, importer, { skipSelf: true })
      return (resolved && OWN_AT.get(resolved.id)) ?? resolved
    },
    async load(id) {
      if (!id.startsWith(NOWHERE)) return undefined
      const name = id.slice(NOWHERE.length)
      const names = Object.keys((await import(name)) as object).filter((own) => own !== 'default' && /^\w+$/.test(own))
      const what = JSON.stringify(name.replace(/^node:/, ''))
      return [
        `const absent = (name) => function () { throw new Error('A browser has no ' + ${what} + '.' + name) }`,
        ...names.map((own) => `export const ${own} = /* @__PURE__ */ absent('${own}')`),
        'export default {}',
      ].join('\n')
    },
  }
}
