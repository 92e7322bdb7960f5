/** The mock platform of a scenario. Its sockets are real, so the scenario does not run in simulated time. */

import { excerpt, ForeignFileError } from '../../../drivers/host/foreign-file.ts'
import type { Clock } from '../../../drivers/model/clock.ts'
import { messageOf } from '../../../drivers/model/errors.ts'
import type { Settings } from '../../../server/config.ts'
import { configFile } from '../../../server/config-schema.ts'
import { readOrders } from '../../mock-platform/orders.ts'
import { REFUSED_TOKENS } from '../../mock-platform/session-token.ts'
import type { Platform, Setup } from './target.ts'

interface RunningPlatform extends Platform {
  readonly settings: NonNullable<Settings['platform']>
  close(): Promise<void>
}

/** A cost bucket that never delays a request. */
const WIDE_BUDGET = { maximum: 100_000, restorePerSecond: 100_000 }

function within<T>(name: string, use: () => T): T {
  try {
    return use()
  } catch (error) {
    throw new ForeignFileError(`${name}: ${excerpt(messageOf(error))}`)
  }
}

export async function openPlatform({ given, files }: Setup, clock: Clock): Promise<RunningPlatform | undefined> {
  if (!given.platform) return undefined
  const name = given.platform.orders
  const file = files.json(name) as { readonly config?: object } | null
  const orders = within(name, () => readOrders(file))
  // Loaded only if needed, because the GraphQL implementation is large.
  const { startMockPlatform } = await import('../../mock-platform/mock-platform.ts')
  const mockPlatform = await startMockPlatform(0, { orders, bucket: WIDE_BUDGET, clock })
  const { shopSuffix, clientId, clientSecret } = mockPlatform.profile
  const mapping = { ...file?.config, ...(given.platform.mapping as object | undefined) }
  const read = configFile.safeParse({
    platform: { shopSuffix, clientId, clientSecret, baseUrl: `${mockPlatform.url}/{shop}`, mapping },
  })
  if (!read.success) {
    await mockPlatform.close()
    const [issue] = read.error.issues
    throw new ForeignFileError(`${name}: ${issue?.path.slice(1).join('.')}: ${issue?.message}`)
  }
  const config = read.data
  return {
    settings: config.platform as NonNullable<Settings['platform']>,
    async token({ wrong, shop, ...rest }) {
      const full = shop === undefined || shop.includes('.') ? shop : `${shop}.${shopSuffix}`
      return mockPlatform.mint({
        ...rest,
        ...(full !== undefined && { shop: full }),
        ...(wrong !== undefined && REFUSED_TOKENS[wrong]),
      })
    },
    async fault(rule) {
      mockPlatform.faults.add(rule as Parameters<typeof mockPlatform.faults.add>[0])
    },
    async order(id, change) {
      mockPlatform.live(id, change)
    },
    close: () => mockPlatform.close(),
  }
}
