import type { FrameView } from '../../../contract.ts'

export interface Exchange {
  readonly id: number
  /** Absent if the request is older than the stored frames. */
  readonly ask?: FrameView
  readonly answers: readonly FrameView[]
}

/** A single byte is a ping, or a byte that the device sends in addition to responses. */
export const isSingleByte = ({ hex }: FrameView): boolean => hex.length <= 2

/**
 * Returns the responses among the frames after a request. With single bytes, the device reports that it is busy or has
 * received data. They are no responses, except to a single byte (a ping of family C).
 */
export const answersTo = (ask: FrameView | undefined, frames: readonly FrameView[]): readonly FrameView[] =>
  ask && isSingleByte(ask) ? frames : frames.filter((frame) => !isSingleByte(frame))

/** Groups frames into exchanges, in the order of the requests. `frames` must be sorted, oldest first. */
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
