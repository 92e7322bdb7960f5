import type { Port, PortEvents, PortOpener } from '../../drivers/link/port.ts'
import { fromBytes, toBytes } from '../../drivers/wire/charset.ts'

export interface FakePort {
  readonly open: PortOpener
  readonly written: string[]
  /** The device sends the next entry within each write. If no entry remains, the device does not respond. */
  readonly answers: string[]
  readonly openings: () => number
  say(text: string): void
  /** Loses the connection of the opening with this number, counted from 1. The default is the current opening. */
  lose(why: string, opening?: number): void
}

export type FakeWrite = (bytes: Uint8Array) => Promise<void>

/**
 * `byteMs` is the time of a byte on the line. `isShared` lets several programs open the port, like a network address.
 * `write` adds an effect to each write.
 */
export function fakePort({
  byteMs = 0,
  isShared = false,
  write = async () => {},
}: {
  byteMs?: number
  isShared?: boolean
  write?: FakeWrite
} = {}): FakePort {
  const written: string[] = []
  const answers: string[] = []
  const opened: PortEvents[] = []
  const say = (text: string): void => opened.at(-1)?.onData(toBytes(text))
  const open: PortOpener = async (events): Promise<Port> => {
    opened.push(events)
    return {
      byteMs,
      ...(isShared && { isShared }),
      write(bytes) {
        written.push(fromBytes(bytes))
        const answer = answers.shift()
        if (answer !== undefined) say(answer)
        return write(bytes)
      },
      close: async () => {},
    }
  }
  return {
    open,
    written,
    answers,
    openings: () => opened.length,
    say,
    lose: (why, opening = opened.length) => opened[opening - 1]?.onLost(why),
  }
}
