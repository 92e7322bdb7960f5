import type { StartupFacts } from '../link/protocol-adapter.ts'
import type { Edition } from './edition.ts'
import type { HostFrame } from './protocol/frame.ts'
import type { Requests, Responses } from './protocol/index.ts'
import type { Status } from './protocol/status.ts'

export interface FactsB extends StartupFacts {
  readonly groups: number
  readonly commentWidth: number
}

export interface WireB {
  readonly frame: HostFrame
  readonly requests: Requests
  readonly responses: Responses
  readonly status: Status
  readonly edition: Edition
  readonly refusal: string
  readonly facts: FactsB
}
