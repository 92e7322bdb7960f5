import type { Port, PortEvents, PortOpener } from '../../drivers/link/port.ts'
import { fromBytes, toBytes } from '../../drivers/wire/charset.ts'

/**
 * A port under the control of a test, which reads the written bytes, sends the device's answers, and closes the port.
 */
export interface FakePort {
  readonly open: PortOpener
  /** Written texts, one entry for each write. */
  readonly written: string[]
  /** Answers of the device to the next writes, sent within the write; without an entry it stays silent. */
  readonly answers: string[]
  readonly openings: () => number
  say(text: string): void
  /** Loses the opening with this number, counted from 1; by default the current one. */
  lose(why: string, opening?: number): void
}

export type FakeWrite = (bytes: Uint8Array) => Promise<void>

/**
 * `byteMs`: time of a byte on the line. `isShared`: like an address. `write`: the effect of a write besides its answer.
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
