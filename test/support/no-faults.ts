import type { Injector } from '../../emulator/faults/points.ts'

/** An injector without faults, on which a test overlays its own. */
export const noFaults: Injector = {
  watches: () => false,
  link: (_point, { bytes }) => ({ pieces: [{ bytes, afterMs: 0 }] }),
  command: () => ({}),
  memoryWrite: () => undefined,
  paperLine: () => undefined,
}
