import type { FaultPlan } from './faults.ts'
import type { EndpointName } from './http.ts'
import type { StoredOrder } from './orders.ts'
import type { MockPlatformProfile } from './profile.ts'
import type { MintOptions } from './session-token.ts'

export interface LoggedRequest {
  readonly at: number
  readonly place: EndpointName
  readonly shop: string
  readonly status: number
  readonly fault?: string
  readonly version?: string
  readonly variables?: unknown
}

export interface MockPlatform {
  readonly port: number
  readonly url: string
  readonly profile: MockPlatformProfile
  readonly log: readonly LoggedRequest[]
  readonly faults: FaultPlan
  readonly orders: readonly StoredOrder[]
  put(order: StoredOrder): void
  /**
   * Creates an order if `id` is `undefined`. Otherwise changes the order with this id. Throws OrderChangeError or
   * ZodError.
   */
  live(id: string | undefined, input: unknown): StoredOrder
  mint(options?: Partial<MintOptions>): string
  revokeAccessTokens(): void
  emptyBucket(shop: string): void
  close(): Promise<void>
}
