/** A service over HTTP on an emulated device, all in this process: what the figures act on. */
import { Agent, createServer, request } from 'node:http'
import { systemClock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { closeAtOnce, listenLocally } from '../../drivers/model/local-server.ts'
import type { Emulator, EmulatorOptions } from '../../emulator/emulator.ts'
import { programArticles, viewOf } from '../../scenarios/model/calls.ts'
import type { Reply, Subject } from '../../scenarios/model/subject.ts'
import type { Piece } from '../../scenarios/oracle/books.ts'
import { composeService, startPrinter } from '../support/rig.ts'

export interface Stand extends Subject {
  readonly emulator: Emulator
  /** What the device had to say besides its answers: nothing, in a sound one. */
  readonly troubles: readonly string[]
  /** Everything that passed on the wire since the stand was set up. */
  readonly pieces: readonly Piece[]
  readonly port: number
  close(): Promise<void>
}

export async function setUpStand(family: Family, options: Partial<EmulatorOptions> = {}): Promise<Stand> {
  const troubles: string[] = []
  const device = startPrinter({ family, framesKept: 16, log: (line) => troubles.push(line), ...options })
  const { emulator } = device
  const pieces: Piece[] = []
  emulator.subscribe((event) => {
    if (event.type === 'frame') pieces.push({ direction: event.entry.direction, bytes: event.entry.bytes })
  })
  programArticles(emulator)
  const service = composeService(device.driver(), { clock: systemClock })
  const server = createServer(service.app)
  const port = await listenLocally(server, 0)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  return {
    emulator,
    troubles,
    pieces,
    port,
    post: (path, body) => call(agent, port, 'POST', path, body),
    get: (path) => call(agent, port, 'GET', path, undefined),
    device: async <T>(path: string) => viewOf(emulator, path) as T,
    async close() {
      agent.destroy()
      await closeAtOnce(server)
      await device.close()
      await service.close()
    },
  }
}

export function call(agent: Agent, port: number, method: string, path: string, body: unknown): Promise<Reply> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path: `/api${path}`, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const said = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>
        resolve({ status: answer.statusCode ?? 0, data: said['Data'], message: String(said['Message'] ?? '') })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
