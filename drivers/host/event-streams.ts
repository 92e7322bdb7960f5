/**
 * Server-sent events to a bounded number of listeners. One that does not read what is sent is dropped, so that it takes no
 * more memory than its limit; a browser comes again by itself.
 */
import type { ServerResponse } from 'node:http'
import { systemClock } from '../model/clock.ts'

type ServerEvent = readonly [name: string, data: unknown]

export interface EventStreams {
  /**
   * `listen` hands over events, and what it returns ends them. False: there are as many listeners as there may be, and nothing
   * was sent.
   */
  serve(response: ServerResponse, listen: (hear: (told: ServerEvent) => void) => () => void): boolean
  /** Resolves when there is no stream, and none has come again within the time that a browser takes; or when `signal` is aborted. */
  whenUnwatched(signal: AbortSignal): Promise<void>
  close(): void
}

interface StreamLimits {
  /** Bytes that a listener may leave unread. */
  readonly unreadMax: number
  readonly listenersMax: number
}

const KEEP_ALIVE_MS = 15_000
/** A page that is loaded again is away for a moment. */
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
        // No listener is left, so no keep-alive is needed.
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
