/** Node's globals for modules that run in a browser. Loaded before all others. */
import { z } from 'zod'
import { ByteBuffer } from './buffer.ts'

/** Queue of turns of the event loop; a timer of 0 ms is delayed after a few of them. */
const turns = new MessageChannel()
const waiting: (() => void)[] = []
turns.port1.onmessage = () => waiting.shift()?.()

function setImmediate(work: () => void): void {
  waiting.push(work)
  turns.port2.postMessage(undefined)
}

// A turn begins when promises can do nothing more, which is the use of `nextTick` here.
const process = { nextTick: setImmediate, platform: 'browser', env: {}, pid: 0, cwd: () => '/' }

Object.assign(globalThis, { Buffer: ByteBuffer, setImmediate, process })

// The pages allow no code generated from text.
z.config({ jitless: true })
