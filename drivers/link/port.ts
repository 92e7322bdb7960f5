import { connect, type Socket } from 'node:net'
import type { Clock } from '../model/clock.ts'
import { messageOf, portMessage } from '../model/errors.ts'
import { beginsAsTelnet } from '../wire/telnet.ts'

/**
 * A byte stream to a device, over any serialport binding or over TCP. The port uses a binding directly, because
 * `@serialport/stream` adds two buffers and several ticks per command and hides which write failed.
 */
export interface Port {
  readonly byteMs: number
  readonly isShared?: true
  /** Rejects if not all bytes could be sent. Writes are executed in order. */
  write(bytes: Uint8Array): Promise<void>
  /**
   * Closes the port. Never rejects, and no event follows. `isGivenUp`: discards bytes that have not left this computer.
   */
  close(isGivenUp?: boolean): Promise<void>
}

export interface PortEvents {
  onData(bytes: Uint8Array): void
  /** Called once if the port is lost without a call of `close`. */
  onLost(why: string): void
}

/** Opens a port. Rejects with a message for the user if it cannot be opened. */
export type PortOpener = (events: PortEvents) => Promise<Port>

/**
 * The part of a serialport binding that this module uses. Strict module resolution does not find the types of
 * `@serialport/bindings-interface`.
 */
export interface Binding {
  open(options: BindingOptions): Promise<BindingPort>
}

export interface BindingOptions {
  path: string
  baudRate: number
  dataBits?: 5 | 6 | 7 | 8
  stopBits?: 1 | 1.5 | 2
  parity?: string
  lock?: boolean
  hupcl?: boolean
}

export interface BindingPort {
  readonly isOpen: boolean
  readonly isShared?: boolean
  close(): Promise<void>
  /**
   * Reads at least one byte. Rejects with `canceled: true` if the port was closed, and with another error if it was
   * lost.
   */
  read(buffer: Buffer, offset: number, length: number): Promise<{ bytesRead: number }>
  write(buffer: Buffer): Promise<void>
  getBaudRate(): Promise<{ baudRate: number }>
}

const READ_SIZE = 4096

export const PORT_IN_USE = 'another program uses the port: end that program'

/** Number of attempts. A program that has just closed the port may release its lock a moment later. */
const LOCK_TRIES = 5
const LOCK_PAUSE_MS = 50

async function openUnlocked(open: () => Promise<BindingPort>, clock: Clock): Promise<BindingPort> {
  for (let tries = 1; ; tries++) {
    try {
      return await open()
    } catch (problem) {
      if (!/cannot lock/i.test(messageOf(problem))) throw problem
      if (tries === LOCK_TRIES) throw new Error(PORT_IN_USE)
      await new Promise<void>((done) => void clock.after(LOCK_PAUSE_MS, done))
    }
  }
}

/**
 * Opens a serial port. Without `binding`, loads the operating system's binding at the first use, because that binding
 * is native code.
 */
export function serialPort(path: string, baudRate: number, clock: Clock, binding?: Binding): PortOpener {
  return async (events) => {
    const used: Binding = binding ?? (await import('@serialport/bindings-cpp')).autoDetect()
    const options = { path, baudRate, dataBits: 8, stopBits: 1, parity: 'none', lock: true, hupcl: false } as const
    const port = await openUnlocked(() => used.open(options), clock)
    return runBindingPort(port, baudRate, events, binding ? undefined : watchHangUp(port, clock))
  }
}

type HangUpWatch = (onHangUp: (why: string) => void) => () => void

const HANG_UP_WATCH_MS = 500

/**
 * Detects a hang-up: the other side of the terminal has disappeared (an unplugged adapter, a closed pty master). The
 * system's binding may then read forever without an error, but reading the terminal's settings fails.
 */
const watchHangUp =
  (port: BindingPort, clock: Clock): HangUpWatch =>
  (onHangUp) => {
    let stopped = false
    let cancel = () => {}
    const look = () => {
      port.getBaudRate().then(arm, (problem: unknown) => {
        if (!stopped) onHangUp(portMessage(problem))
      })
    }
    const arm = () => {
      if (!stopped) cancel = clock.after(HANG_UP_WATCH_MS, look)
    }
    arm()
    return () => {
      stopped = true
      cancel()
    }
  }

