/**
 * A simulated change of firmware between a program and an emulated device. It handles bytes only, and shares no code
 * with the passport.
 */
import type { Binding, BindingPort } from '../../drivers/link/port.ts'
import type { FrameShape } from '../../drivers/wire/deframer.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'

export interface Invention {
  /** Returns `undefined` to leave the response unchanged, and `null` to send no response. */
  answers(request: Uint8Array, answer: Uint8Array): Uint8Array | null | undefined
  /**
   * Returns a response that replaces that of the device. The device then does not receive the request. `null` sends no
   * response.
   */
  instead?(request: Uint8Array): Uint8Array | null | undefined
}

export function inventedBinding(
  binding: Binding,
  hears: FrameShape<unknown>,
  says: FrameShape<unknown>,
  invention: Invention,
): Binding {
  return {
    async open(options) {
      const port = await binding.open(options)
      return inventedPort(port, new Deframer(hears), new Deframer(says), invention)
    },
  }
}

function inventedPort(
  port: BindingPort,
  hears: Deframer<unknown>,
  says: Deframer<unknown>,
  invention: Invention,
): BindingPort {
  let request: Uint8Array = new Uint8Array(0)
  const ready: Uint8Array[] = []
  let wake: (() => void) | undefined
  const say = (bytes: Uint8Array): void => {
    ready.push(bytes)
    wake?.()
  }
  let lost: unknown
  const pump = async () => {
    const buffer = Buffer.alloc(4096)
    try {
      while (true) {
        const { bytesRead } = await port.read(buffer, 0, buffer.length)
        for (const event of says.push(Uint8Array.from(buffer.subarray(0, bytesRead)))) {
          if (event.kind !== 'frame') say(event.kind === 'single' ? Uint8Array.of(event.byte) : event.bytes)
          else {
            const other = invention.answers(request, event.bytes)
            if (other !== null) say(other ?? event.bytes)
          }
        }
      }
    } catch (problem) {
      lost = problem
      wake?.()
    }
  }
  void pump()
  return {
    get isOpen() {
      return port.isOpen
    },
    close: () => port.close(),
    getBaudRate: () => port.getBaudRate(),
    async write(bytes) {
      for (const event of hears.push(Uint8Array.from(bytes))) {
        if (event.kind !== 'frame') continue
        request = event.bytes
        const replacement = invention.instead?.(event.bytes)
        if (replacement === undefined) continue
        // A request is received whole or not at all, because the project's programs write a frame in one piece.
        if (replacement !== null) say(replacement)
        return
      }
      await port.write(bytes)
    },
    async read(buffer, offset, length) {
      while (ready.length === 0) {
        if (lost !== undefined) throw lost
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = undefined
      }
      const [first = new Uint8Array(0)] = ready
      const part = first.subarray(0, length)
      buffer.set(part, offset)
      if (part.length === first.length) ready.shift()
      else ready[0] = first.subarray(length)
      return { bytesRead: part.length }
    },
  }
}

const nibbles = (value: number): number[] => [12, 8, 4, 0].map((shift) => 0x30 + ((value >> shift) & 15))

/** Family A: `01 LEN4 SEQ CMD4 data 04 status8 05 BCC4 03`; the BCC covers the bytes between 01h and itself. */
export interface FrameA {
  readonly command: number
  readonly data: string
  readonly status: readonly number[]
}

export function readA(frame: Uint8Array): FrameA {
  const command = [6, 7, 8, 9].reduce((value, at) => value * 16 + ((frame[at] ?? 0) - 0x30), 0)
  const end = frame.indexOf(0x04)
  const data = Buffer.from(frame.subarray(10, end < 0 ? frame.length - 6 : end)).toString('latin1')
  return { command, data, status: end < 0 ? [] : [...frame.subarray(end + 1, end + 9)] }
}

export function answerA(frame: Uint8Array, change: Partial<FrameA>): Uint8Array {
  const { command, data, status } = { ...readA(frame), ...change }
  const body = [frame[5] ?? 0, ...nibbles(command), ...Buffer.from(data, 'latin1'), 0x04, ...status, 0x05]
  const counted = [...nibbles(0x20 + body.length + 4), ...body]
  const sum = counted.reduce((total, byte) => total + byte, 0)
  return Uint8Array.of(0x01, ...counted, ...nibbles(sum & 0xffff), 0x03)
}

/** Family B: `01 LEN SEQ CMD data 04 status6 05 BCC4 03`. */
export interface FrameB {
  readonly command: number
  readonly data: string
  readonly status: readonly number[]
}

export function readB(frame: Uint8Array): FrameB {
  const end = frame.indexOf(0x04)
  const data = Buffer.from(frame.subarray(4, end < 0 ? frame.length - 6 : end)).toString('latin1')
  return { command: frame[3] ?? 0, data, status: end < 0 ? [] : [...frame.subarray(end + 1, end + 7)] }
}

export function answerB(frame: Uint8Array, change: Partial<FrameB>): Uint8Array {
  const { command, data, status } = { ...readB(frame), ...change }
  const body = [frame[2] ?? 0, command, ...Buffer.from(data, 'latin1'), 0x04, ...status, 0x05]
  const counted = [0x20 + body.length + 1, ...body]
  const sum = counted.reduce((total, byte) => total + byte, 0)
  return Uint8Array.of(0x01, ...counted, ...nibbles(sum & 0xffff), 0x03)
}

/** Family C: `06 NBL STE1 STE2 CS CS 0A`, and `02 LEN NBL CMD data CS CS 0A`; CS is an exclusive or. */
const sealed = (body: readonly number[]): number[] => {
  const sum = body.reduce((all, byte) => all ^ byte, 0)
  return [...body, 0x30 + (sum >> 4), 0x30 + (sum & 15), 0x0a]
}
export const ackC = (number: number, device: number, command: number): Uint8Array =>
  Uint8Array.of(0x06, ...sealed([number, 0x30 + device, 0x30 + command]))
export const messageC = (frame: Uint8Array, data: string): Uint8Array =>
  Uint8Array.of(0x02, ...sealed([0x23 + data.length, frame[2] ?? 0, frame[3] ?? 0, ...Buffer.from(data, 'latin1')]))
export const dataC = (frame: Uint8Array): string => Buffer.from(frame.subarray(4, -3)).toString('latin1')
