import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { LineEnd, LineHandle } from './device-line.ts'

/**
 * The device on the network, as its own module does it: the same frames, one client at a time. A second connection is
 * closed at once, with a line in the log; a client that is gone frees its place at once (decisions 8).
 */

export interface TcpOptions {
  /** 0: any free port. */
  readonly port: number
  readonly host: string
  readonly attach: (end: LineEnd) => LineHandle
  readonly log: (line: string) => void
}

export interface TcpLine {
  /** The port that is really bound. */
  readonly port: number
  /** The cable: false drops the client and lets nobody in. */
  setConnected(connected: boolean): void
  close(): Promise<void>
}

/** A client whose machine vanished without a word is noticed by these probes only. */
const KEEP_ALIVE_MS = 5000
/** Between two processes of one machine, there and back. */
const CARRIED_MS = 0.1
/** Unsent bytes for a client that does not read; beyond it the client is dropped. */
const UNSENT_LIMIT = 1024 * 1024

export async function listenTcp(options: TcpOptions): Promise<TcpLine> {
  const sockets = new Set<Socket>()
  let current: Socket | undefined
  let connected = true

  // Nothing is read of a client before it is admitted: an end that nobody listened to would keep the place for ever.
  const server = createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    const name = `${socket.remoteAddress}:${socket.remotePort}`
    socket.on('error', () => undefined)
    if (connected && !current) {
      admit(socket, name)
      return
    }
    // Who closes and connects again may be heard in the other order: what has arrived by now counts first.
    setImmediate(() =>
      setImmediate(() => {
        if (socket.destroyed) return
        if (connected && !current) {
          admit(socket, name)
          return
        }
        options.log(`tcp: ${name} turned away, ${connected ? 'the device has a client already' : 'the cable is out'}`)
        socket.destroy()
      }),
    )
  })

  function admit(socket: Socket, name: string): void {
    current = socket
    sockets.add(socket)
    serve(socket, name)
  }

  function serve(socket: Socket, name: string): void {
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    const line = options.attach({
      send: (bytes) => {
        if (!socket.writable) return
        socket.write(Buffer.from(bytes))
        if (socket.writableLength > UNSENT_LIMIT) socket.destroy()
      },
      unplug: () => socket.destroy(),
      carriedMs: CARRIED_MS,
      hold: (on) => void (on ? socket.pause() : socket.resume()),
    })
    const leave = () => {
      if (current === socket) current = undefined
    }
    options.log(`tcp: ${name} connected`)
    socket.on('data', (bytes) => line.receive(bytes))
    socket.on('end', () => {
      // It has said all it wanted to say: the place is free, and the answer to its last command still goes out.
      leave()
      line.whenQuiet(() => socket.end())
    })
    socket.on('close', () => {
      leave()
      sockets.delete(socket)
      line.detach()
      options.log(`tcp: ${name} gone`)
    })
    socket.resume()
  }

  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(options.port, options.host, () => {
      server.off('error', fail)
      done()
    })
  })

  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    setConnected(on) {
      connected = on
      if (!on) dropAll()
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        dropAll()
      }),
  }
}
