/**
 * Prints receipts on a device that is stored in a folder, and prints its memory as JSON: `node --expose-gc memory.ts
 * FOLDER FAMILY COUNT`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createEmulator } from '../../emulator/emulator.ts'
import { commandsOf, type Family } from './core.ts'

const [folder = '', family = 'A', count = '20000'] = process.argv.slice(2)
const { build, open, sale, pay, close } = commandsOf[family as Family]
const emulator = createEmulator({ family: family as Family, data: folder })
let answer: Uint8Array = new Uint8Array()
const line = emulator.loop.attach({
  send(bytes) {
    answer = bytes
  },
  unplug: () => undefined,
})

let seq = 0x20
async function ask([command, data]: readonly [number, string]): Promise<void> {
  seq = seq === 0x7f ? 0x20 : seq + 1
  answer = new Uint8Array()
  line.receive(build(seq, command, data))
  while (answer.length === 0) await pause(0)
}

interface Held {
  readonly resident: number
  /** Memory without the empty pages that V8 holds for young objects. Their number grows with the rate of allocation. */
  readonly used: number
}

/** Returns the memory after a garbage collection, measured again after V8 has returned the freed memory. */
async function held(): Promise<Held> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await pause(50)
  }
  const { rss, heapTotal, heapUsed } = process.memoryUsage()
  return { resident: rss, used: rss - heapTotal + heapUsed }
}

let early: Held | undefined
const start = process.hrtime.bigint()
for (let number = 1; number <= Number(count); number++) {
  for (const one of [open, sale, pay, close]) await ask(one)
  if (number === 1000) early = await held()
  if (number % 50 === 0) await pause(0)
}
const seconds = Number(process.hrtime.bigint() - start) / 1e9
const late = await held()
const { fiscalReceipts } = emulator.device.counters
if (fiscalReceipts !== Number(count)) throw new Error(`${fiscalReceipts} receipts instead of ${count}`)
line.detach()
await emulator.close()
process.stdout.write(JSON.stringify({ early, late, seconds }))
