/**
 * The device on the network, like a device's network module: the same frames, one client at a time. A second connection
 * is closed with a line in the log; a client that disconnects frees its place immediately (decisions 8). A connection
 * whose first bytes are not those of the wire protocol, for example of a web browser, is closed before the device
 * receives a byte. A client that has sent nothing, like the spare connections of browsers, loses its place to one that
 * sends. A connection whose first byte is FFh uses telnet and controls the port (RFC 2217). Any other connection is
 * raw, and FFh is an ordinary byte there; no wire protocol begins with FFh.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Clock } from '../../drivers/model/clock.ts'
import type { FrameShape } from '../../drivers/wire/deframer.ts'
import { describeForeignProtocol, ProtocolGuard } from '../../drivers/wire/protocol-guard.ts'
import { IAC } from '../../drivers/wire/telnet.ts'
import type { LineEnd, LineHandle } from './device-line.ts'
import { TelnetPort } from './telnet-port.ts'

interface TcpOptions {
  /** 0: any free port. */
  readonly port: number
  readonly host: string
  readonly clock: Clock
  /** The frame shapes that the device accepts; several if its family is not known. */
  readonly acceptedShapes: readonly FrameShape<unknown>[]
  readonly attach: (end: LineEnd) => LineHandle
  readonly log: (line: string) => void
}

export interface TcpLine {
  readonly port: number
  /** False drops the client and accepts no other. */
  setConnected(connected: boolean): void
  close(): Promise<void>
}

/** Interval of keep-alive probes in ms. Only these probes detect a client whose machine has disappeared. */
const KEEP_ALIVE_MS = 5000
/** Round-trip time of bytes between two processes of one machine, in ms. */
const CARRIED_MS = 0.1
/** Maximum number of unsent bytes for a client that does not read. A client with more is dropped. */
const UNSENT_LIMIT = 1024 * 1024
/** Time in ms after which a client that has sent nothing may lose its place to another client. */
const SILENT_MS = 5000
/** Maximum number of connections that wait for the place of a silent client. */
const WAITING_LIMIT = 8

interface Client {
  readonly socket: Socket
  readonly name: string
  readonly opening: ProtocolGuard
  readonly since: number
  /** `undefined` before the first byte; `null` for a raw line. */
  telnet: TelnetPort | null | undefined
  hasReachedDevice: boolean
}

export async function listenTcp(options: TcpOptions): Promise<TcpLine> {
  const { clock, log } = options
  const sockets = new Set<Socket>()
  const waiting = new Set<Client>()
  let current: Client | undefined
  let connected = true

  // No data is read before admission: otherwise a connection that ends unnoticed would keep its place forever.
  const server = createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    const client = clientAt(socket, options)
    socket.on('error', () => undefined)
    if (connected && !current) {
      admit(client)
      return
    }
    // A close and a reconnect may be reported in reverse order, so that earlier events are processed first.
    setImmediate(() =>
      setImmediate(() => {
        if (socket.destroyed) return
        if (connected && !current) admit(client)
        else if (connected && hasSilentClient() && waiting.size < WAITING_LIMIT) waitForFirstBytes(client)
        else turnAway(client)
      }),
    )
  })

  const hasSilentClient = (): boolean =>
    current !== undefined && current.socket.bytesRead === 0 && clock.now() - current.since >= SILENT_MS

  function turnAway({ socket, name }: Client): void {
    log(`tcp: ${name} turned away, ${connected ? 'the device already has a client' : 'the cable is disconnected'}`)
    socket.destroy()
  }

  /** The first waiting connection that sends data obtains the place of the silent client. */
  function waitForFirstBytes(client: Client): void {
    const { socket } = client
    const leave = () => {
      waiting.delete(client)
      sockets.delete(socket)
    }
    waiting.add(client)
    sockets.add(socket)
    socket.once('end', () => socket.destroy())
    socket.once('close', leave)
    socket.once('data', (bytes) => {
      const pieces = socket.destroyed ? undefined : piecesOfTheWire(client, bytes, log)
      if (!pieces) return
      if (current && !hasSilentClient()) {
        turnAway(client)
        return
      }
      if (current) {
        log(`tcp: ${current.name} closed: it has sent nothing, and another client has sent data`)
        current.socket.destroy()
      }
      socket.removeAllListeners('end').off('close', leave)
      waiting.delete(client)
      admit(client, pieces)
      for (const other of waiting) turnAway(other)
    })
    socket.resume()
  }

  function admit(client: Client, firstBytes: readonly Uint8Array[] = []): void {
    current = client
    sockets.add(client.socket)
    const leave = () => {
      if (current === client) current = undefined
    }
    serve(options, client, { leave, onGone: () => sockets.delete(client.socket) }, firstBytes)
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
        // New connections must be rejected, because the server ends only with its last connection.
        connected = false
        server.close(() => done())
        dropAll()
      }),
  }
}

