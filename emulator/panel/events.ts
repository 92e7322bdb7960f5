import type { Response } from 'express'
import { systemClock } from '../../drivers/model/clock.ts'
import type { Emulator, EmulatorEvent } from '../emulator.ts'
import type { PanelEvent } from './contract.ts'
import { documentView, emulatorView, hitView } from './views.ts'

/** The state changes with every command: it is told at most this often, and always as it stands then. */
const STATE_EVERY_MS = 50

/** Events frame, line, document, display, state, fault and drawer of a device, as they happen. What is returned ends it. */
export function tellEvents(emulator: Emulator, hear: (told: PanelEvent) => void): () => void {
  let cancelState: (() => void) | undefined
  const stateSoon = () => {
    cancelState ??= systemClock.after(STATE_EVERY_MS, () => {
      cancelState = undefined
      hear(['state', emulatorView(emulator)])
    })
  }
  const tell = (event: EmulatorEvent) => {
    switch (event.type) {
      case 'frame':
        hear(['frame', emulator.decode(event.entry)])
        break
      case 'line':
        hear(['line', { text: event.text }])
        break
      case 'document': {
        const document = emulator.device.document(event.id)
        if (document) hear(['document', documentView(document)])
        break
      }
      case 'display':
        hear(['display', { lines: event.lines }])
        break
      case 'fault':
        hear(['fault', hitView(event, emulator.device.localTime())])
        break
      case 'drawer':
        hear(['drawer', {}])
        break
      case 'state':
        break
    }
    stateSoon()
  }
  hear(['state', emulatorView(emulator)])
  const unsubscribe = emulator.subscribe(tell)
  return () => {
    unsubscribe()
    cancelState?.()
  }
}

/**
 * Server-sent events to any number of listeners. One that does not read is dropped; the browser comes again by itself
 * and reads the lists once more.
 */
export interface EventStreams {
  /** `listen` hands over events, and what it returns ends them. */
  serve(response: Response, listen: (hear: (told: readonly [name: string, data: unknown]) => void) => () => void): void
  /** Resolves when there is no stream, and none has come again within the time that a browser takes; or when `signal` is aborted. */
  left(signal: AbortSignal): Promise<void>
  close(): void
}

/** A page that is loaded again is away for a moment. */
const AWAY_MS = 2000

const KEEP_ALIVE_MS = 15_000
const UNREAD_LIMIT = 8 * 1024 * 1024

export function createEventStreams(): EventStreams {
  const streams = new Set<Response>()
  let lastId = 0
  let cancelBeat: (() => void) | undefined
  let leaving: (() => void) | undefined

  const beat = () => {
    cancelBeat = systemClock.after(KEEP_ALIVE_MS, () => {
      for (const stream of streams) stream.write(': still here\n\n')
      beat()
    })
  }
  const rest = () => {
    cancelBeat?.()
    cancelBeat = undefined
  }

  return {
    serve(response, listen) {
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      })
      response.write('retry: 1000\n')
      streams.add(response)
      if (!cancelBeat) beat()
      const end = listen(([name, data]) => {
        response.write(`id: ${++lastId}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
        if (response.writableLength > UNREAD_LIMIT) response.destroy()
      })
      response.on('error', () => undefined)
      response.on('close', () => {
        end()
        streams.delete(response)
        // Nobody listens: the device need not tell anything.
        if (streams.size === 0) rest()
        leaving?.()
      })
    },
    left(signal) {
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
