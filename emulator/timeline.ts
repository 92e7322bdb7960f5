import type { Money } from '../drivers/model/money.ts'
import type { FaultReport } from './faults/points.ts'
import type { DocumentKind } from './fiscal/types/day.ts'
import type { PaperState } from './fiscal/types/events.ts'
import { RingBuffer } from './ring-buffer.ts'

/** What happened to the device, in its order: wire, paper, display, hands and faults on one axis. The last moments are kept. */
type TimelineEvent =
  | { readonly is: 'frame'; readonly direction: 'toDevice' | 'toHost' }
  /** `line`: which one of the document, from 1. */
  | { readonly is: 'line'; readonly document: number; readonly line: number; readonly text: string }
  | { readonly is: 'document'; readonly document: number; readonly kind: DocumentKind; readonly number: number }
  | { readonly is: 'display'; readonly lines: readonly string[] }
  /** `time`: on the device's own clock. */
  | ({ readonly is: 'fault'; readonly time: string } & FaultReport)
  | ({ readonly is: 'state' } & Standing)
  /** A call of the control interface that changed something. */
  | { readonly is: 'hand'; readonly call: string; readonly body: unknown }
  | ({ readonly is: 'request' } & RequestNote)

/** A request of the service over the device, with its answer. */
export interface RequestNote {
  /** Its id. */
  readonly request: number
  readonly method: string
  readonly path: string
  /** Null: its client hung up before the answer. */
  readonly status: number | null
  readonly ms: number
  readonly message: string | null
}

/** What of the device changes from moment to moment. */
export interface Standing {
  readonly power: boolean
  readonly paper: PaperState
  readonly cover: boolean
  readonly cable: boolean
  readonly receipt: {
    readonly number: number
    readonly items: number
    readonly total: Money
    readonly paid: Money
  } | null
}

export type TimelineEntry = TimelineEvent & {
  readonly id: number
  /** Milliseconds of the emulator's clock. */
  readonly at: number
  /** The frame that it is, by which it came, or that a fault struck. */
  readonly frame?: number
}

/** All but frames, which are kept once, as what passed on the line. */
type Event = Exclude<TimelineEntry, { is: 'frame' }>
/** What is told of as a moment. */
export type RecordedEvent = Exclude<TimelineEvent, { is: 'frame' }>

export class MomentLog {
  readonly #kept: RingBuffer<Event>
  /** What the device stood at before the moments that are kept: of each kind the last one that had to go. */
  readonly #before = new Map<TimelineEvent['is'], Event>()
  #lastId = 0
  #standing: Standing | undefined

  constructor(capacity: number) {
    this.#kept = new RingBuffer(capacity)
  }

  /** The id of a moment that is kept elsewhere: a frame. */
  next(): number {
    return ++this.#lastId
  }

  add(at: number, happening: RecordedEvent, frame?: number): void {
    const oldest = this.#kept.push({ id: this.next(), at, ...(frame === undefined ? {} : { frame }), ...happening })
    if (oldest && LASTING.includes(oldest.is)) this.#before.set(oldest.is, oldest)
  }

  /** Kept when it is another one than before. */
  stand(at: number, standing: Standing, frame?: number): void {
    if (this.#standing && isSame(this.#standing, standing)) return
    this.#standing = standing
    this.add(at, { is: 'state', ...standing }, frame)
  }

  /** The device is another one: what was printed before has gone. Nothing from before is told any more. */
  forget(): void {
    this.#kept.clear()
    this.#before.clear()
    this.#standing = undefined
  }

  /** Oldest first, those behind the given id, and what stood before them. */
  after(id: number): readonly Event[] {
    const before = [...this.#before.values()].sort((one, other) => one.id - other.id)
    return [...before, ...this.#kept.from(0)].filter((moment) => moment.id > id)
  }
}

/** What stays as it is until another one comes. */
const LASTING: readonly TimelineEvent['is'][] = ['display', 'state', 'line']

const isSame = (one: Standing, other: Standing): boolean =>
  one.power === other.power &&
  one.paper === other.paper &&
  one.cover === other.cover &&
  one.cable === other.cable &&
  one.receipt?.number === other.receipt?.number &&
  one.receipt?.items === other.receipt?.items &&
  one.receipt?.total === other.receipt?.total &&
  one.receipt?.paid === other.receipt?.paid
