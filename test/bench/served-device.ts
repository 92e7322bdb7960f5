import { createServer } from 'node:http'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { programArticles } from '../../scenarios/model/calls.ts'
import { composeService, startPrinter } from '../support/rig.ts'

export interface ServedDevice {
  readonly port: number
  frames(): number
  close(): Promise<void>
}

export async function serveDevice(family: Family): Promise<ServedDevice> {
  const device = startPrinter({ family, frameHistorySize: 16 })
  let frames = 0
  device.emulator.subscribe((event) => {
    if (event.type === 'frame' && event.entry.direction === 'toDevice') frames += 1
  })
  programArticles(device.emulator)
  const service = composeService(device.driver(), { clock: systemClock })
  const server = createServer(service.app)
  const port = await listenLocally(server, 0)
  return {
    port,
    frames: () => frames,
    async close() {
      await closeAtOnce(server)
      await device.close()
      await service.close()
    },
  }
}
