/**
 * Suppresses Node's experimental warnings. Node 22 prints warnings to standard error about features that are stable in
 * later versions (SQLite, globs). An installed program, and the library in a test runner, must print only their own
 * output.
 */
import { runInThisContext } from 'node:vm'

export function withoutExperimentalWarnings<Result>(call: () => Result): Result {
  // The process object that Node itself uses, because a test runner replaces the global one by a copy.
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
