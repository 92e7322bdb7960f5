/** Temporary folders of a command. They are removed with the process, also when a signal ends it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../drivers/model/errors.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const removals = new Set<() => void>()

interface TemporaryFolder {
  readonly path: string
  remove(): void
}

/** The temporary folder cannot be used; the message is readable. */
export class TemporaryFolderUnusable extends Error {}

/**
 * `what`: a word in the folder's name, for people who find it while the command runs. Throws TemporaryFolderUnusable.
 */
export function temporaryFolder(what: string): TemporaryFolder {
  // Before the folder exists, because a signal in between would leave it.
  if (removals.size === 0) listen()
  let path: string
  try {
    path = mkdtempSync(join(tmpdir(), `fiscal-rig-${what}-`))
  } catch (error) {
    if (removals.size === 0) stopListening()
    throw new TemporaryFolderUnusable(`the temporary folder ${tmpdir()} cannot be used: ${messageOf(error)}`)
  }
  const remove = (): void => {
    // A child process that has just started may still create a file in it.
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    removals.delete(remove)
    if (removals.size === 0) stopListening()
  }
  removals.add(remove)
  return { path, remove }
}

function removeAll(): void {
  for (const remove of removals) remove()
}

/**
 * If there is no other listener, the signal ends the process as usual. Another listener ends the process in its own
 * way.
 */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  removeAll()
  process.kill(process.pid, signal)
}

function listen(): void {
  process.on('exit', removeAll)
  for (const signal of SIGNALS) process.on(signal, endBySignal)
}

function stopListening(): void {
  process.off('exit', removeAll)
  for (const signal of SIGNALS) process.off(signal, endBySignal)
}
