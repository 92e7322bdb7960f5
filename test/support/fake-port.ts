import type { Port, PortEvents, PortOpener } from '../../drivers/link/port.ts'
import { fromBytes, toBytes } from '../../drivers/wire/charset.ts'

/** A port that a test controls. */
export interface FakePort {
  readonly open: PortOpener
  /** Written texts, one entry per write. */
  readonly written: string[]
  /**
   * Responses of the device to the next writes, sent within the write. If no entry remains, the device does not
   * respond.
   */
  readonly answers: string[]
  readonly openings: () => number
  say(text: string): void
  /** Loses the connection of the opening with this number, counted from 1; by default the current one. */
  lose(why: string, opening?: number): void
}

export type FakeWrite = (bytes: Uint8Array) => Promise<void>

/**
 * `byteMs`: time of a byte on the line. `isShared`: several programs may open the port, like a network address.
 * `write`: an additional effect of each write.
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
