/** Input, output and exit status of a command: those of the process, unless `main` received others. */
import { AsyncLocalStorage } from 'node:async_hooks'

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean }

export interface Io {
  readonly out: Output
  readonly err: Output
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  /** The exit status of the command. `undefined` counts as 0. */
  status: number | undefined
  onSignal(listener: () => void): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const processIo: Io = {
  get out() {
    return process.stdout
  },
  get err() {
    return process.stderr
  },
  get input() {
    return process.stdin
  },
  get status() {
    return process.exitCode === undefined ? undefined : Number(process.exitCode)
  },
  set status(status) {
    process.exitCode = status
  },
  onSignal(listener) {
    for (const signal of SIGNALS) process.on(signal, listener)
  },
}

const currentIo = new AsyncLocalStorage<Io>()

export const io = (): Io => currentIo.getStore() ?? processIo

export const withIo = <T>(other: Io, run: () => T): T => currentIo.run(other, run)

export function abortedOnSignal(): AbortSignal {
  const controller = new AbortController()
  io().onSignal(() => controller.abort())
  return controller.signal
}
