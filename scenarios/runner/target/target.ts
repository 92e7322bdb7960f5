/** What scenarios are played on: says what it can do, and opens a rig for each scenario. */
import type { Express } from 'express'
import type { Family } from '../../../drivers/model/families.ts'
import type { Client } from '../../../emulator/panel/contract.ts'
import type { Piece } from '../../oracle/ledger.ts'
import type { Tap } from '../../simulation/tap.ts'
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

/** Whoever sits at the terminal (`--by-hand`). */
export interface Person {
  /** Resolves when it is done. */
  asks(what: string): Promise<void>
}

/** A fault of the mock platform, and its tokens. */
export interface Platform {
  token(query: Readonly<Record<string, string>>): Promise<string>
  fault(rule: object): Promise<void>
  /** Makes an order, or with `id` changes it. Rejects with a sentence. */
  order(id: string | undefined, change: object): Promise<void>
}

export interface Wire {
  /** What the device answers until it is silent. */
  ask(bytes: Uint8Array): Promise<Uint8Array>
}

export interface Rig {
  readonly family: Family
  readonly profile: string | undefined
  readonly time: Timeline
  /** A call below `/api`. */
  call(call: HttpCall): Pending
  /** The control interface. Undefined: there is none. */
  readonly panel: Client | undefined
  /** The same with its page, to be opened on a port; undefined: it is in another process. */
  readonly panelApp?: Express
  /** Where it is open already. */
  readonly panelAddress?: string
  /** What a device without control interface says of itself. Undefined: there is a control interface. */
  readonly reader?: DeviceReader
  /** Faults and hands on our own end of the line. */
  readonly tap?: Tap
  /** Somebody at the terminal. */
  readonly person?: Person
  /** Everything that passed on the wire of this scenario; undefined: it cannot be heard. */
  pieces(): Promise<readonly Piece[] | undefined>
  /** How many frames have passed, where that is known without asking. */
  frameCount?(): number
  /** Id of the document that was printed last, where that is known without asking; 0: none. */
  printed?(): number
  /** The device as it is now, where that is known without asking. */
  state?(): DeviceState
  readonly platform?: Platform
  readonly wire?: Wire
  setDisplay?(attached: boolean): void
  restart?(): Promise<void>
  /** What the device had to say besides its answers. */
  readonly troubles: readonly string[]
  close(): Promise<void>
}

/** What a scenario asks of a target. `hand`: what a person would do for the need at hand. */
interface TargetRequest extends Pick<Setup, 'profile' | 'given' | 'family'> {
  readonly hand?: string | undefined
}

export interface Target {
  /** `emulator`, `pty`, `/dev/ttyUSB0`, `http://...` */
  readonly name: string
  readonly families: readonly Family[]
  /** Of the one device, where its control interface tells it. */
  readonly profile?: string
  /** `emulated`: a new device for each scenario; `persistent`: one that keeps what it was left with. */
  readonly device: 'emulated' | 'persistent'
  /** Throws Unreachable when it is not there; before anything is played. */
  reach?(): Promise<void>
  /** Why it cannot; undefined: it can. */
  lacks(need: Need, wish: TargetRequest): string | undefined
  open(setup: Setup): Promise<Rig>
  close(): Promise<void>
}

/** The target is not there: exit status 3. */
export class TargetUnreachable extends Error {}
