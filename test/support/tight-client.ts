/** A program of its own that asks a device on a pty 100 times without a pause, blocking as a program in C does: PORT. */
import { constants, openSync, readSync, writeSync } from 'node:fs'
import { buildHostA } from '../../scenarios/oracle/family-a.ts'

const port = openSync(process.argv[2] as string, constants.O_RDWR | constants.O_NOCTTY)
const buffer = Buffer.alloc(4096)

function ask(number: number): number {
  const question = buildHostA(0x20 + number, 74, '')
  writeSync(port, question)
  let bytes = question.length
  for (;;) {
    const read = readSync(port, buffer)
    if (read === 0) throw new Error('the device has gone')
    bytes += read
    if (buffer[read - 1] === 0x03) return bytes
  }
}

ask(0)
let bytes = 0
const began = performance.now()
for (let number = 1; number <= 100; number++) {
  bytes += ask(number)
  // For who waits in vain: how far it came.
  writeSync(process.stderr.fd, '.')
}
process.stdout.write(JSON.stringify({ bytes, ms: performance.now() - began }))
