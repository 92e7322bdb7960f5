/**
 * Node 22 calls experimental what later ones have as a matter of course (SQLite, globs), and says so on standard error. A
 * program that is installed there says nothing of its own, and neither does the library in somebody's test runner.
 */
import { runInThisContext } from 'node:vm'

/** Calls it, and keeps Node's word about its age back; all other warnings are told. */
export function withoutAgeWarning<Result>(call: () => Result): Result {
  // The process that Node itself warns by: a test runner puts copies in the place of globals and of modules.
  const process = runInThisContext('process') as NodeJS.Process
  const { emitWarning } = process
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, [warning, ...rest])
  }) as typeof emitWarning
  try {
    return call()
  } finally {
    process.emitWarning = emitWarning
  }
}
