import type { FrameView } from '../../../contract.ts'

/** A question of the host and what the device said to it: one row. */
export interface Exchange {
  /** Id of its first frame. */
  readonly id: number
  /** Absent: it was asked before the frames that are kept. */
  readonly ask?: FrameView
  /** Without single bytes: the device says with them that it is busy, or that it has read something. */
  readonly answers: readonly FrameView[]
}

const isSingleByte = ({ hex }: FrameView): boolean => hex.length <= 2

/** In the order of the questions; frames stand oldest first. */
export function exchangesOf(frames: readonly FrameView[]): readonly Exchange[] {
  const exchanges: { id: number; ask?: FrameView; answers: FrameView[] }[] = []
  for (const frame of frames) {
    const last = exchanges.at(-1)
    if (frame.direction === 'toDevice') exchanges.push({ id: frame.id, ask: frame, answers: [] })
    else if (!last) exchanges.push({ id: frame.id, answers: isSingleByte(frame) ? [] : [frame] })
    else if (!isSingleByte(frame)) last.answers.push(frame)
  }
  return exchanges
}
