import type { LinkDialect } from '../link/types.ts'
import { type DeviceFrame, deviceShape, NACK, RETRY } from './protocol/frame.ts'
import { PING_STATE, readPing } from './protocol/unframed.ts'

/** How family C asks and is answered: sheet 2.2, 2.4 and the driver's values of 2.6. */
export const dialect: LinkDialect<DeviceFrame> = {
  shape: deviceShape,
  rules: {
    // NACK: the frame is sent three times more.
    writes: 4,
    firstByteMs: 3_000,
    gapMs: 500,
    totalMs: 15_000,
    refusedByte: NACK,
    laterByte: { byte: RETRY, pauseMs: 100 },
    // The device executes a repeated frame once more (sheet 2.4), so the driver asks what has happened.
    afterSilence: 'give up',
  },
  matches(answer, request) {
    switch (answer.kind) {
      case 'widths':
        return request[0] === 0x1d
      case 'ack':
        return answer.number === request[2]
      case 'message':
        return answer.number === request[2] && answer.code === request[3]
    }
  },
  isNotYet: (byte, request) => request.length === 1 && request[0] === PING_STATE && readPing(byte)?.busy === true,
}
