/**
 * Queries a device on a pty 101 times without a pause, with blocking calls like a C program. The argument is the port.
 * The program prints bytes and milliseconds of all exchanges, and of all but the first.
 */
import { constants, openSync, readSync, writeSync } from 'node:fs'
import { buildHostA } from '../frame-builders/frames-a.ts'

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

const began = performance.now()
const first = ask(0)
const answered = performance.now()
let next = 0
for (let number = 1; number <= 100; number++) {
  next += ask(number)
  // The dots show the progress if a response is missing.
  writeSync(process.stderr.fd, '.')
}
const ended = performance.now()
process.stdout.write(
  JSON.stringify({ all: { bytes: first + next, ms: ended - began }, next: { bytes: next, ms: ended - answered } }),
)
