/** A target runs scenarios: it reports needs that it cannot meet, and opens a rig for each scenario. */
import type { Express } from 'express'
import type { Family } from '../../../drivers/model/families.ts'
import type { Client } from '../../../emulator/panel/contract.ts'
import type { Piece } from '../../oracle/ledger.ts'
import type { FaultyBinding } from '../../simulation/line-faults.ts'
import type { DeviceReader } from '../device-sums.ts'
import type { Given } from '../given.ts'
import type { ScenarioFiles } from '../given-files.ts'
import type { CallTime, HttpCall, Pending } from '../inject.ts'
import type { InjectedFault } from '../injected-faults.ts'
import type { Need } from '../need-names.ts'
import type { DeviceState } from '../step-results.ts'
import type { Timeline } from '../time.ts'

export interface Setup {
  readonly family: Family
  readonly profile: string | undefined
  readonly given: Given
  readonly files: ScenarioFiles
  readonly seed: number
  readonly callTime?: () => CallTime
}

export interface Person {
  prompt(what: string): Promise<void>
}

export interface Platform {
  token(query: Readonly<Record<string, string>>): Promise<string>
  fault(rule: object): Promise<void>
  /** Creates an order if `id` is `undefined`. Otherwise changes that order. Rejects with a message for the user. */
  order(id: string | undefined, change: object): Promise<void>
}

export interface Wire {
  /** Resolves to the answer when the device is silent again. */
  ask(bytes: Uint8Array): Promise<Uint8Array>
}

export interface Rig {
  readonly family: Family
  readonly profile: string | undefined
  readonly time: Timeline
  call(call: HttpCall): Pending
  /** Returns the `Idempotency-Key` to send for the key of a step. Without it, the key is sent as it is. */
  ownKey?(key: string): string
  readonly panel: Client | undefined
  readonly panelApp?: Express
  readonly panelAddress?: string
  readonly reader?: DeviceReader
  readonly tap?: FaultyBinding
  readonly person?: Person
  pieces(): Promise<readonly Piece[] | undefined>
  frameCount?(): number
  /** Returns the faults that the device has injected so far, oldest first, without a query. */
  faults?(): readonly InjectedFault[]
  printed?(): number
  state?(): DeviceState
  readonly platform?: Platform
  readonly wire?: Wire
  setDisplay?(attached: boolean): void
  restart?(): Promise<void>
  readonly troubles: readonly string[]
  close(): Promise<void>
}

/** `hand` is the manual action that meets the need. */
interface TargetRequest extends Pick<Setup, 'profile' | 'given' | 'family'> {
  readonly hand?: string | undefined
}

export interface Target {
  /** Name on the command line, such as `emulator`, `pty`, `/dev/ttyUSB0` or `http://...`. */
  readonly name: string
  readonly families: readonly Family[]
  readonly profile?: string
  /** `emulated`: a new device for each scenario. `persistent`: one device that keeps its state. */
  readonly device: 'emulated' | 'persistent'
  /** Checks, before any scenario runs, that the target can be reached. Rejects with TargetUnreachable. */
  reach?(): Promise<void>
  whyUnsupported(need: Need, request: TargetRequest): string | undefined
  open(setup: Setup): Promise<Rig>
  close(): Promise<void>
}

/** Thrown if the target cannot be reached: exit status 3. */
export class TargetUnreachable extends Error {
  /** The message without the name of the target and without advice. */
  readonly reason: string

  constructor(message: string, reason = message) {
    super(message)
    this.reason = reason
  }
}
