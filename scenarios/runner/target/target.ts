/** A target that plays scenarios: reports the needs that it cannot meet, and opens a rig for each scenario. */
import type { Express } from 'express'
import type { Family } from '../../../drivers/model/families.ts'
import type { Client } from '../../../emulator/panel/contract.ts'
import type { Piece } from '../../oracle/ledger.ts'
import type { FaultyBinding } from '../../simulation/line-faults.ts'
import type { DeviceReader } from '../device-sums.ts'
import type { Given } from '../given.ts'
import type { CallTime, HttpCall, Pending } from '../inject.ts'
import type { Need } from '../need-names.ts'
import type { ScenarioFiles } from '../scenario-files.ts'
import type { Timeline } from '../time.ts'
import type { DeviceState } from '../types.ts'

export interface Setup {
  readonly family: Family
  readonly profile: string | undefined
  readonly given: Given
  /** The files that `given` names. */
  readonly files: ScenarioFiles
  readonly seed: number
  /** Maximum time of a request to another process that begins now. */
  readonly callTime?: () => CallTime
}

/** The person at the terminal (`--by-hand`). */
export interface Person {
  /** Resolves when the person has done it. */
  asks(what: string): Promise<void>
}

/** Faults of the mock platform, and its tokens. */
export interface Platform {
  token(query: Readonly<Record<string, string>>): Promise<string>
  fault(rule: object): Promise<void>
  /** Creates an order, or changes the one with `id`. Rejects with a readable message. */
  order(id: string | undefined, change: object): Promise<void>
}

export interface Wire {
  /** Sends bytes and resolves to the answer, when the device is silent again. */
  ask(bytes: Uint8Array): Promise<Uint8Array>
}

export interface Rig {
  readonly family: Family
  readonly profile: string | undefined
  readonly time: Timeline
  /** Sends a call below `/api`. */
  call(call: HttpCall): Pending
  /** The control API, if there is one. */
  readonly panel: Client | undefined
  /** The control API with its page, to be opened on a port; undefined if it is in another process. */
  readonly panelApp?: Express
  /** Address of a control API that is already open. */
  readonly panelAddress?: string
  /** Reads the state of a device without a control API. */
  readonly reader?: DeviceReader
  /** Faults and actions on our own end of the line. */
  readonly tap?: FaultyBinding
  /** The person at the terminal. */
  readonly person?: Person
  /** Resolves to all traffic on the wire of this scenario, or undefined if it cannot be recorded. */
  pieces(): Promise<readonly Piece[] | undefined>
  /** Number of frames so far, if it is known without a query. */
  frameCount?(): number
  /** Id of the last printed document, if it is known without a query; 0: none. */
  printed?(): number
  /** Current state of the device, if it is known without a query. */
  state?(): DeviceState
  readonly platform?: Platform
  readonly wire?: Wire
  setDisplay?(attached: boolean): void
  restart?(): Promise<void>
  /** Reports of the device besides its answers. */
  readonly troubles: readonly string[]
  close(): Promise<void>
}

/** A scenario's request to a target. `hand`: the manual action that would meet the need. */
interface TargetRequest extends Pick<Setup, 'profile' | 'given' | 'family'> {
  readonly hand?: string | undefined
}

export interface Target {
  /** `emulator`, `pty`, `/dev/ttyUSB0`, `http://...` */
  readonly name: string
  readonly families: readonly Family[]
  /** Profile of the one device, if its control API reports it. */
  readonly profile?: string
  /** `emulated`: a new device for each scenario; `persistent`: a device that keeps its state. */
  readonly device: 'emulated' | 'persistent'
  /** Throws TargetUnreachable, before anything is played. */
  reach?(): Promise<void>
  /** Returns the reason why the need cannot be met, or undefined. */
  lacks(need: Need, request: TargetRequest): string | undefined
  open(setup: Setup): Promise<Rig>
  close(): Promise<void>
}

/** The target cannot be reached: exit status 3. */
export class TargetUnreachable extends Error {}
