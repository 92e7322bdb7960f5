import type { Clock } from '../model/clock.ts'
import type { DeviceProblem } from '../model/errors.ts'
import type { PrintResult } from '../model/printer.ts'
import type { FrameShape } from '../wire/deframer.ts'

/** Times of a family's exchanges and meanings of its single bytes. Data for the state machine in exchange.ts. */
export interface ExchangeRules {
  readonly writes: number
  /** Time from the end of a write to the first byte of any kind, in ms. */
  readonly firstByteMs: number
  /** Maximum time between busy bytes, and between the bytes of a frame, in ms. */
  readonly gapMs: number
  readonly totalMs: number
  /** "Still working": restarts the wait. Absent if the device sends nothing until it has finished. */
  readonly busyByte?: number
  /** "Your frame was damaged": the link retransmits the frame. */
  readonly refusedByte: number
  /** "Still busy with an earlier command": the link retransmits the frame after a pause. */
  readonly laterByte?: { readonly byte: number; readonly pauseMs: number }
  /**
   * Reaction to silence or a refusal. `repeat` retransmits, because the device recognizes retransmissions (families A
   * and B). `give up` fails if the command must not be executed twice, and the driver queries the device (family C).
   */
  readonly afterSilence: 'repeat' | 'give up'
}

/** Rules of a family's link: its exchanges, its frames, and the signs of a device that waits for a person. */
export interface LinkRules<Frame> extends ExchangeRules {
  readonly shape: FrameShape<Frame>
  matches(answer: Frame, request: Uint8Array): boolean
  /**
   * Returns whether the frame has the number of the request but answers another command. Absent if the devices do not
   * recognize retransmissions.
   */
  isOfNumber?(answer: Frame, request: Uint8Array): boolean
  /**
   * Sign of a device that waits for a person during a command: `busy` for an unusually long time, or an answer to the
   * loose byte `ask`. Absent if the device reports the missing condition at once.
   */
  readonly waiting?: 'busy' | { readonly ask: number; isWaiting(byte: number): boolean | undefined }
  /** Returns whether this loose byte, besides `laterByte`, means "not yet" as an answer to that request. */
  isNotYet?(byte: number, request: Uint8Array): boolean
}

export interface AskOptions<Frame> {
  readonly totalMs?: number
  readonly firstByteMs?: number
  /**
   * The device may execute something that must not happen twice. Silence is then `outcomeUnknown` instead of
   * `noAnswer`. The command concerns the device at the open port, so `ask` does not open the port.
   */
  readonly fiscal?: boolean
  /**
   * The link does not retransmit this fiscal command. After silence it fails at once, and the driver queries the
   * device.
   */
  readonly once?: boolean
  /** The command prints on a receipt, so a device that is busy for long may be waiting for paper. */
  readonly mayWait?: boolean
  readonly name: string
  /** Returns whether the frame is the last one. Present only if an answer has several frames. */
  readonly until?: (frame: Frame) => boolean
}

export interface LinkResponse<Frame> extends PrintResult {
  readonly frames: readonly Frame[]
}

/** A connection to one device, with one query at a time. Rejects with DeviceError only. Implemented by link.ts. */
export interface Link<Frame> {
  open(): Promise<void>
  close(): Promise<void>
  readonly isOpen: boolean
  /**
   * A number that does not change as long as this program holds the line without interruption, so that no other program
   * can use it.
   */
  readonly hold: number
  /**
   * Records that no byte answered a query. After two such queries in a row, or the first one on a shared port, `hold`
   * changes. If a cable is moved to another computer at its far end, the port remains open and only the silence shows
   * the move.
   */
  unanswered(): void
  /**
   * Records that a fiscal command was not acknowledged, or was refused after a retransmission. On a shared port,
   * another program may have used the device in the meantime.
   */
  doubtIfShared(): void
  readonly retransmissions: number
  /** Returns the problem that a missing answer means: no device, or a device of which no valid byte was received. */
  silence(): DeviceProblem
  note(line: string): void
  connectionLost(why: string): DeviceProblem
  readonly isUnanswered: boolean
  onWaiting(call: () => void): void
  onOpened(call: () => void): void
  ask(request: Uint8Array, options: AskOptions<Frame>): Promise<LinkResponse<Frame>>
  /**
   * Sends loose bytes and waits for one loose byte for which `expected` returns true (pings of family C). Resolves to
   * `undefined` after silence.
   */
  ping(bytes: Uint8Array, expected: (byte: number) => boolean, waitMs: number): Promise<number | undefined>
  /** Sends bytes without waiting for an answer (acknowledgement of a streamed line of family B). */
  write(bytes: Uint8Array): Promise<void>
  readonly clock: Clock
}

export type TraceListener = (entry: {
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly bytes: Uint8Array
}) => void
