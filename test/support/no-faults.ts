import type { Injector } from '../../emulator/faults/points.ts'

/** An injector without faults; tests replace single members. */
export const noFaults: Injector = {
  watches: () => false,
  link: (_point, { bytes }) => ({ pieces: [{ bytes, afterMs: 0 }] }),
  command: () => ({}),
  memoryWrite: () => undefined,
  paperLine: () => undefined,
}
