import type { FrameView } from '../../../contract.ts'

/** A question of the host and what the device said to it: one row. */
export interface Exchange {
  /** Id of its first frame. */
  readonly id: number
  /** Absent: it was asked before the frames that are kept. */
  readonly ask?: FrameView
  readonly answers: readonly FrameView[]
}

/** A ping, or what a device says beside its answers. */
export const isSingleByte = ({ hex }: FrameView): boolean => hex.length <= 2

/**
 * Of what the device said next, without single bytes: it says with them that it is busy, or that it has read something.
 * The answer to a single byte (a ping of family C) is one.
 */
export const answersTo = (ask: FrameView | undefined, said: readonly FrameView[]): readonly FrameView[] =>
  ask && isSingleByte(ask) ? said : said.filter((frame) => !isSingleByte(frame))

/** In the order of the questions; frames stand oldest first. */
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