const clientAt = (socket: Socket, { acceptedShapes, clock }: TcpOptions): Client => ({
  socket,
  name: `${socket.remoteAddress}:${socket.remotePort}`,
  opening: new ProtocolGuard(acceptedShapes),
  since: clock.now(),
  telnet: undefined,
  hasReachedDevice: false,
})

function piecesOfTheWire(client: Client, bytes: Uint8Array, log: TcpOptions['log']): readonly Uint8Array[] | undefined {
  const { socket, name, opening } = client
  if (client.telnet === undefined)
    client.telnet = bytes[0] === IAC ? new TelnetPort((answer) => write(socket, answer)) : null
  const { telnet } = client
  const pieces = telnet?.receive(bytes) ?? [bytes]
  const isForeign = telnet?.isForeign ?? false
  if (!isForeign && (opening.isOver || pieces.every((piece) => opening.admits(piece)))) {
    client.hasReachedDevice ||= pieces.some(({ length }) => length > 0)
    return pieces
  }
  const why = isForeign
    ? `it is ${TELNET_CLIENT}`
    : `it sent ${describeForeignProtocol(pieces[0] ?? bytes)}, not this wire protocol`
  const before = client.hasReachedDevice ? '; earlier bytes did' : ''
  log(`tcp: closed the connection from ${name}: ${why}. The rejected bytes did not reach the device${before}.`)
  socket.destroy()
  return undefined
}

const TELNET_CLIENT = 'a telnet client that controls no serial port (use a raw line, or RFC 2217)'

function write(socket: Socket, bytes: Uint8Array): void {
  if (!socket.writable) return
  socket.write(bytes)
  if (socket.writableLength > UNSENT_LIMIT) socket.destroy()
}

/**
 * Connects an admitted client to the device. `leave` frees the client's place; `onGone` is called when its connection
 * has ended.
 */
function serve(
  { attach, log }: TcpOptions,
  client: Client,
  { leave, onGone }: { readonly leave: () => void; readonly onGone: () => void },
  firstBytes: readonly Uint8Array[],
): void {
  const { socket, name } = client
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  const line = attach({
    send: (bytes) => (client.telnet ? client.telnet.send(bytes) : write(socket, bytes)),
    speed: () => client.telnet?.speed,
    unplug: () => socket.destroy(),
    carriedMs: CARRIED_MS,
    hold: (on) => void (on ? socket.pause() : socket.resume()),
  })
  log(`tcp: ${name} connected`)
  socket.on('data', (bytes) => {
    const pieces = socket.destroyed ? undefined : piecesOfTheWire(client, bytes, log)
    for (const piece of pieces ?? []) line.receive(piece)
  })
  socket.on('end', () => {
    // The client has sent everything. Its place is free, and the answer to its last command is still sent.
    leave()
    line.whenQuiet(() => socket.end())
  })
  socket.on('close', () => {
    leave()
    onGone()
    line.detach()
    log(`tcp: ${name} disconnected`)
  })
  for (const piece of firstBytes) line.receive(piece)
  socket.resume()
}