function runBindingPort(port: BindingPort, baudRate: number, events: PortEvents, watch: HangUpWatch | undefined): Port {
  let open = true
  let last: Promise<void> | undefined
  const buffer = Buffer.allocUnsafe(READ_SIZE)

  const shut = async () => {
    stopWatch?.()
    if (port.isOpen) await port.close().catch(() => undefined)
  }
  const lose = (why: string) => {
    if (!open) return
    open = false
    shut().catch(() => undefined)
    events.onLost(why)
  }
  const listen = async () => {
    try {
      while (open) {
        const { bytesRead } = await port.read(buffer, 0, READ_SIZE)
        if (bytesRead === 0) return lose('the port was closed')
        if (open) events.onData(buffer.subarray(0, bytesRead))
      }
    } catch (problem) {
      lose(portMessage(problem))
    }
  }
  const stopWatch = watch?.(lose)
  listen().catch(() => undefined)

  return {
    byteMs: 10_000 / baudRate,
    ...(port.isShared && { isShared: true as const }),
    write(bytes) {
      if (!open) return Promise.reject(new Error('the port is closed'))
      const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)
      const writing = last ? last.then(() => port.write(chunk)) : port.write(chunk)
      last = writing
      const done = () => {
        if (last === writing) last = undefined
      }
      writing.then(done, (problem: unknown) => {
        done()
        lose(portMessage(problem))
      })
      return writing
    },
    async close() {
      open = false
      await shut()
    },
  }
}

const CONNECT_MS = 5000
const CLOSE_MS = 1000
const KEEP_ALIVE_MS = 10_000

const TELNET =
  'it speaks telnet: add ?rfc2217 to the address (tcp://HOST:PORT?rfc2217), or set the far end to raw bytes'

/** Reason for a connection that is closed at once. Devices do that if another client is connected. */
const HAS_CLIENT =
  'the other side closed the connection before it sent anything; another program may be connected to the device, ' +
  'which serves one client at a time: end the other program, if there is one'
const CUT_OFF: readonly unknown[] = [undefined, 'ECONNRESET', 'EPIPE']

export function tcpPort(host: string, port: number, clock: Clock, isTelnet = false): PortOpener {
  return (events) =>
    new Promise<Port>((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS })
      const stopTimer = clock.after(CONNECT_MS, () => socket.destroy(new Error('no connection within 5 s')))
      let why = 'the other side closed the connection'
      let code: string | undefined
      let state: 'connecting' | 'open' | 'closed' = 'connecting'
      socket.on('error', (problem: NodeJS.ErrnoException) => {
        why = messageOf(problem)
        code = problem.code ?? 'ours'
      })
      let isFirst = !isTelnet
      socket.on('data', (bytes) => {
        if (isFirst && beginsAsTelnet(bytes)) socket.destroy(new Error(TELNET))
        else if (state === 'open') events.onData(bytes)
        isFirst = false
      })
      // If a device closes its side, the connection ends, because these protocols have no half-open connections.
      socket.on('end', () => socket.destroy())
      socket.on('close', () => {
        stopTimer()
        const before = state
        state = 'closed'
        if (before === 'connecting') reject(new Error(why))
        else if (before === 'open') events.onLost(socket.bytesRead === 0 && CUT_OFF.includes(code) ? HAS_CLIENT : why)
      })
      socket.on('connect', () => {
        stopTimer()
        state = 'open'
        resolve({
          byteMs: 0,
          isShared: true,
          write: (bytes) => writeSocket(socket, bytes),
          close: (isGivenUp) => closeSocket(isGivenUp),
        })
      })
      // Resolves when the device has seen the disconnect, so an immediate reconnection succeeds.
      const closeSocket = async (isGivenUp = false) => {
        state = 'closed'
        if (socket.closed) return
        if (isGivenUp) {
          socket.resetAndDestroy()
          return
        }
        const hurry = clock.after(CLOSE_MS, () => socket.destroy())
        socket.end()
        socket.destroySoon()
        await new Promise((done) => socket.once('close', done))
        hurry()
      }
    })
}

function writeSocket(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (socket.destroyed) return Promise.reject(new Error('the connection is closed'))
  return new Promise((resolve, reject) => {
    socket.write(bytes, (problem) => (problem ? reject(problem) : resolve()))
  })
}
