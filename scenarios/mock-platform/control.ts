import { ZodError } from 'zod'
import { EACH_KEY } from '../runner/fields.ts'
import type { Answer } from './access.ts'
import { FAULTS, type FaultRule } from './faults.ts'
import { parseJson } from './http.ts'
import { OrderChangeError } from './order-life.ts'
import type { StoredOrder } from './orders.ts'
import { mintOptions } from './session-token.ts'
import type { MockPlatform } from './types.ts'

export interface ControlRequest {
  readonly method: string
  readonly url: URL
  readonly body: string
}

const done = (body: unknown): Answer => ({ status: 200, body })

export function controlAnswer(
  mockPlatform: MockPlatform,
  orders: readonly StoredOrder[],
  now: number,
  { method, url, body }: ControlRequest,
): Answer {
  const path = url.pathname.slice('/mock-platform/'.length)
  if (path === 'token')
    return done(mockPlatform.mint(mintOptions(Object.fromEntries(url.searchParams), mockPlatform.profile, now)))
  if (path === 'log') return done(mockPlatform.log)
  const [, id] = /^orders\/(\d+)$/.exec(path) ?? []
  if ((path === 'orders' || id !== undefined) && method === 'POST') return changed(mockPlatform, id, body)
  if (path === 'orders') return done(orders.map(({ id, node }) => ({ id, name: node['name'] })))
  if (path === 'faults' && method === 'POST') {
    const rule = parseJson(body) as FaultRule | undefined
    if (!rule || !FAULTS.includes(rule.do))
      return { status: 400, body: { error: `do: expected one of ${FAULTS.join(', ')}` } }
    mockPlatform.faults.add(rule)
    return done(rule)
  }
  if (path === 'faults' && method === 'DELETE') {
    mockPlatform.faults.clear()
    return done({})
  }
  return { status: 404, body: { error: 'unknown path; expected /mock-platform/token, log, orders or faults' } }
}

function changed(mockPlatform: MockPlatform, id: string | undefined, body: string): Answer {
  try {
    const order = mockPlatform.live(id, parseJson(body))
    return done({ id: order.id, name: order.node['name'], currentTotalPriceSet: order.node['currentTotalPriceSet'] })
  } catch (error) {
    const why =
      error instanceof ZodError
        ? error.issues.flatMap(describeIssue).join('; ')
        : error instanceof OrderChangeError && error.message
    if (why === false) throw error
    return { status: 400, body: { error: why } }
  }
}

const describeIssue = ({ path, message }: ZodError['issues'][number]): readonly string[] =>
  message.split(EACH_KEY).map((sentence) => [...(path.length > 0 ? [path.join('.')] : []), sentence].join(': '))
