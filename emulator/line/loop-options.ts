import type { Clock } from '../../drivers/model/clock.ts'
import type { Injector } from '../faults/points.ts'
import type { Answer, Wire } from '../wire.ts'

export interface LoopOptions {
  readonly wire: Wire
  readonly clock: Clock
  /** What the device does by itself at a certain hour goes by this one; without, by `clock`. */
  readonly idleClock?: Clock
  /** A command that took its time is done, after so many milliseconds of work. */
  readonly onWorked?: (ms: number) => void
  readonly injector: Injector
  readonly mechanism: { readonly blocked: boolean; readonly canPrint: boolean; onUnblocked(call: () => void): void }
  /** Time that a command takes beyond its books; 0 without. */
  readonly durationMs?: ((command: string, answer: Answer) => number) | undefined
  /** `host`: the program that sent the frame, or that the frame is sent to. */
  readonly onFrame: (direction: 'toDevice' | 'toHost', bytes: Uint8Array, host?: string) => void
  /** Before the wire starts anew: what was half done in the books is settled. */
  readonly powerOn: () => void
  readonly onPower: (on: boolean) => void
  /** A command was carried out, or refused; it keeps the device busy for so many milliseconds in all. */
  readonly onCommand?: ((isRefusal: boolean, busyMs: number) => void) | undefined
  /** An error of ours inside a command: reported, the command stays unanswered. */
  readonly onTrouble: (problem: unknown, command: string) => void
  /** Power comes back by itself this long after a power cut; undefined: somebody has to switch it on. */
  readonly powerReturnsAfterMs?: number | undefined
  /** Every line gives it when the power comes back. */
  readonly powerOnNoise?: Uint8Array | undefined
}
