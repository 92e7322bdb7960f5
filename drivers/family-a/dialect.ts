import type { LinkDialect } from '../link/types.ts'
import { answers, type DeviceFrame, deviceShape, NAK, SYN } from './protocol/frame.ts'

/** How family A asks and is answered: sheet 2.4 to 2.6, the driver's values of 2.5. */
export const dialect: LinkDialect<DeviceFrame> = {
  shape: deviceShape,
  rules: {
    writes: 3,
    firstByteMs: 500,
    gapMs: 1_000,
    totalMs: 15_000,
    busyByte: SYN,
    refusedByte: NAK,
    // The device knows a repeat by its SEQ and answers it from memory.
    afterSilence: 'repeat',
  },
  matches: answers,
}
