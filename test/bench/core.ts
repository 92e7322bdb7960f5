/**
 * Speed of the emulator without a service: frames of the oracle over the embedded binding, compared with a bare echo of
 * the same bytes.
 */

import { createEmulator } from '../../emulator/emulator.ts'
import { EmulatedBinding } from '../../emulator/line/binding.ts'
import { buildHostA } from '../frame-builders/frames-a.ts'
import { buildHostB } from '../frame-builders/frames-b.ts'
import { buildMessageC } from '../frame-builders/frames-c.ts'
import { type Figure, perSecond } from './measure.ts'

export interface Words {
  build(number: number, command: number, data: string): Uint8Array
  readonly end: number
  readonly status: readonly [number, string]
  readonly open: readonly [number, string]
  readonly sale: readonly [number, string]
  readonly cancel: readonly [number, string]
  readonly pay: readonly [number, string]
  readonly close: readonly [number, string]
}

export type Family = 'A' | 'B' | 'C'

export const commandsOf: Readonly<Record<Family, Words>> = {
  A: {
    build: buildHostA,
    end: 0x03,
    status: [74, ''],
    open: [48, '1\t0000\t1\t\t'],
    sale: [49, 'tea\t1\t1.50\t\t\t\t0\t'],
    cancel: [60, ''],
    pay: [53, '0\t5.00\t\t'],
    close: [56, ''],
  },
  B: {
    build: buildHostB,
    end: 0x03,
    status: [74, ''],
    open: [48, '1,1'],
    sale: [58, '+1*1.000'],
    cancel: [130, ''],
    pay: [53, '\tP5.00'],
    close: [56, ''],
  },
  C: {
    build: buildMessageC,
    end: 0x0a,
    status: [0x20, ''],
    open: [0x30, '1;0000;0;0;0'],
    sale: [0x31, `${'tea'.padEnd(36)};A;1.50`],
    cancel: [0x39, ''],
    pay: [0x35, '0;0;5.00'],
    close: [0x38, ''],
  },
}

/** Number of sales per receipt: some firmware allows only a few hundred. */
const SALES = 100

async function hostOn(binding: EmulatedBinding, { build, end }: Words) {
  const port = await binding.open({ path: binding.path, baudRate: 115_200 })
  const buffer = Buffer.alloc(4096)
  let number = 0x20
  return {
    async ask([command, data]: readonly [number, string]): Promise<Uint8Array> {
      number = number === 0x7f ? 0x20 : number + 1
      await port.write(Buffer.from(build(number, command, data)))
      let filled = 0
      do filled += (await port.read(buffer, filled, buffer.length - filled)).bytesRead
      while (buffer[filled - 1] !== end)
      return buffer.subarray(0, filled)
    },
    close: () => port.close(),
  }
}

function echo(): EmulatedBinding {
  return new EmulatedBinding(
    'echo',
    { manufacturer: 'echo', serialNumber: '0' },
    {
      powered: () => true,
      opened: (port) => ({ receive: (bytes) => port.emit(bytes), closed: () => undefined }),
    },
  )
}

export async function coreFigures(family: 'A' | 'B' | 'C', forMs: number): Promise<Figure[]> {
  const speech = commandsOf[family]
  const mute = await hostOn(echo(), speech)
  const bare = await perSecond(forMs / 2, 1000, async () => void (await mute.ask(speech.status)))
  await mute.close()

  const emulator = createEmulator({ family })
  const host = await hostOn(emulator.binding, speech)
  const status = await perSecond(forMs, 1000, async () => void (await host.ask(speech.status)))
  let sold = 0
  const sales = await perSecond(forMs, SALES * 5, async () => {
    if (sold % SALES === 0) {
      if (sold > 0) await host.ask(speech.cancel)
      await host.ask(speech.open)
    }
    await host.ask(speech.sale)
    sold += 1
  })
  const booked = emulator.device.receipt
  if (booked?.kind !== 'fiscal' || booked.fiscal.rows.length !== ((sold - 1) % SALES) + 1) {
    throw new Error(`family ${family}: the sales that were measured were not booked`)
  }
  await host.close()
  await emulator.close()
  const target = { atLeast: 20_000 }
  return [
    { name: `${family}: core, status`, value: status, unit: 'commands/s', target },
    { name: `${family}: core, sale`, value: sales, unit: 'commands/s', target },
    { name: `${family}: bare echo over the same binding`, value: bare, unit: 'commands/s' },
    { name: `${family}: core status / echo`, value: status / bare, unit: '' },
    { name: `${family}: core sale / echo`, value: sales / bare, unit: '' },
  ]
}
