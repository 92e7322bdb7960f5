/** A target runs scenarios: it reports needs that it cannot meet, and opens a rig for each scenario. */
import type { Express } from 'express'
import type { Family } from '../../../drivers/model/families.ts'
import type { Client } from '../../../emulator/panel/contract.ts'
import type { Piece } from '../../oracle/ledger.ts'
import type { FaultyBinding } from '../../simulation/line-faults.ts'
import type { DeviceReader } from '../device-sums.ts'
import type { Given } from '../given.ts'
import type { CallTime, HttpCall, Pending } from '../inject.ts'
import type { InjectedFault } from '../injected-faults.ts'
import type { Need } from '../need-names.ts'
import type { ScenarioFiles } from '../scenario-files.ts'
import type { DeviceState } from '../step-results.ts'
import type { Timeline } from '../time.ts'

export interface Setup {
  readonly family: Family
  readonly profile: string | undefined
  readonly given: Given
  readonly files: ScenarioFiles
  readonly seed: number
  /** Returns the time limit of a request to another process that begins now. */
  readonly callTime?: () => CallTime
}

/** The person at the terminal (`--by-hand`). */
export interface Person {
  prompt(what: string): Promise<void>
}

export interface Platform {
  token(query: Readonly<Record<string, string>>): Promise<string>
  fault(rule: object): Promise<void>
  /** Creates an order, or changes the order `id`. Rejects with a message for the user. */
  order(id: string | undefined, change: object): Promise<void>
}

export interface Wire {
  /** Sends bytes, and resolves to the answer when the device is silent again. */
  ask(bytes: Uint8Array): Promise<Uint8Array>
}

export interface Rig {
  readonly family: Family
  readonly profile: string | undefined
  readonly time: Timeline
  /** Sends a call below `/api`. */
  call(call: HttpCall): Pending
  readonly panel: Client | undefined
  /** The control API with its page, if it is in this process. */
  readonly panelApp?: Express
  readonly panelAddress?: string
  readonly reader?: DeviceReader
  readonly tap?: FaultyBinding
  readonly person?: Person
  /** Resolves to all traffic of this scenario, or `undefined` if it was not recorded. */
  pieces(): Promise<readonly Piece[] | undefined>
  /** Returns the number of frames so far, without a query. */
  frameCount?(): number
  /** Returns the faults that the device has injected so far, oldest first, without a query. */
  faults?(): readonly InjectedFault[]
  /** Returns the id of the last printed document, or 0, without a query. */
  printed?(): number
  /** Returns the current state of the device, without a query. */
  state?(): DeviceState
  readonly platform?: Platform
  readonly wire?: Wire
  setDisplay?(attached: boolean): void
  restart?(): Promise<void>
  /** Errors that device and service have reported outside of their answers. */
  readonly troubles: readonly string[]
  close(): Promise<void>
}

/** `hand`: the manual action that meets the need. */
interface TargetRequest extends Pick<Setup, 'profile' | 'given' | 'family'> {
  readonly hand?: string | undefined
}

export interface Target {
  /** Name on the command line, such as `emulator`, `pty`, `/dev/ttyUSB0` or `http://...`. */
  readonly name: string
  readonly families: readonly Family[]
  readonly profile?: string
  /** `emulated`: a new device for each scenario; `persistent`: one device that keeps its state. */
  readonly device: 'emulated' | 'persistent'
  /** Checks, before any scenario runs, that the target can be reached. Rejects with TargetUnreachable. */
  reach?(): Promise<void>
  /** Returns the reason why the need cannot be met, or `undefined`. */
  whyUnsupported(need: Need, request: TargetRequest): string | undefined
  open(setup: Setup): Promise<Rig>
  close(): Promise<void>
}

/** Thrown if the target cannot be reached: exit status 3. */
export class TargetUnreachable extends Error {}
