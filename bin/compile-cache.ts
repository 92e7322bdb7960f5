import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from './version.ts'

/**
 * Enables the cache of compiled modules, because reading modules takes most of a program's start. The variable passes
 * it on to threads and to child processes, which start without it.
 */
export function keepCompiledModules(): void {
  if (packageRoot === undefined || !existsSync(join(packageRoot, 'node_modules'))) return
  process.env['NODE_COMPILE_CACHE'] ??= join(packageRoot, 'node_modules', '.cache', 'fiscal-rig')
  enableCompileCache(process.env['NODE_COMPILE_CACHE'])
}
