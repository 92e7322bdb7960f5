import type { Money } from '../drivers/model/money.ts'
import type { FaultReport } from './faults/points.ts'
import type { DocumentKind } from './fiscal/types/day.ts'
import type { PaperState } from './fiscal/types/events.ts'
import { RingBuffer } from './ring-buffer.ts'

/**
 * An event in the timeline of a device, which contains wire, paper, display, manual actions and faults in one order.
 */
type TimelineEvent =
  | { readonly is: 'frame'; readonly direction: 'toDevice' | 'toHost' }
  /** `line` is the number of the line within the document, from 1. */
  | { readonly is: 'line'; readonly document: number; readonly line: number; readonly text: string }
  | { readonly is: 'document'; readonly document: number; readonly kind: DocumentKind; readonly number: number }
  | { readonly is: 'display'; readonly lines: readonly string[] }
  | ({ readonly is: 'fault'; readonly time: string } & FaultReport)
  | ({ readonly is: 'state' } & DeviceState)
  /** A call of the control API that changed the device. */
  | { readonly is: 'hand'; readonly call: string; readonly body: unknown }
  | ({ readonly is: 'request' } & RequestNote)

/** A request of a client to the service, with the answer. */
export interface RequestNote {
  readonly request: number
  readonly method: string
  readonly path: string
  /** `null` if the client disconnected before the answer. */
  readonly status: number | null
  readonly ms: number
  readonly message: string | null
}

export interface DeviceState {
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
  /** Time on the emulator's clock, in ms. */
  readonly at: number
  /** Id of the frame of the entry, of the frame that caused it, or of the frame that a fault changed. */
  readonly frame?: number
}

/** A stored entry. Frames are only in the frame log. */
type Event = Exclude<TimelineEntry, { is: 'frame' }>
export type RecordedEvent = Exclude<TimelineEvent, { is: 'frame' }>

export class Timeline {
  readonly #entries: RingBuffer<Event>
  /** The state before the stored entries: the last dropped entry of each persistent kind. */
  readonly #before = new Map<TimelineEvent['is'], Event>()
  #lastId = 0
  #lastState: DeviceState | undefined

  constructor(capacity: number) {
    this.#entries = new RingBuffer(capacity)
  }

  /** Returns the next position, for a frame, which is stored in the frame log. */
  next(): number {
    return ++this.#lastId
  }

  add(at: number, recorded: RecordedEvent, frame?: number): void {
    const oldest = this.#entries.push({ id: this.next(), at, ...(frame === undefined ? {} : { frame }), ...recorded })
    if (oldest && PERSISTENT_KINDS.includes(oldest.is)) this.#before.set(oldest.is, oldest)
  }

  recordState(at: number, state: DeviceState, frame?: number): void {
    if (this.#lastState && isSame(this.#lastState, state)) return
    this.#lastState = state
    this.add(at, { is: 'state', ...state }, frame)
  }

  forget(): void {
    this.#entries.clear()
    this.#before.clear()
    this.#lastState = undefined
  }

  /**
   * Returns the entries after the given id, oldest first. They include the last dropped entry of each kind in
   * `PERSISTENT_KINDS`, which may still be valid.
   */
  after(id: number): readonly Event[] {
    const before = [...this.#before.values()].sort((one, other) => one.id - other.id)
    return [...before, ...this.#entries.from(0)].filter((entry) => entry.id > id)
  }
}

/** Kinds whose last entry remains valid until the next one. */
const PERSISTENT_KINDS: readonly TimelineEvent['is'][] = ['display', 'state', 'line']

const isSame = (one: DeviceState, other: DeviceState): boolean =>
  one.power === other.power &&
  one.paper === other.paper &&
  one.cover === other.cover &&
  one.cable === other.cable &&
  one.receipt?.number === other.receipt?.number &&
  one.receipt?.items === other.receipt?.items &&
  one.receipt?.total === other.receipt?.total &&
  one.receipt?.paid === other.receipt?.paid
