/** An emulated device with a line, driven by frames that the oracle builds, without a driver or a protocol table. */
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { Piece } from '../../scenarios/oracle/ledger.ts'

export interface Talk {
  readonly emulator: Emulator
  readonly pieces: readonly Piece[]
  ask(bytes: Uint8Array): Promise<Uint8Array[]>
  close(): Promise<void>
}

export function talkTo(family: 'A' | 'B' | 'C'): Talk {
  const pieces: Piece[] = []
  let received: Uint8Array[] = []
  let wake: () => void = () => undefined
  let fail: (problem: Error) => void = () => undefined
  // A sound device logs nothing here. After an internal error the device would not respond, so a log line fails the
  // request.
  const emulator = createEmulator({ family, log: (said) => fail(new Error(said)) })
  const line = emulator.loop.attach({
    send(bytes) {
      received.push(Uint8Array.from(bytes))
      pieces.push({ direction: 'toHost', bytes: Uint8Array.from(bytes) })
      wake()
    },
    unplug: () => undefined,
  })
  return {
    emulator,
    pieces,
    async ask(bytes) {
      received = []
      const answered = new Promise<void>((resolve, reject) => {
        wake = resolve
        fail = reject
      })
      pieces.push({ direction: 'toDevice', bytes })
      line.receive(bytes)
      await answered
      return received
    },
    async close() {
      line.detach()
      await emulator.close()
    },
  }
}
