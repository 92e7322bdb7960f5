import type { Clock } from '../model/clock.ts'
import type { DeviceProblem } from '../model/errors.ts'
import type { Deframed, FrameShape } from '../wire/deframer.ts'

/** How a family asks and is answered, as data for the exchange machine (exchange.ts). */
export interface LinkRules {
  /** Writes of one frame altogether: the first and its repeats. */
  readonly writes: number
  /** From the end of a write to the first byte of anything. */
  readonly firstByteMs: number
  /** Between busy bytes, and between the bytes of a frame. */
  readonly gapMs: number
  /** The whole of one command, busy bytes included, unless the command says otherwise. */
  readonly totalMs: number
  /** "Still working": resets the wait. */
  readonly busyByte?: number
  /** "Your frame was damaged": the same frame again. */
  readonly refusedByte: number
  /** "Still busy with the command before": the same frame again after a pause. */
  readonly laterByte?: { readonly byte: number; readonly pauseMs: number }
  /** After silence: `repeat` the same bytes (A, B: the device knows a repeat), or `ask` the driver to find out (C). */
  readonly afterSilence: 'repeat' | 'give up'
}

export interface LinkDialect<Frame> {
  readonly shape: FrameShape<Frame>
  readonly rules: LinkRules
  /** Is this the answer to that request? An answer of an earlier number is passed over. */
  matches(answer: Frame, request: Uint8Array): boolean
  /** Besides the rules' `laterByte`: is this loose byte a "not yet" to that request, so that the host asks it again? */
  isNotYet?(byte: number, request: Uint8Array): boolean
}

export interface AskOptions {
  readonly totalMs?: number
  readonly firstByteMs?: number
  /** The device may do something that must not be done twice: silence is `outcomeUnknown`, not `noAnswer`. */
  readonly fiscal?: boolean
  /** What the trace and the log call it. */
  readonly name: string
  /** After the answer more frames come (C's streams): collects until this says that the last one is there. */
  readonly until?: (frame: unknown) => boolean
}

/** One question at a time to one device. Rejects with DeviceError only. Implemented by link.ts. */
export interface Link<Frame> {
  /** Opens the port unless it is open. */
  open(): Promise<void>
  close(): Promise<void>
  readonly isOpen: boolean
  /** How often a fiscal command was written again because no answer to it was understood. */
  readonly writtenAgain: number
  /** What an answer that does not come means: nobody is there, or somebody of whom no byte was understood so far. */
  silence(): DeviceProblem
  /** Called whenever the port was opened anew: sequence numbers and detection start again. */
  onOpened(call: () => void): void
  ask(request: Uint8Array, options: AskOptions): Promise<Frame>
  /** The frames behind one request, up to and with the last one. */
  askAll(request: Uint8Array, options: AskOptions): Promise<Frame[]>
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

export type { Deframed }
