import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Words } from './core.ts'

export interface Caller {
  /** Resolves when the response is complete, that is, ends with the family's last byte. */
  ask(question: readonly [number, string]): Promise<void>
  close(): void
}

export async function callerAt(port: number, { build, end }: Words): Promise<Caller> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let number = 0x20
  let answered: (() => void) | undefined
  let failed: ((problem: Error) => void) | undefined
  socket.on('data', (bytes: Buffer) => {
    if (bytes[bytes.length - 1] === end) answered?.()
  })
  socket.on('error', (problem) => failed?.(problem))
  socket.on('close', () => failed?.(new Error('the connection is gone')))
  return {
    ask: ([command, data]) =>
      new Promise((resolve, reject) => {
        number = number === 0x7f ? 0x20 : number + 1
        answered = resolve
        failed = reject
        socket.write(build(number, command, data))
      }),
    close() {
      failed = undefined
      socket.destroy()
    },
  }
}

export interface Load {
  readonly perSecond: number
  /** Time that 99 % of the responses do not exceed, in ms. */
  readonly slowest: number
}

export async function warmLoadOf(askers: readonly (() => Promise<void>)[], forMs: number): Promise<Load> {
  await loadOf(askers, forMs / 2)
  return loadOf(askers, forMs)
}

/** All callers send at once, and each sends again when its response has arrived. */
export async function loadOf(askers: readonly (() => Promise<void>)[], forMs: number): Promise<Load> {
  const times: number[] = []
  const began = performance.now()
  const until = began + forMs
  await Promise.all(
    askers.map(async (ask) => {
      for (let at = performance.now(); at < until; ) {
        await ask()
        const now = performance.now()
        times.push(now - at)
        at = now
      }
    }),
  )
  const spentMs = performance.now() - began
  times.sort((one, other) => one - other)
  return { perSecond: (times.length * 1000) / spentMs, slowest: times[Math.floor(times.length * 0.99)] ?? Number.NaN }
}
