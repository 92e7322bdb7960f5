import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from './version.ts'

/**
 * Enables Node's cache of compiled modules in a checkout or installed package with node_modules, because loading
 * modules takes most of a start. The environment variable enables the cache in threads and child processes.
 */
export function keepCompiledModules(): void {
  if (packageRoot === undefined || !existsSync(join(packageRoot, 'node_modules'))) return
  process.env['NODE_COMPILE_CACHE'] ??= join(packageRoot, 'node_modules', '.cache', 'fiscal-rig')
  enableCompileCache(process.env['NODE_COMPILE_CACHE'])
}
