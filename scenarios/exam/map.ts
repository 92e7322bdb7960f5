/** The map of a till: the commands that it sends for one sale, in order, as recorded in the baseline case. */
import type { Step } from '../../emulator/advice.ts'
import type { DecodedFrame } from '../../emulator/line/frame-log.ts'
import type { Wire } from '../../emulator/wire.ts'

export interface MapEntry {
  readonly command: string
  readonly n: number
  readonly kind: Step
  readonly isInside: boolean
  /** Sizes in bytes. `answerBytes` is 0 if the next frame is not an answer. */
  readonly requestBytes: number
  readonly answerBytes: number
}

/** Kinds of the command names that all families share (decisions 8). */
const KINDS: Readonly<Record<string, Step>> = {
  openFiscal: 'opening',
  sale: 'sale',
  saleByPlu: 'sale',
  payment: 'payment',
  closeFiscal: 'closing',
}

/** Minimum size of a frame with a command or an answer, in bytes. Pings and acknowledgements are shorter. */
const FRAME_MIN = 3

const bytesOf = ({ hex }: DecodedFrame): number => hex.split(' ').length
const isFrame = (frame: DecodedFrame): boolean => bytesOf(frame) >= FRAME_MIN

export function mapOf(frames: readonly DecodedFrame[], commands: Wire['commands']): MapEntry[] {
  const questions = new Set(commands.flatMap(({ name, changes }) => (changes === 'nothing' ? [name] : [])))
  const counts = new Map<string, number>()
  const entries: MapEntry[] = []
  for (const [index, frame] of frames.entries()) {
    if (frame.direction !== 'toDevice' || !isFrame(frame)) continue
    const { command } = frame
    const n = (counts.get(command) ?? 0) + 1
    counts.set(command, n)
    const next = frames.slice(index + 1).find((one) => isFrame(one))
    entries.push({
      command,
      n,
      kind: KINDS[command] ?? (questions.has(command) ? 'question' : 'other'),
      isInside: entries.some(({ kind }) => kind === 'opening'),
      requestBytes: bytesOf(frame),
      answerBytes: next?.direction === 'toHost' ? bytesOf(next) : 0,
    })
  }
  return entries
}

export const STANDARD_MAP: readonly MapEntry[] = ['openFiscal', 'saleByPlu', 'payment', 'closeFiscal'].map(
  (command) => ({ command, n: 1, kind: KINDS[command] ?? 'other', isInside: true, requestBytes: 0, answerBytes: 0 }),
)

export type Depth = 'quick' | 'full'

/**
 * Returns the commands at which faults are injected. `quick`: the first command of each kind of step, and inside a
 * receipt the first occurrence of each query.
 */
export function targets(map: readonly MapEntry[], depth: Depth): readonly MapEntry[] {
  if (depth === 'full') return map
  const seenKeys = new Set<string>()
  return map.filter(({ kind, command, isInside }) => {
    if (kind === 'other' || (kind === 'question' && !isInside)) return false
    const what = kind === 'question' ? command : kind
    if (seenKeys.has(what)) return false
    seenKeys.add(what)
    return true
  })
}
