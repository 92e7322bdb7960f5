import { join } from 'node:path'
import type { BrowserContext, WebSocketRoute } from 'playwright-core'
import type { Emulator } from '../../emulator/emulator.ts'

/** Replaces the serial ports of all pages that the context loads afterwards by a WebSocket to an emulated device. */
export async function wirePort(context: BrowserContext, emulator: Emulator): Promise<void> {
  await context.addInitScript({ path: join(import.meta.dirname, 'replaced-serial.js') })
  await context.routeWebSocket(/\/serial-port$/, (socket) => wire(socket, emulator))
}

type DevicePort = Awaited<ReturnType<Emulator['binding']['open']>>

/** The first message is the speed. Each further message contains the bytes of one read or write, in decimal. */
function wire(socket: WebSocketRoute, emulator: Emulator): void {
  let port: Promise<DevicePort> | undefined
  let writing: Promise<unknown> = Promise.resolve()
  const lose = () => void socket.close()
  const listen = async (opened: DevicePort) => {
    const buffer = Buffer.alloc(256)
    for (;;) {
      const { bytesRead } = await opened.read(buffer, 0, buffer.length)
      socket.send(buffer.subarray(0, bytesRead).join(','))
    }
  }
  socket.onMessage((message) => {
    if (port === undefined) {
      port = emulator.binding.open({ path: emulator.path, baudRate: Number(message) })
      port.then(listen).catch(lose)
    } else {
      const opened = port
      writing = writing
        .then(async () => (await opened).write(Buffer.from(String(message).split(',').map(Number))))
        .catch(lose)
    }
  })
  socket.onClose(() => void port?.then((opened) => opened.close()).catch(() => undefined))
}
