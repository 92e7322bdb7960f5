import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LOOPBACK } from './server-access.ts'

/**
 * Starts to listen. Port 0 means any free port. Resolves to the port; rejects if it cannot be opened. Without `host`,
 * only programs on this machine can connect.
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

/** Resolves when the server is closed. Open connections, for example event streams, are ended. */
export function closeAtOnce(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
