import type { StartupFacts } from '../link/protocol-adapter.ts'
import type { Edition } from './protocol/edition.ts'
import type { Nibbles } from './protocol/errors.ts'
import type { DeviceFrame } from './protocol/frame.ts'
import type { Requests, Responses } from './protocol/index.ts'

export interface FactsC extends StartupFacts {
  readonly columns: number
}

export interface WireC {
  readonly frame: DeviceFrame
  readonly requests: Requests
  /** `undefined` for an ACK without data, and if the answer of an executed command was lost (confirmed-command.ts). */
  readonly responses: { readonly [Name in keyof Responses]: Responses[Name] | undefined }
  /** `undefined` for an answer with data, which is never a refusal. */
  readonly status: Nibbles | undefined
  readonly edition: Edition
  readonly refusal: string
  readonly facts: FactsC
}
