/** An emulated device at the end of a line, asked with frames that the oracle builds: no driver and no protocol table. */
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { Piece } from '../oracle/books.ts'

export interface Talk {
  readonly emulator: Emulator
  readonly pieces: readonly Piece[]
  /** What the device sends until it falls silent. */
  ask(bytes: Uint8Array): Promise<Uint8Array[]>
  close(): Promise<void>
}

export function talkTo(family: 'A' | 'B' | 'C'): Talk {
  const emulator = createEmulator({ family })
  const pieces: Piece[] = []
  let heard: Uint8Array[] = []
  let wake: () => void = () => undefined
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
      const answered = new Promise<void>((resolve) => (wake = resolve))
      pieces.push({ direction: 'toDevice', bytes })
      line.receive(bytes)
      if (heard.length === 0) await answered
      return heard
    },
    async close() {
      line.detach()
      await emulator.close()
    },
  }
}
