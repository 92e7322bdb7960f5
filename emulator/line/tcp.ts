import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Clock } from '../../drivers/model/clock.ts'
import type { FrameShape } from '../../drivers/wire/deframer.ts'
import { describeForeignProtocol, ProtocolGuard } from '../../drivers/wire/protocol-guard.ts'
import { IAC } from '../../drivers/wire/telnet.ts'
import type { LineEnd, LineHandle } from './device-line.ts'
import { TelnetPort } from './telnet-port.ts'

/**
 * The device on the network, as its own module does it: the same frames, one client at a time. A second connection is
 * closed at once, with a line in the log; a client that is gone frees its place at once (decisions 8). What does not
 * begin as the wire does, a web page above all, is closed before the device hears a byte of it; and a connection that
 * has never said anything, as browsers open them in advance, gives its place to one that speaks.
 *
 * A connection whose first byte is FFh speaks telnet from then on and controls the port (RFC 2217); any other is raw, and
 * FFh is a byte like the others there. No wire begins with FFh.
 */

interface TcpOptions {
  /** 0: any free port. */
  readonly port: number
  readonly host: string
  readonly clock: Clock
  /** What the device behind it hears; several where its family is not known. */
  readonly hears: readonly FrameShape<unknown>[]
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
/** Whoever has said nothing for so long since it came may lose its place. */
const SILENT_MS = 5000
/** Connections that wait beside a silent one, until they have said something. */
const WAITING_LIMIT = 8

interface Client {
  readonly socket: Socket
  readonly name: string
  readonly opening: ProtocolGuard
  readonly since: number
  /** Undefined before its first byte; null: a raw line. */
  telnet: TelnetPort | null | undefined
}

export async function listenTcp(options: TcpOptions): Promise<TcpLine> {
  const { clock, log } = options
  const sockets = new Set<Socket>()
  const waiting = new Set<Client>()
  let current: Client | undefined
  let connected = true

  // Nothing is read of a client before it is admitted: an end that nobody listened to would keep the place for ever.
  const server = createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    const client = clientAt(socket, options)
    socket.on('error', () => undefined)
    if (connected && !current) {
      admit(client)
      return
    }
    // Who closes and connects again may be heard in the other order: what has arrived by now counts first.
    setImmediate(() =>
      setImmediate(() => {
        if (socket.destroyed) return
        if (connected && !current) admit(client)
        else if (connected && hasSilentClient() && waiting.size < WAITING_LIMIT) hearFirst(client)
        else turnAway(client)
      }),
    )
  })

  const hasSilentClient = (): boolean =>
    current !== undefined && current.socket.bytesRead === 0 && clock.now() - current.since >= SILENT_MS

  function turnAway({ socket, name }: Client): void {
    log(`tcp: ${name} turned away, ${connected ? 'the device has a client already' : 'the cable is out'}`)
    socket.destroy()
  }

  /** Beside a client that has said nothing: the place is for the one of them that speaks. */
  function hearFirst(client: Client): void {
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
        log(`tcp: ${current.name} closed, it has said nothing and another one speaks`)
        current.socket.destroy()
      }
      socket.removeAllListeners('end').off('close', leave)
      waiting.delete(client)
      admit(client, pieces)
      for (const other of waiting) turnAway(other)
    })
    socket.resume()
  }

  function admit(client: Client, heard: readonly Uint8Array[] = []): void {
    current = client
    sockets.add(client.socket)
    const leave = () => {
      if (current === client) current = undefined
    }
    serve(options, client, { leave, gone: () => sockets.delete(client.socket) }, heard)
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
        // One that is still waiting to be heard is turned away, too: the server ends with its last connection.
        connected = false
        server.close(() => done())
        dropAll()
      }),
  }
}

const clientAt = (socket: Socket, { hears, clock }: TcpOptions): Client => ({
  socket,
  name: `${socket.remoteAddress}:${socket.remotePort}`,
  opening: new ProtocolGuard(hears),
  since: clock.now(),
  telnet: undefined,
})

/** Returns what is for the device; undefined: it is not of this wire, and the connection is closed. */
function piecesOfTheWire(client: Client, bytes: Uint8Array, log: TcpOptions['log']): readonly Uint8Array[] | undefined {
  const { socket, name, opening } = client
  if (client.telnet === undefined)
    client.telnet = bytes[0] === IAC ? new TelnetPort((answer) => write(socket, answer)) : null
  const { telnet } = client
  const pieces = telnet?.receive(bytes) ?? [bytes]
  const isForeign = telnet?.isForeign ?? false
  if (!isForeign && (opening.isOver || pieces.every((piece) => opening.admits(piece)))) return pieces
  const what = isForeign ? TELNET_CLIENT : describeForeignProtocol(pieces[0] ?? bytes)
  log(`tcp: ${name} closed, it begins like ${what}: nothing of it reached the device`)
  socket.destroy()
  return undefined
}

const TELNET_CLIENT = 'a telnet client that controls no serial port (use a raw line, or RFC 2217)'

function write(socket: Socket, bytes: Uint8Array): void {
  if (!socket.writable) return
  socket.write(bytes)
  if (socket.writableLength > UNSENT_LIMIT) socket.destroy()
}

/** Connects an admitted client with the device. `leave`: its place is free; `gone`: its connection has ended. */
function serve(
  { attach, log }: TcpOptions,
  client: Client,
  { leave, gone }: { readonly leave: () => void; readonly gone: () => void },
  heard: readonly Uint8Array[],
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
    // It has said all it wanted to say: the place is free, and the answer to its last command still goes out.
    leave()
    line.whenQuiet(() => socket.end())
  })
  socket.on('close', () => {
    leave()
    gone()
    line.detach()
    log(`tcp: ${name} gone`)
  })
  for (const piece of heard) line.receive(piece)
  socket.resume()
}
