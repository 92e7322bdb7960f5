import type { Clock } from '../model/clock.ts'
import type { DeviceProblem } from '../model/errors.ts'
import type { Performed } from '../model/printer.ts'
import type { FrameShape } from '../wire/deframer.ts'

/** How long a family's exchange waits, and what single bytes mean in it: the data of the machine in exchange.ts. */
export interface ExchangeRules {
  /** Writes of one frame altogether: the first and its repeats. */
  readonly writes: number
  /** From the end of a write to the first byte of anything. */
  readonly firstByteMs: number
  /** Between busy bytes, and between the bytes of a frame. */
  readonly gapMs: number
  /** The whole of one command, busy bytes included, unless the command says otherwise. */
  readonly totalMs: number
  /** "Still working": resets the wait. Absent: the device is silent until it is done. */
  readonly busyByte?: number
  /** "Your frame was damaged": the same frame again. */
  readonly refusedByte: number
  /** "Still busy with the command before": the same frame again after a pause. */
  readonly laterByte?: { readonly byte: number; readonly pauseMs: number }
  /**
   * After silence or a refusal: `repeat` the same bytes (A, B: the device knows a repeat), or `give up` what must not be
   * done twice: the driver finds out (C).
   */
  readonly afterSilence: 'repeat' | 'give up'
}

/** How a family asks and is answered. */
export interface LinkRules<Frame> extends ExchangeRules {
  readonly shape: FrameShape<Frame>
  /** Is this the answer to that request? An answer of an earlier number is passed over. */
  matches(answer: Frame, request: Uint8Array): boolean
  /** An answer of that number to another command: the device takes the request for a repeat. Absent: it knows no repeats. */
  isOfNumber?(answer: Frame, request: Uint8Array): boolean
  /**
   * How a device shows that it waits for a person in the middle of a command: `busy`, it goes on saying so for longer than
   * such commands take; or it answers a loose byte meanwhile. Absent: it does not wait, and says at once what is missing.
   */
  readonly waiting?: 'busy' | { readonly ask: number; isWaiting(byte: number): boolean | undefined }
  /** Besides `laterByte`: is this loose byte a "not yet" to that request, so that the host asks it again? */
  isNotYet?(byte: number, request: Uint8Array): boolean
}

export interface AskOptions<Frame> {
  readonly totalMs?: number
  readonly firstByteMs?: number
  /**
   * The device may do something that must not be done twice: silence is `outcomeUnknown`, not `noAnswer`. Asked of the device
   * that was found behind the open port: it does not open one.
   */
  readonly fiscal?: boolean
  /** A fiscal command that the link does not write again: silence fails at once, and the driver asks the device. */
  readonly once?: boolean
  /** Prints on a receipt: a device that is busy with it for long may be waiting for paper. */
  readonly mayWait?: boolean
  /** What the trace and the log call it. */
  readonly name: string
  /** After the answer more frames come: collects until this says that the last one is there. */
  readonly until?: (frame: Frame) => boolean
}

/** What came of a question. `retransmitted`: a fiscal one was written again. */
export interface LinkResponse<Frame> extends Performed {
  /** One; with `until` all up to and with the last one. */
  readonly frames: readonly Frame[]
}

/** One question at a time to one device. Rejects with DeviceError only. Implemented by link.ts. */
export interface Link<Frame> {
  /** Opens the port unless it is open. */
  open(): Promise<void>
  close(): Promise<void>
  readonly isOpen: boolean
  /** As long as it is the same number, this program has held the line without a break: nobody else could speak on it. */
  readonly hold: number
  /**
   * To a question nothing at all was heard; of two in a row the hold is not sure any more. A cable that is moved to another computer, at
   * its far end, leaves the port open: only its silence tells.
   */
  unanswered(): void
  /** The device has refused what was written again: at an address it may have served another program in between. */
  refusedAgain(): void
  /** So often anything was written once more, because no answer to it was understood. */
  readonly retransmissions: number
  /** What an answer that does not come means: nobody is there, or somebody of whom no byte was understood so far. */
  silence(): DeviceProblem
  /** A line for the log. */
  note(line: string): void
  /** The device that was there is not there any more. */
  connectionLost(why: string): DeviceProblem
  /** The last question was not answered. */
  readonly isUnanswered: boolean
  /** Called when a command may wait for a person, once for each command. */
  onWaiting(call: () => void): void
  /** Called whenever the port was opened anew: sequence numbers and detection start again. */
  onOpened(call: () => void): void
  ask(request: Uint8Array, options: AskOptions<Frame>): Promise<LinkResponse<Frame>>
  /** Sends loose bytes and waits for one loose byte out of `expected` (C's pings); undefined: silence. */
  ping(bytes: Uint8Array, expected: (byte: number) => boolean, waitMs: number): Promise<number | undefined>
  /** Sends one byte without waiting (B's acknowledgement of a streamed line). */
  write(bytes: Uint8Array): Promise<void>
  readonly clock: Clock
}

/** Every byte with direction and time; a recorder, a log or a test listens. */
export type TraceListener = (entry: {
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly bytes: Uint8Array
}) => void
