import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { fleetThreadProgram } from '../../bin/fleet-thread-program.ts'
import { describeStartFailure } from '../../bin/start-device.ts'
import { assignNumbers } from '../../emulator/fleet/assign-numbers.ts'
import { type Fleet, type FleetOptions, startFleet } from '../../emulator/fleet/fleet.ts'
import type { PrinterPlan } from '../../emulator/fleet/printer-plan.ts'
import { settingsOf } from '../../server/config.ts'
import { buildHostA } from '../frame-builders/frames-a.ts'

export interface SmallFleet {
  readonly fleet: Fleet
  readonly log: string[]
  readonly threads: Worker[]
}

export const planOf = (name: string, plan: Partial<PrinterPlan> = {}): PrinterPlan => ({
  name,
  family: 'A',
  settings: {},
  seed: 0,
  tcp: 0,
  ...plan,
})

export async function openFleet(
  plans: readonly PrinterPlan[],
  options: Partial<FleetOptions> = {},
): Promise<SmallFleet> {
  const log: string[] = []
  const threads: Worker[] = []
  const fleet = await startFleet({
    plans: assignNumbers(plans, () => 0),
    workers: 2,
    log: (line) => void log.push(line),
    describeFailure: (failure) => describeStartFailure(failure, undefined),
    program: fleetThreadProgram(settingsOf({}, { family: 'A' })),
    spawn({ file, data }) {
      const thread = new Worker(file, { workerData: data })
      threads.push(thread)
      return thread
    },
    ...options,
  })
  return { fleet, log, threads }
}

export interface Till {
  ask(command: number, data?: string): Promise<string>
  receipt(): Promise<void>
  close(): void
}

export async function tillAt(port: number): Promise<Till> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const gone = new Promise<undefined>((done) => socket.once('close', () => done(undefined)))
  socket.on('error', () => undefined)
  let sequence = 0x20
  const ask = async (command: number, data = '') => {
    sequence = sequence === 0x7f ? 0x21 : sequence + 1
    socket.write(buildHostA(sequence, command, data))
    let received = Buffer.alloc(0)
    while (received.at(-1) !== 0x03) {
      const bytes = await Promise.race([once(socket, 'data').then(([part]) => part as Buffer), gone])
      if (bytes === undefined) throw new Error('the printer has hung up')
      received = Buffer.concat([received, bytes])
    }
    return received.toString('latin1')
  }
  return {
    ask,
    async receipt() {
      await ask(48, '1\t0000\t1\t\t')
      await ask(49, 'tea\t1\t1.50\t\t\t\t0\t')
      await ask(53, '0\t5.00\t\t')
      await ask(56)
    },
    close: () => socket.destroy(),
  }
}
