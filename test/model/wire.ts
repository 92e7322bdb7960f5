/** An emulated device at the end of a line, asked with frames that the oracle builds: no driver and no protocol table. */
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { Piece } from '../../scenarios/oracle/ledger.ts'

export interface Talk {
  readonly emulator: Emulator
  readonly pieces: readonly Piece[]
  /** What the device sends until it falls silent. */
  ask(bytes: Uint8Array): Promise<Uint8Array[]>
  close(): Promise<void>
}

export function talkTo(family: 'A' | 'B' | 'C'): Talk {
  const pieces: Piece[] = []
  let heard: Uint8Array[] = []
  let wake: () => void = () => undefined
  let fail: (problem: Error) => void = () => undefined
  // A sound device has nothing to log here: an error inside of it, after which it does not answer, fails the question.
  const emulator = createEmulator({ family, log: (said) => fail(new Error(said)) })
  const line = emulator.loop.attach({
    send(bytes) {
      heard.push(Uint8Array.from(bytes))
      pieces.push({ direction: 'toHost', bytes: Uint8Array.from(bytes) })
      wake()
    },
    unplug: () => undefined,
  })
  return {
    emulator,
    pieces,
    async ask(bytes) {
      heard = []
      const answered = new Promise<void>((resolve, reject) => {
        wake = resolve
        fail = reject
      })
      pieces.push({ direction: 'toDevice', bytes })
      line.receive(bytes)
      await answered
      return heard
    },
    async close() {
      line.detach()
      await emulator.close()
    },
  }
}
