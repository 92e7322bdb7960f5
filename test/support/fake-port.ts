import type { Port, PortEvents, PortOpener } from '../../drivers/link/port.ts'
import { fromBytes, toBytes } from '../../drivers/wire/charset.ts'

/** A port that a test holds in its hands: it sees what is written, says what the device says, and pulls the plug. */
export interface FakePort {
  readonly open: PortOpener
  /** As text, one entry each. */
  readonly written: string[]
  /** What the device says to the next writes, within the write; without an entry it stays silent. */
  readonly answers: string[]
  readonly openings: () => number
  say(text: string): void
  /** Of the opening of this number, the first being 1; the present one where it is absent. */
  lose(why: string, opening?: number): void
}

export type FakeWrite = (bytes: Uint8Array) => Promise<void>

/** `byteMs`: time of a byte on the line. `isShared`: as an address is. `write`: what comes of a write besides its answer. */
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
