import type { Clock } from '../drivers/model/clock.ts'
import { isOnItsWay } from './faults/effects.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import type { OpenReceipt } from './fiscal/types/receipt.ts'
import type { DeviceLoop } from './line/device-loop.ts'
import type { FrameLog } from './line/frame-log.ts'
import { type DeviceState, type RecordedEvent, type RequestNote, Timeline, type TimelineEntry } from './timeline.ts'
import type { EmulatorEvent } from './types.ts'

type DeviceEvent = Exclude<EmulatorEvent, { type: 'frame' }>

interface TimelineRecorder {
  /** Events of the books before this call are not recorded, because the device is not complete. */
  begin(device: FiscalDevice, loop: DeviceLoop): void
  /** Must be called when the device was replaced; drops all entries. */
  forget(): void
  note(event: DeviceEvent): void
  nextFrame(): number
  noteControl(call: string, body: unknown): void
  noteRequest(request: RequestNote): void
  after(id?: number): readonly TimelineEntry[]
}

/** Number of stored entries (lines, display contents, states) per stored frame. */
const ENTRIES_PER_FRAME = 2

/** Records each event of the device with the frame that caused it, followed by the new state of the device. */
export function createTimelineRecorder(clock: Clock, frames: FrameLog, isPluggedIn: () => boolean): TimelineRecorder {
  const timeline = new Timeline(ENTRIES_PER_FRAME * frames.capacity)
  /** Frames with an earlier position belong to a replaced device. */
  let since = 0
  let made: { readonly device: FiscalDevice; readonly loop: DeviceLoop } | undefined
  const note = (event: DeviceEvent): void => {
    if (!made) return
    const { device, loop } = made
    const frame = isOfAnswer(event) ? frames.last : loop.executing ? frames.lastRequest : undefined
    const at = clock.wallTime()
    const recorded = recordedEventOf(event, device)
    if (recorded) timeline.add(at, recorded, frame)
    timeline.recordState(at, deviceStateOf(device, loop.power, isPluggedIn()), frame)
  }
  const noteDisplay = () => made && note({ type: 'display', lines: made.device.display.lines })
  return {
    begin(device, loop) {
      made = { device, loop }
      noteDisplay()
    },
    forget() {
      timeline.forget()
      since = timeline.next()
      noteDisplay()
    },
    note,
    nextFrame: () => timeline.next(),
    noteControl: (call, body) => timeline.add(clock.wallTime(), { is: 'hand', call, body }),
    noteRequest: (request) => timeline.add(clock.wallTime(), { is: 'request', ...request }),
    after(id = 0) {
      const passed = frames
        .after()
        .filter(({ moment }) => moment > Math.max(id, since))
        .map(({ moment, at, direction, id: frame }) => ({ id: moment, at, frame, is: 'frame' as const, direction }))
      const all = [...passed, ...timeline.after(id)].sort((one, other) => one.id - other.id)
      return withRequestFrames(all)
    },
  }
}

/** Faults of an answer are reported after the answer's frame. */
const isOfAnswer = (event: DeviceEvent): boolean => event.type === 'fault' && event.point === 'link.toHost'

/** Faults of requests are reported before the request arrives. The next frame to the device is the request. */
function withRequestFrames(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  let next: number | undefined
  return entries
    .toReversed()
    .map((entry) => {
      if (entry.is === 'frame' && entry.direction === 'toDevice') next = entry.frame
      return entry.is === 'fault' && next !== undefined && isOnItsWay(entry) ? { ...entry, frame: next } : entry
    })
    .toReversed()
}

function recordedEventOf(event: DeviceEvent, device: FiscalDevice): RecordedEvent | undefined {
  switch (event.type) {
    case 'line':
      return { is: 'line', document: event.document, line: event.line, text: event.text }
    case 'document':
      return { is: 'document', document: event.id, kind: event.kind, number: event.number }
    case 'display':
      return { is: 'display', lines: event.lines }
    case 'fault': {
      const { type: _type, ...report } = event
      return { is: 'fault', time: device.localTime(), ...report }
    }
    case 'state':
    case 'drawer':
      return undefined
  }
}

function deviceStateOf({ mechanism, receipt }: FiscalDevice, power: boolean, cable: boolean): DeviceState {
  const { paper, coverOpen: cover } = mechanism
  return { power, paper, cover, cable, receipt: receipt && sumsOf(receipt) }
}

function sumsOf(receipt: OpenReceipt): DeviceState['receipt'] {
  if (receipt.kind === 'nonFiscal') return { number: receipt.document, items: 0, total: 0, paid: 0 }
  const { document: number, items, total, paid } = receipt.fiscal
  return { number, items, total, paid }
}
