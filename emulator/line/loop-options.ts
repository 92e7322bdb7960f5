import type { Clock } from '../../drivers/model/clock.ts'
import type { Injector } from '../faults/points.ts'
import type { Answer, Wire } from '../wire.ts'

export interface LoopOptions {
  readonly wire: Wire
  readonly clock: Clock
  /** Clock of the device's actions at a certain hour. Absent: `clock`. */
  readonly idleClock?: Clock
  readonly onWorked?: (ms: number) => void
  readonly injector: Injector
  readonly mechanism: { readonly blocked: boolean; readonly canPrint: boolean; onUnblocked(call: () => void): void }
  /** Returns the duration of a command in ms. Absent: commands take no time. */
  readonly durationMs?: ((command: string, answer: Answer) => number) | undefined
  readonly onFrame: (direction: 'toDevice' | 'toHost', bytes: Uint8Array, host?: string) => void
  /** Called when the power returns, before the wire protocol restarts. Must undo unfinished operations in the books. */
  readonly powerOn: () => void
  readonly onPower: (on: boolean) => void
  /** Called after a command was executed or refused. `busyMs` is the total time for which it keeps the device busy. */
  readonly onCommand?: ((isRefusal: boolean, busyMs: number) => void) | undefined
  /** Called for an internal error inside a command. The command stays unanswered. */
  readonly onTrouble: (problem: unknown, command: string) => void
  /** Time in ms until the power returns after a power cut; `undefined` if it must be switched on. */
  readonly powerReturnsAfterMs?: number | undefined
  readonly powerOnNoise?: Uint8Array | undefined
}
