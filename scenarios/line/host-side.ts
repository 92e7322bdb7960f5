import type { Port, PortOpener } from '../../drivers/link/port.ts'
import type { Clock, SimulatedClock } from '../../drivers/model/clock.ts'
import { answerFrames, type Exchange, type FrameDecoder, isPostponed } from './frames.ts'

export type Player = (exchange: Exchange) => Promise<Uint8Array>

const SILENCE_MS = 3000
const NONE_MS = 60
/**
 * Pause before a postponed query is sent again, in ms, and maximum number of attempts: a report takes a minute at most.
 */
const POSTPONED_MS = 100
const POSTPONED_ATTEMPTS = 600

interface HostTraffic {
  readonly port: Port
  take(): Uint8Array
  onMore(call: () => void): void
}

async function listenOn(opener: PortOpener, onLost: (why: string) => void): Promise<HostTraffic> {
  let pieces: Uint8Array[] = []
  let onMore: () => void = () => undefined
  const port = await opener({
    onData: (bytes) => {
      pieces.push(bytes.slice())
      onMore()
    },
    onLost,
  })
  return {
    port,
    take() {
      const bytes = Buffer.concat(pieces)
      pieces = []
      return bytes
    },
    onMore(call) {
      onMore = call
    },
  }
}

interface RunningPlayer {
  readonly play: Player
  close(): Promise<void>
}

interface PlayerOptions {
  readonly opener: PortOpener
  readonly meaning: FrameDecoder
  readonly clock: Clock
}

/** Replays in real time. `play` rejects if the device was lost. */
export async function playOn({ opener, meaning, clock }: PlayerOptions): Promise<RunningPlayer> {
  let lostReason: string | undefined
  const traffic = await listenOn(opener, (why) => {
    lostReason = why
  })
  const enough = (expected: number, sofar: Uint8Array) => lengthOf(sofar, meaning) >= expected
  async function ask({ ask: question, answer }: Exchange): Promise<Uint8Array> {
    const expected = lengthOf(answer, meaning)
    let got = Buffer.from(traffic.take())
    await traffic.port.write(question)
    for (;;) {
      const isUnanswered = await silence(traffic, clock, expected === 0 || enough(expected, got) ? NONE_MS : SILENCE_MS)
      got = Buffer.concat([got, traffic.take()])
      if (lostReason !== undefined) throw new Error(`the device was lost: ${lostReason}`)
      // Further bytes belong to the next answer, or are a difference.
      if (isUnanswered || (expected > 0 && enough(expected, got))) return got
    }
  }
  return {
    async play(exchange) {
      let got = await ask(exchange)
      for (let times = 0; times < POSTPONED_ATTEMPTS && isPostponed(exchange.ask, got, meaning); times++) {
        await silence(traffic, clock, POSTPONED_MS)
        got = await ask(exchange)
      }
      return got
    },
    close: () => traffic.port.close(),
  }
}

/** Resolves to true after a silence, and to false when bytes arrive. */
function silence(traffic: HostTraffic, clock: Clock, forMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(forMs, () => resolve(true))
    traffic.onMore(() => {
      cancel()
      resolve(false)
    })
  })
}

/**
 * Replays in simulated time. The clock advances to the recorded time of each exchange, so that the device prints the
 * recorded times.
 */
export async function playSimulated({
  opener,
  meaning,
  clock,
}: PlayerOptions & { readonly clock: SimulatedClock }): Promise<RunningPlayer> {
  const traffic = await listenOn(opener, () => undefined)
  return {
    async play({ at, ask, answer }) {
      const expected = lengthOf(answer, meaning)
      if (at > clock.wallTime()) clock.advance(at - clock.wallTime())
      let got = Buffer.from(traffic.take())
      await traffic.port.write(ask)
      const until = clock.now() + SILENCE_MS
      for (;;) {
        await turn()
        got = Buffer.concat([got, traffic.take()])
        const next = clock.next()
        const isWhole = expected > 0 && lengthOf(got, meaning) >= expected
        if (isWhole || expected === 0 || next === undefined || next > until) return got
        clock.jump()
      }
    },
    close: () => traffic.port.close(),
  }
}

async function turn(): Promise<void> {
  for (let n = 0; n < 2; n++) await new Promise((done) => setImmediate(done))
}

const lengthOf = (answer: Uint8Array, meaning: FrameDecoder): number =>
  answerFrames(answer, meaning).reduce((sum, { bytes }) => sum + bytes.length, 0)
