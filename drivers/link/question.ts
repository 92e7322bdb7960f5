import type { DeviceError } from '../model/errors.ts'
import type { ExchangeState } from './exchange.ts'
import type { AskOptions, LinkResponse } from './types.ts'

/** The query that is on the line, and the answer received so far. */
export interface Exchange<Frame> {
  readonly request: Uint8Array
  readonly options: AskOptions<Frame>
  readonly frames: Frame[]
  readonly beganAt: number
  state: ExchangeState
  retransmitted: boolean
  /** Number of writes of the request. */
  writes: number
  /** Number of bytes of the request that have come back so far; -1: other bytes arrived. */
  echoed: number
  /** Number of bytes of any kind since the query was sent. */
  receivedBytes: number
  /** Reason why the last write failed. */
  unsentBecause?: string
  readonly resolve: (response: LinkResponse<Frame>) => void
  readonly reject: (problem: DeviceError) => void
}

/**
 * Most bytes that a device may send for one query, busy bytes included, and most frames. The longest answers are
 * journals of a day, line by line; within its time a serial line carries a tenth of this.
 */
const HEARD_MAX = 16 * 1024 * 1024
const FRAMES_MAX = 200_000

/** Returns whether the device has sent more than any answer has. */
export const isFlood = ({ receivedBytes, frames }: Pick<Exchange<unknown>, 'receivedBytes' | 'frames'>): boolean =>
  receivedBytes > HEARD_MAX || frames.length > FRAMES_MAX

/** Period in which unasked bytes are counted, in ms. No serial line carries a tenth of `HEARD_MAX` in this time. */
export const UNSOLICITED_PERIOD_MS = 10_000

/** Counts bytes that arrive while no query is on the line: before, after and during pings. */
export class UnsolicitedBytes {
  #count = 0
  #since = Number.NEGATIVE_INFINITY

  /** Adds bytes. Returns true if more have arrived in this period than any answer has. */
  add(length: number, now: number): boolean {
    if (now - this.#since >= UNSOLICITED_PERIOD_MS) {
      this.#since = now
      this.#count = 0
    }
    this.#count += length
    return this.#count > HEARD_MAX
  }

  reset(): void {
    this.#since = Number.NEGATIVE_INFINITY
  }
}

/** Returns true if the whole request has come back. */
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
