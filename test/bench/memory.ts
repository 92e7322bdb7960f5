/** `node --expose-gc memory.ts FOLDER COUNT`: makes receipts on a device kept in a folder; its resident memory as JSON. */
import { setTimeout as pause } from 'node:timers/promises'
import { createEmulator } from '../../emulator/emulator.ts'
import { buildHostA, hearDeviceA } from '../oracle/family-a.ts'

const [folder = '', count = '20000'] = process.argv.slice(2)
const emulator = createEmulator({ family: 'A', data: folder })
let answer: Uint8Array = new Uint8Array()
const line = emulator.loop.attach({
  send(bytes) {
    answer = bytes
  },
  unplug: () => undefined,
})

let seq = 0x20
async function ask(command: number, data: string): Promise<void> {
  seq = seq === 0xff ? 0x20 : seq + 1
  answer = new Uint8Array()
  line.receive(buildHostA(seq, command, data))
  while (answer.length === 0) await pause(0)
  const heard = hearDeviceA(answer)
  if ('wrong' in heard || heard.frame?.fields[0] !== '0') throw new Error(`${command}: ${JSON.stringify(heard)}`)
}

/** After a collection, and once more when what it freed has gone back. */
async function resident(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await pause(50)
  }
  return process.memoryUsage.rss()
}

let early = 0
const start = process.hrtime.bigint()
for (let number = 1; number <= Number(count); number++) {
  await ask(48, '1\t0000\t1\t\t')
  await ask(49, `Item ${number}\t1\t1.50\t2.000\t\t\t0\t`)
  await ask(53, '0\t5.00\t\t')
  await ask(56, '')
  if (number === 1000) early = await resident()
  if (number % 50 === 0) await pause(0)
}
const seconds = Number(process.hrtime.bigint() - start) / 1e9
const late = await resident()
line.detach()
await emulator.close()
process.stdout.write(JSON.stringify({ early, late, seconds }))
