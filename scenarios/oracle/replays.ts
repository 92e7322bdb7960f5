import type { Ledger, Piece, ReplayOptions } from './ledger.ts'
import { replayA } from './replay-a.ts'
import { replayB } from './replay-b.ts'
import { replayC } from './replay-c.ts'

type Replay = (pieces: readonly Piece[], listening: ReplayOptions) => Ledger

export const replays: ReadonlyMap<string, Replay> = new Map([
  ['A', replayA],
  ['B', replayB],
  ['C', replayC],
])
