import type { Clock } from '../model/clock.ts'
import type { DeviceProblem } from '../model/errors.ts'
import type { PrintResult } from '../model/printer.ts'
import type { FrameShape } from '../wire/deframer.ts'

/** The times of a family's exchange and the meaning of single bytes: the data of the state machine in exchange.ts. */
export interface ExchangeRules {
  /** Maximum number of writes of one frame: the first write and the retransmissions. */
  readonly writes: number
  /** Time from the end of a write to the first byte of any kind. */
  readonly firstByteMs: number
  /** Maximum time between busy bytes, and between the bytes of a frame. */
  readonly gapMs: number
  /** Time of the whole command, busy bytes included, unless the command declares another. */
  readonly totalMs: number
  /** "Still working": restarts the wait. Absent if the device is silent until it has finished. */
  readonly busyByte?: number
  /** "Your frame was damaged": the link retransmits the frame. */
  readonly refusedByte: number
  /** "Still busy with the previous command": the link retransmits the frame after a pause. */
  readonly laterByte?: { readonly byte: number; readonly pauseMs: number }
  /**
   * The reaction to silence or a refusal: `repeat` retransmits (A, B: the device recognizes a retransmission); `give
   * up` fails if the command must not be executed twice, and the driver queries the device (C).
   */
  readonly afterSilence: 'repeat' | 'give up'
}

/**
 * The rules of a family's link: the rules of its exchange, the shape of its frames, which frame answers which request,
 * and how a device shows that it waits for a person.
 */
export interface LinkRules<Frame> extends ExchangeRules {
  readonly shape: FrameShape<Frame>
  /** Returns whether the frame answers the request. The link skips an answer to an earlier number. */
  matches(answer: Frame, request: Uint8Array): boolean
  /**
   * Returns whether the frame has the number of the request but answers another command: the device takes the request
   * for a retransmission. Absent if the devices recognize no retransmissions.
   */
  isOfNumber?(answer: Frame, request: Uint8Array): boolean
  /**
   * The sign that a device waits for a person in the middle of a command: `busy` for longer than such commands take, or
   * an answer to the loose byte `ask`. Absent if the device reports a missing condition at once instead of waiting.
   */
  readonly waiting?: 'busy' | { readonly ask: number; isWaiting(byte: number): boolean | undefined }
  /** Returns whether this loose byte, besides `laterByte`, means "not yet" as an answer to that request. */
  isNotYet?(byte: number, request: Uint8Array): boolean
}

export interface AskOptions<Frame> {
  readonly totalMs?: number
  readonly firstByteMs?: number
  /**
   * The device may execute something that must not happen twice: silence is `outcomeUnknown`, not `noAnswer`. The
   * command applies to the device at the open port, so `ask` does not open the port.
   */
  readonly fiscal?: boolean
  /** A fiscal command that the link does not retransmit: silence fails at once, and the driver queries the device. */
  readonly once?: boolean
  /** The command prints on a receipt: if the device is busy for long, it may be waiting for paper. */
  readonly mayWait?: boolean
  readonly name: string
  /** Returns whether the frame is the last one. Present if an answer has several frames. */
  readonly until?: (frame: Frame) => boolean
}

export interface LinkResponse<Frame> extends PrintResult {
  /** The only frame; with `until`, all frames up to and including the last one. */
  readonly frames: readonly Frame[]
}

/** A connection to one device, one query at a time. Rejects with DeviceError only. Implemented by link.ts. */
export interface Link<Frame> {
  open(): Promise<void>
  close(): Promise<void>
  readonly isOpen: boolean
  /**
   * A number that remains the same while this program holds the line without interruption, so that no other program
   * could use the line.
   */
  readonly hold: number
  /**
   * Records that no byte answered a query. After two such queries in a row `hold` changes: if a cable is moved to
   * another computer at its far end, the port remains open, and only the silence shows the move.
   */
  unanswered(): void
  /**
   * Records that a fiscal command was not acknowledged, or was refused after a retransmission. On a shared port,
   * another program may have used the device in the meantime.
   */
  doubtIfShared(): void
  readonly retransmissions: number
  /** Returns the problem that a missing answer means: no device, or a device of which no byte was understood. */
  silence(): DeviceProblem
  note(line: string): void
  connectionLost(why: string): DeviceProblem
  readonly isUnanswered: boolean
  /** Registers a callback for commands that may be waiting for a person; called once for each command. */
  onWaiting(call: () => void): void
  /** Registers a callback for each opening of the port: sequence numbers and detection start again. */
  onOpened(call: () => void): void
  ask(request: Uint8Array, options: AskOptions<Frame>): Promise<LinkResponse<Frame>>
  /**
   * Sends loose bytes and waits for one loose byte that is `expected` (C's pings); resolves to `undefined` after
   * silence.
   */
  ping(bytes: Uint8Array, expected: (byte: number) => boolean, waitMs: number): Promise<number | undefined>
  /** Sends one byte without waiting for an answer (B's acknowledgement of a streamed line). */
  write(bytes: Uint8Array): Promise<void>
  readonly clock: Clock
}

export type TraceListener = (entry: {
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly bytes: Uint8Array
}) => void
