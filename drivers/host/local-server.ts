import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LOOPBACK } from './reach.ts'

/** Port 0: any free one. Resolves with the port; rejects if it is in use. Without `host`: for programs of this machine alone. */
export function listenLocally(server: Server, port: number, host: string = LOOPBACK): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Resolves when nothing of it is left; whoever is still connected, listening to events for one, is cut off. */
export function closeAtOnce(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
