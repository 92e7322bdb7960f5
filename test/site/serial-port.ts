/**
 * A serial port for a page: the test replaces `navigator.serial`, and connects it over a WebSocket to an emulated
 * device, byte by byte.
 */
import { join } from 'node:path'
import type { BrowserContext, WebSocketRoute } from 'playwright-core'
import type { Emulator } from '../../emulator/emulator.ts'

/** Call it before the pages of the context load. */
export async function wirePort(context: BrowserContext, emulator: Emulator): Promise<void> {
  await context.addInitScript({ path: join(import.meta.dirname, 'replaced-serial.js') })
  await context.routeWebSocket(/\/serial-port$/, (socket) => wire(socket, emulator))
}

type DevicePort = Awaited<ReturnType<Emulator['binding']['open']>>

/** The first message is the speed, every further one a byte. */
function wire(socket: WebSocketRoute, emulator: Emulator): void {
  let port: Promise<DevicePort> | undefined
  let writing: Promise<unknown> = Promise.resolve()
  const lose = () => void socket.close()
  const listen = async (opened: DevicePort) => {
    const buffer = Buffer.alloc(256)
    for (;;) {
      const { bytesRead } = await opened.read(buffer, 0, buffer.length)
      for (const byte of buffer.subarray(0, bytesRead)) socket.send(String(byte))
    }
  }
  socket.onMessage((message) => {
    if (port === undefined) {
      port = emulator.binding.open({ path: emulator.path, baudRate: Number(message) })
      port.then(listen).catch(lose)
    } else {
      const opened = port
      writing = writing.then(async () => (await opened).write(Buffer.of(Number(message)))).catch(lose)
    }
  })
  socket.onClose(() => void port?.then((opened) => opened.close()).catch(() => undefined))
}
