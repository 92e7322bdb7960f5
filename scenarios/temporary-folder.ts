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

/** The message is for users. */
export class TemporaryFolderUnusable extends Error {}

/** `what` is a word in the name of the folder, for people who find it. Throws TemporaryFolderUnusable. */
export function temporaryFolder(what: string): TemporaryFolder {
  // The listeners must precede the creation, because a signal in between would leave the folder.
  if (removals.size === 0) listen()
  let path: string
  try {
    path = mkdtempSync(join(tmpdir(), `fiscal-rig-${what}-`))
  } catch (error) {
    if (removals.size === 0) stopListening()
    throw new TemporaryFolderUnusable(
      `The temporary folder ${tmpdir()} cannot be used: ${messageOf(error)}. Free some space, or set TMPDIR to another folder.`,
    )
  }
  const remove = (): void => {
    // A child process that has just started may still create a file.
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
