import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LOOPBACK } from './server-access.ts'

/**
 * Starts to listen on a port, or on any free port for 0. Resolves to the port; rejects if the port cannot be opened.
 * Without `host`, only programs of this machine can connect.
 */
export function listenLocally(server: Server, port: number, host: string = LOOPBACK): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Resolves when the server is closed. Open connections, for example event listeners, are cut off. */
export function closeAtOnce(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
