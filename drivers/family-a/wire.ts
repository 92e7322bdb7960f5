import type { StartupFacts } from '../link/protocol-adapter.ts'
import type { Edition } from './protocol/edition.ts'
import type { ErrorKey } from './protocol/errors.ts'
import type { DeviceFrame } from './protocol/frame.ts'
import type { Requests, Responses } from './protocol/index.ts'
import type { Flags } from './protocol/status.ts'

export interface FactsA extends StartupFacts {
  readonly columns: number
  /** True if the device's name contains "emulator": the house layouts may then be read. */
  readonly emulated: boolean
}

export interface WireA {
  readonly frame: DeviceFrame
  readonly requests: Requests
  readonly responses: Responses
  /** `code` is `undefined` if the required code is missing. `field` is the name of the field that the code counts. */
  readonly status: { readonly code: number | undefined; readonly flags: Flags; readonly field?: string | undefined }
  readonly edition: Edition
  readonly refusal: ErrorKey
  readonly facts: FactsA
}
