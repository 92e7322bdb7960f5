import type { Request, Response } from 'express'
import { systemClock } from '../../drivers/model/clock.ts'
import type { Emulator, EmulatorEvent } from '../emulator.ts'
import type { EventData, EventName } from './contract.ts'
import { documentView, emulatorView, hitView } from './views.ts'

/**
 * `GET /events`: server-sent events frame, line, document, display, state and fault, as they happen. A listener that
 * does not read is dropped; the browser comes again by itself and reads the lists once more.
 */

const KEEP_ALIVE_MS = 15_000
/** The state changes with every command: it is told at most this often, and always as it stands then. */
const STATE_EVERY_MS = 50
const UNREAD_LIMIT = 8 * 1024 * 1024

export interface EventStreams {
  serve(request: Request, response: Response): void
  close(): void
}

export function createEventStreams(emulator: Emulator): EventStreams {
  const streams = new Set<Response>()
  let lastId = 0
  let unsubscribe: (() => void) | undefined
  let cancelState: (() => void) | undefined
  let cancelBeat: (() => void) | undefined

  const send = <Name extends EventName>(name: Name, data: EventData<Name>) => {
    const text = `id: ${++lastId}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
    for (const stream of streams) {
      stream.write(text)
      if (stream.writableLength > UNREAD_LIMIT) stream.destroy()
    }
  }
  const stateSoon = () => {
    cancelState ??= systemClock.after(STATE_EVERY_MS, () => {
      cancelState = undefined
      send('state', emulatorView(emulator))
    })
  }
  const beat = () => {
    cancelBeat = systemClock.after(KEEP_ALIVE_MS, () => {
      for (const stream of streams) stream.write(': still here\n\n')
      beat()
    })
  }
  const tell = (event: EmulatorEvent) => {
    switch (event.type) {
      case 'frame':
        send('frame', emulator.decode(event.entry))
        break
      case 'line':
        send('line', { text: event.text })
        break
      case 'document': {
        const document = emulator.device.document(event.id)
        if (document) send('document', documentView(document))
        break
      }
      case 'display':
        send('display', { lines: event.lines })
        break
      case 'fault':
        send('fault', hitView(event, emulator.device.localTime()))
        break
      case 'state':
      case 'drawer':
        break
    }
    stateSoon()
  }
  const stop = () => {
    unsubscribe?.()
    unsubscribe = undefined
    cancelState?.()
    cancelState = undefined
    cancelBeat?.()
    cancelBeat = undefined
  }

  return {
    serve(_request, response) {
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      })
      response.write(`retry: 1000\nid: ${lastId}\nevent: state\ndata: ${JSON.stringify(emulatorView(emulator))}\n\n`)
      streams.add(response)
      response.on('error', () => undefined)
      response.on('close', () => {
        streams.delete(response)
        // Nobody listens: the device need not tell anything.
        if (streams.size === 0) stop()
      })
      if (unsubscribe) return
      unsubscribe = emulator.subscribe(tell)
      beat()
    },
    close() {
      stop()
      for (const stream of streams) stream.end()
      streams.clear()
    },
  }
}
