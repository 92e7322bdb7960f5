/** Requests of clients, for the session that the control panel keeps of a device. */
import type { RequestHandler } from 'express'
import type { Requests } from '../emulator/panel/session.ts'
import { hearRequests } from '../scenarios/runner/exchange.ts'
import type { Settings } from '../server/config.ts'
import { configOf } from './played-config.ts'

/** Passes each request of clients on as a step; without a control panel there is no listener. */
export function requestsOf(settings: Settings): Requests & { readonly admitted: RequestHandler } {
  let heard: Parameters<Requests['listen']>[0] | undefined
  return {
    config: () => configOf(settings),
    listen(hear) {
      heard = hear
    },
    admitted: hearRequests((exchange) =>
      heard?.({
        letters: (exchange.end === 'gaveUp' ? 0 : exchange.end.answer.length) + (exchange.body?.length ?? 0),
        ...{ tookMs: exchange.tookMs, isGivenUp: exchange.end === 'gaveUp' },
        // The language of scenarios is loaded by the first who wants one.
        step: async () => (await import('../scenarios/runner/request-steps.ts')).stepText(exchange).trimEnd(),
      }),
    ),
  }
}
