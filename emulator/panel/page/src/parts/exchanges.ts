import type { FrameView } from '../../../contract.ts'

/** A request of the host and the device's answers: one row. */
export interface Exchange {
  /** Id of its first frame. */
  readonly id: number
  /** Absent: the request is older than the stored frames. */
  readonly ask?: FrameView
  readonly answers: readonly FrameView[]
}

/** A ping, or a byte that the device sends besides its answers. */
export const isSingleByte = ({ hex }: FrameView): boolean => hex.length <= 2

/**
 * Returns the answers among the frames that followed: without single bytes, by which the device reports that it is busy
 * or has received data. The answer to a single byte (a ping of family C) is a single byte too.
 */
export const answersTo = (ask: FrameView | undefined, frames: readonly FrameView[]): readonly FrameView[] =>
  ask && isSingleByte(ask) ? frames : frames.filter((frame) => !isSingleByte(frame))

/** Groups frames into exchanges, in the order of the requests. `frames`: oldest first. */
export function exchangesOf(frames: readonly FrameView[]): readonly Exchange[] {
  const exchanges: { id: number; ask?: FrameView; answers: FrameView[] }[] = []
  for (const frame of frames) {
    const last = exchanges.at(-1)
    if (frame.direction === 'toDevice') exchanges.push({ id: frame.id, ask: frame, answers: [] })
    else if (last) last.answers.push(frame)
    else exchanges.push({ id: frame.id, answers: [frame] })
  }
  return exchanges.map((one) => ({ ...one, answers: answersTo(one.ask, one.answers) }))
}
