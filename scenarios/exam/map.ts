/** The commands that a till sends for one sale, in their order: drawn from the baseline case, by occurrence. */
import type { Step } from '../../emulator/advice.ts'
import type { DecodedFrame } from '../../emulator/line/frame-log.ts'
import type { Wire } from '../../emulator/wire.ts'

export interface MapEntry {
  readonly command: string
  /** The n-th time that the till sends it, from 1. */
  readonly n: number
  readonly kind: Step
  /** It comes behind the first opening. */
  readonly isInside: boolean
  /** Bytes of the frame and of what answers it; 0: nothing did. */
  readonly requestBytes: number
  readonly answerBytes: number
}

/** Names that are the same in every family (decisions 8). */
const KINDS: Readonly<Record<string, Step>> = {
  openFiscal: 'opening',
  sale: 'sale',
  saleByPlu: 'sale',
  payment: 'payment',
  closeFiscal: 'closing',
}

/** Frames of a wire are longer than its pings and acknowledgements. */
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

/** What is asked of a till whose map is not known: the four commands that every one sends. */
export const STANDARD_MAP: readonly MapEntry[] = ['openFiscal', 'saleByPlu', 'payment', 'closeFiscal'].map(
  (command) => ({ command, n: 1, kind: KINDS[command] ?? 'other', isInside: true, requestBytes: 0, answerBytes: 0 }),
)

export type Depth = 'quick' | 'full'

/** `quick`: the first of each kind of step, and the first of each question that is asked inside the receipt. */
export function targets(map: readonly MapEntry[], depth: Depth): readonly MapEntry[] {
  if (depth === 'full') return map
  const seen = new Set<string>()
  return map.filter(({ kind, command, isInside }) => {
    if (kind === 'other' || (kind === 'question' && !isInside)) return false
    const what = kind === 'question' ? command : kind
    if (seen.has(what)) return false
    seen.add(what)
    return true
  })
}
