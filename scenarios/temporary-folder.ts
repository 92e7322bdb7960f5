/** Folders of a command in the system's temporary one, for what goes with it: also where a signal ends it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../drivers/model/errors.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const removals = new Set<() => void>()

export interface TemporaryFolder {
  readonly path: string
  remove(): void
}

/** A part of the environment is missing; in one sentence. */
export class TemporaryFolderUnusable extends Error {}

/** `what`: a word for people who find it there while the command runs. Throws TemporaryFolderUnusable. */
export function temporaryFolder(what: string): TemporaryFolder {
  const path = made(join(tmpdir(), `fiscal-rig-${what}-`))
  const remove = (): void => {
    rmSync(path, { recursive: true, force: true })
    removals.delete(remove)
    if (removals.size === 0) stopListening()
  }
  if (removals.size === 0) listen()
  removals.add(remove)
  return { path, remove }
}

function made(prefix: string): string {
  try {
    return mkdtempSync(prefix)
  } catch (error) {
    throw new TemporaryFolderUnusable(`the temporary folder ${tmpdir()} cannot be used: ${messageOf(error)}`)
  }
}

function removeAll(): void {
  for (const remove of removals) remove()
}

/** Nobody else listens: the signal ends the process as it does without us. Who listens ends it in a way of his own. */
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
