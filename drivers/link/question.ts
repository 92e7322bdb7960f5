import type { DeviceError } from '../model/errors.ts'
import type { ExchangeState } from './exchange.ts'
import type { AskOptions, LinkResponse } from './types.ts'

export interface Exchange<Frame> {
  readonly request: Uint8Array
  readonly options: AskOptions<Frame>
  readonly frames: Frame[]
  readonly beganAt: number
  state: ExchangeState
  retransmitted: boolean
  writes: number
  echoed: number
  receivedBytes: number
  unsentBecause?: string
  readonly resolve: (response: LinkResponse<Frame>) => void
  readonly reject: (problem: DeviceError) => void
}

/**
 * Maximum number of bytes and of frames that a device may send for one query. The longest answers are electronic
 * journals of a day. A serial line carries a tenth of this in the time of a query.
 */
const RECEIVED_MAX = 16 * 1024 * 1024
const FRAMES_MAX = 200_000

export const isFlood = ({ receivedBytes, frames }: Pick<Exchange<unknown>, 'receivedBytes' | 'frames'>): boolean =>
  receivedBytes > RECEIVED_MAX || frames.length > FRAMES_MAX

/**
 * Period in which unsolicited bytes are counted, in ms. No serial line carries a tenth of `RECEIVED_MAX` in that time.
 */
export const UNSOLICITED_PERIOD_MS = 10_000

export class UnsolicitedBytes {
  #count = 0
  #since = Number.NEGATIVE_INFINITY

  add(length: number, now: number): boolean {
    if (now - this.#since >= UNSOLICITED_PERIOD_MS) {
      this.#since = now
      this.#count = 0
    }
    this.#count += length
    return this.#count > RECEIVED_MAX
  }

  reset(): void {
    this.#since = Number.NEGATIVE_INFINITY
  }
}

export function isEcho(exchange: Pick<Exchange<unknown>, 'request' | 'echoed'>, bytes: Uint8Array): boolean {
  if (exchange.echoed < 0) return false
  for (const byte of bytes) {
    if (byte !== exchange.request[exchange.echoed]) {
      exchange.echoed = -1
      return false
    }
    exchange.echoed++
    if (exchange.echoed === exchange.request.length) return true
  }
  return false
}
