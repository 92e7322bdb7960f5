import type { Clock } from '../model/clock.ts'
import type { DeviceProblem } from '../model/errors.ts'
import type { PrintResult } from '../model/printer.ts'
import type { FrameShape } from '../wire/deframer.ts'

/** The times of a family's exchange and the meaning of single bytes in it: the data of the machine in exchange.ts. */
export interface ExchangeRules {
  /** Number of writes of one frame altogether: the first and its retransmissions. */
  readonly writes: number
  /** Time from the end of a write to the first byte of any kind. */
  readonly firstByteMs: number
  /** Time between busy bytes, and between the bytes of a frame. */
  readonly gapMs: number
  /** Time of the whole command, busy bytes included, unless the command declares another. */
  readonly totalMs: number
  /** "Still working": restarts the wait. Absent: the device is silent until it is done. */
  readonly busyByte?: number
  /** "Your frame was damaged": the link writes the same frame again. */
  readonly refusedByte: number
  /** "Still busy with the command before": the link writes the same frame again after a pause. */
  readonly laterByte?: { readonly byte: number; readonly pauseMs: number }
  /**
   * The reaction to silence or a refusal: `repeat` the same bytes (A, B: the device recognizes a retransmission), or
   * `give up` on a command that must not be executed twice: the driver queries the device (C).
   */
  readonly afterSilence: 'repeat' | 'give up'
}

/**
 * The rules of a family's link: the rules of its exchange, the shape of its frames, which frame answers which request,
 * and how a device shows that it is waiting.
 */
export interface LinkRules<Frame> extends ExchangeRules {
  readonly shape: FrameShape<Frame>
  /** Returns whether the frame answers the request. The link skips an answer to an earlier number. */
  matches(answer: Frame, request: Uint8Array): boolean
  /**
   * Returns whether the frame has the request's number and answers another command: the device takes the request for a
   * retransmission. Absent: the device recognizes no retransmissions.
   */
  isOfNumber?(answer: Frame, request: Uint8Array): boolean
  /**
   * The sign that a device waits for a person in the middle of a command: `busy`, it reports busy for longer than such
   * commands take; or it answers a loose byte during that time. Absent: it does not wait, and reports at once what is
   * missing.
   */
  readonly waiting?: 'busy' | { readonly ask: number; isWaiting(byte: number): boolean | undefined }
  /**
   * Returns whether this loose byte, besides `laterByte`, is a "not yet" to that request, so that the host asks again.
   */
  isNotYet?(byte: number, request: Uint8Array): boolean
}

export interface AskOptions<Frame> {
  readonly totalMs?: number
  readonly firstByteMs?: number
  /**
   * The device may do something that must not be done twice: silence is `outcomeUnknown`, not `noAnswer`. The command
   * is for the device found at the open port: it does not open one.
   */
  readonly fiscal?: boolean
  /** A fiscal command that the link does not retransmit: silence fails at once, and the driver queries the device. */
  readonly once?: boolean
  /** The command prints on a receipt: a device that is busy with it for long may be waiting for paper. */
  readonly mayWait?: boolean
  /** Name in the trace and the log. */
  readonly name: string
  /** More frames follow the answer: the link collects them until this returns true for the last one. */
  readonly until?: (frame: Frame) => boolean
}

/** The outcome of a request. `retransmitted`: a fiscal command was sent more than once. */
export interface LinkResponse<Frame> extends PrintResult {
  /** One frame; with `until`, all frames up to and including the last one. */
  readonly frames: readonly Frame[]
}

/** A connection to one device, one query at a time. Rejects with DeviceError only. Implemented by link.ts. */
export interface Link<Frame> {
  /** Opens the port unless it is open. */
  open(): Promise<void>
  close(): Promise<void>
  readonly isOpen: boolean
  /**
   * A number that is the same as long as this program holds the line without a break: no other program could use it.
   */
  readonly hold: number
  /**
   * Records that no byte answered a query. After two such queries in a row the hold is not certain any more: a cable
   * that is moved to another computer at its far end leaves the port open, and only the silence shows it.
   */
  unanswered(): void
  /**
   * Records that a fiscal command was not acknowledged, or was refused after a retransmission: a device at an address
   * may have served another program in between.
   */
  doubtIfShared(): void
  /** Number of retransmissions because no answer was understood. */
  readonly retransmissions: number
  /**
   * Returns the meaning of a missing answer: no device is connected, or a device of which no byte was understood so
   * far.
   */
  silence(): DeviceProblem
  /** Writes a line to the log. */
  note(line: string): void
  /** Returns the problem of a device that is not connected any more. */
  connectionLost(why: string): DeviceProblem
  /** The last query was not answered. */
  readonly isUnanswered: boolean
  /** Registers a callback for commands that may be waiting for a person, called once for each command. */
  onWaiting(call: () => void): void
  /** Registers a callback for each opening of the port: sequence numbers and detection start again. */
  onOpened(call: () => void): void
  ask(request: Uint8Array, options: AskOptions<Frame>): Promise<LinkResponse<Frame>>
  /** Sends loose bytes and waits for one loose byte out of `expected` (C's pings); undefined: silence. */
  ping(bytes: Uint8Array, expected: (byte: number) => boolean, waitMs: number): Promise<number | undefined>
  /** Sends one byte without waiting (B's acknowledgement of a streamed line). */
  write(bytes: Uint8Array): Promise<void>
  readonly clock: Clock
}

/** A listener for every byte with direction and time, for example a recorder, a log or a test. */
export type TraceListener = (entry: {
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly bytes: Uint8Array
}) => void
