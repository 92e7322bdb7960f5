import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from './version.ts'

/**
 * The start of a program is mostly the reading of modules: compiled ones are kept where npm keeps such things. The
 * variable says so to threads and to child processes, which begin without.
 */
export function keepCompiledModules(): void {
  if (packageRoot === undefined || !existsSync(join(packageRoot, 'node_modules'))) return
  process.env['NODE_COMPILE_CACHE'] ??= join(packageRoot, 'node_modules', '.cache', 'fiscal-rig')
  enableCompileCache(process.env['NODE_COMPILE_CACHE'])
}
