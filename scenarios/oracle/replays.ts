/** The replays by family. */
import type { Ledger, Listening, Piece } from './ledger.ts'
import { replayA } from './replay-a.ts'
import { replayB } from './replay-b.ts'
import { replayC } from './replay-c.ts'

type Replay = (pieces: readonly Piece[], listening: Listening) => Ledger

export const replays: ReadonlyMap<string, Replay> = new Map([
  ['A', replayA],
  ['B', replayB],
  ['C', replayC],
])
