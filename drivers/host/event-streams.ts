/**
 * Server-sent events to a limited number of listeners. A listener that does not read is disconnected at its memory
 * limit; browsers reconnect automatically.
 */
import type { ServerResponse } from 'node:http'
import { systemClock } from '../model/clock.ts'

type ServerEvent = readonly [name: string, data: unknown]

export interface EventStreams {
  /**
   * Sends events to a response. `listen` subscribes and returns the function that unsubscribes. Returns false, without
   * sending anything, if the maximum number of listeners is reached.
   */
  serve(response: ServerResponse, listen: (listener: (event: ServerEvent) => void) => () => void): boolean
  /** Resolves when all streams are closed and none has been opened within `AWAY_MS`, or when `signal` is aborted. */
  whenUnwatched(signal: AbortSignal): Promise<void>
  close(): void
}

interface StreamLimits {
  readonly unreadMax: number
  readonly listenersMax: number
}

const KEEP_ALIVE_MS = 15_000
/** Time that a browser may need to reload a page, in ms. */
const AWAY_MS = 2000

export function createEventStreams({ unreadMax, listenersMax }: StreamLimits): EventStreams {
  const streams = new Set<ServerResponse>()
  let lastId = 0
  let cancelBeat: (() => void) | undefined
  let leaving: (() => void) | undefined

  const write = (stream: ServerResponse, text: string): void => {
    stream.write(text)
    if (stream.writableLength > unreadMax) stream.destroy()
  }
  const beat = () => {
    cancelBeat = systemClock.after(KEEP_ALIVE_MS, () => {
      for (const stream of streams) write(stream, ': still here\n\n')
      beat()
    })
  }
  const rest = () => {
    cancelBeat?.()
    cancelBeat = undefined
  }

  return {
    serve(response, listen) {
      if (streams.size >= listenersMax) return false
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      })
      response.write('retry: 1000\n')
      streams.add(response)
      if (!cancelBeat) beat()
      const end = listen(([name, data]) => {
        write(response, `id: ${++lastId}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      })
      response.on('error', () => undefined)
      response.on('close', () => {
        end()
        streams.delete(response)
        if (streams.size === 0) rest()
        leaving?.()
      })
      return true
    },
    whenUnwatched(signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve()
        signal.addEventListener('abort', () => resolve())
        leaving = () => {
          if (streams.size === 0) systemClock.after(AWAY_MS, () => streams.size === 0 && resolve())
        }
        if (streams.size === 0) resolve()
      })
    },
    close() {
      rest()
      for (const stream of streams) stream.end()
      streams.clear()
    },
  }
}
