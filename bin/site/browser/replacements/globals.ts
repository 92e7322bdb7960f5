/** Node's globals for a browser. Must be loaded before all other modules. */
import { z } from 'zod'
import { ByteBuffer } from './buffer.ts'

/**
 * Turns of the event loop. After a few timers of 0 ms in a row, a browser delays them, but it does not delay messages.
 */
const turns = new MessageChannel()
const waiting: (() => void)[] = []
turns.port1.onmessage = () => waiting.shift()?.()

function setImmediate(work: () => void): void {
  waiting.push(work)
  turns.port2.postMessage(undefined)
}

// A turn begins when no promise callback is pending, which is what uses of `nextTick` here need.
const process = { nextTick: setImmediate, platform: 'browser', env: {}, pid: 0, cwd: () => '/' }

Object.assign(globalThis, { Buffer: ByteBuffer, setImmediate, process })

// The security policy of the pages forbids code that is generated from text.
z.config({ jitless: true })
