import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { EmulatorOptions } from '../../emulator/emulator.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import { type PrinterRig, startPrinter } from '../support/rig.ts'

export const START = Date.UTC(2025, 6, 14, 9, 0, 0)

export interface Talk extends PrinterRig {
  readonly clock: SimulatedClock
  hex(text: string): string
  /** Sends one frame. Returns the response as two nibbles (`30/30`), as data, or as a list of several responses. */
  say(code: number, data?: string): string
  prepare(...frames: readonly (readonly [number, string])[]): void
  takeHeard(): string
}

export const NAME = (name: string): string => name.padEnd(36, ' ')

export function talk(options: Partial<EmulatorOptions> = {}): Talk {
  const clock = new SimulatedClock(START)
  const printer = startPrinter({ family: 'C', clock, ...options })
  const received: number[] = []
  const line = printer.attach((bytes) => received.push(...bytes))
  let number = 0x1f
  const take = (): Uint8Array => Uint8Array.from(received.splice(0))
  const say = (code: number, data = ''): string => {
    number = number >= 0x9f ? 0x20 : number + 1
    line.receive(frame(number, code, data))
    return describeAnswer(take())
  }
  return {
    ...printer,
    clock,
    say,
    takeHeard: () => textOf(take()),
    hex(text) {
      line.receive(bytesOf(text))
      return textOf(take())
    },
    prepare(...frames) {
      for (const [code, data] of frames) {
        const answer = say(code, data)
        if (/^3[0-9A-F]\/3/.test(answer) && answer !== '30/30')
          throw new Error(`${code.toString(16)} ${data}: ${answer}`)
      }
    },
  }
}

/** Builds a frame by hand, independently of the code under test. */
export function frame(number: number, code: number, data: string): Uint8Array {
  const body = [0x23 + data.length, number, code, ...Buffer.from(data, 'latin1')]
  const sum = body.reduce((all, byte) => all ^ byte, 0)
  return Uint8Array.of(0x02, ...body, 0x30 + (sum >> 4), 0x30 + (sum & 15), 0x0a)
}

function describeAnswer(answer: Uint8Array): string {
  if (answer[0] === 0x06 && answer.length === 7) return `${hexOf(answer[2])}/${hexOf(answer[3])}`
  if (answer[0] === 0x02) return Buffer.from(answer.subarray(4, -3)).toString('latin1')
  return textOf(answer)
}
const hexOf = (byte = 0): string => byte.toString(16).toUpperCase()

export const OPEN = [0x30, '1;0000;0;0;0'] as const
export const OPEN_NON_FISCAL = [0x2e, '1;0000;0;0'] as const
export const SALE = [0x31, `${NAME('Bread')};A;2.50*2`] as const
export const PART_PAYMENT = [0x35, '0;0;1.00'] as const
export const PAYMENT = [0x35, '0;0;"'] as const
export const CLOSE = [0x38, ''] as const
