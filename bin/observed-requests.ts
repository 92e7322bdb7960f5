/** Observes the requests of a service's clients, for the request list and the recorded session of the control panel. */
import type { Express, RequestHandler, Response } from 'express'
import { systemClock } from '../drivers/model/clock.ts'
import type { HistoryPosition, ServiceRequest, ServiceRequests } from '../emulator/panel/request-log.ts'
import type { ClientRequest, Requests } from '../emulator/panel/session-recorder.ts'
import {
  type Exchange,
  isOfReader,
  isReadRequest,
  isRecorded,
  keyUseOf,
  observeRequests,
  wasAdmitted,
  whyNoStep,
} from '../scenarios/runner/http-exchange.ts'
import type { Settings } from '../server/config.ts'
import { onTurnOf } from '../server/departed-caller.ts'
import { configOf } from './replay-config.ts'

interface ObservedRequests extends ServiceRequests {
  /** Must be the first handler of the service. */
  readonly observed: RequestHandler
}

/** The period in which a request has the device. */
interface Turn {
  places: { readonly from: HistoryPosition; readonly to?: HistoryPosition } | undefined
  /** Called if the period ends after the client received its response. */
  endedLate: (() => void) | undefined
}

type Observer = Parameters<ServiceRequests['observe']>[0]

const TURN = 'turn'

/** Without a control panel, nothing is observed. `app` returns the service after its start. */
export function observedRequests(settings: Settings, app: () => Express | undefined): ObservedRequests {
  let session: Parameters<Requests['listen']>[0] | undefined
  let observer: Observer | undefined
  const send = (exchange: Exchange, name: string) => sendAgain(exchange, name, settings, app())
  const tap = observeRequests((exchange, response) => {
    const turn = response.locals[TURN] as Turn
    const request = requestOf(exchange, turn, send)
    const isAdmitted = wasAdmitted(response)
    if (isRecorded(exchange, isAdmitted)) session?.(clientRequestOf(exchange, isAdmitted))
    turn.endedLate = () => observer?.ended(request)
    observer?.ended(request)
  })
  return {
    config: () => configOf(settings),
    needsKey: settings.apiKey !== undefined,
    listen(listener) {
      session = listener
    },
    observe(one) {
      observer = one
    },
    observed(request, response, next) {
      if (!observer || isOfReader(request.method, request.path)) return next()
      watchTurn(response, observer)
      tap(request, response, next)
    },
  }
}

function watchTurn(response: Response, observer: Observer): void {
  const turn: Turn = { places: undefined, endedLate: undefined }
  response.locals[TURN] = turn
  onTurnOf(response, () => {
    const from = turn.places?.from ?? observer.place()
    turn.places = { from }
    return () => {
      turn.places = { from, to: observer.place() }
      turn.endedLate?.()
    }
  })
}

function requestOf(
  exchange: Exchange,
  turn: Turn,
  send: (exchange: Exchange, name: string) => Promise<void>,
): ServiceRequest {
  const { method, url, name, type, key, body, tookMs, end, hasSession, isReplay } = exchange
  return {
    at: systemClock.wallTime() - tookMs,
    method: method.toUpperCase(),
    path: url,
    ...{ tookMs, name, type, key, body, isReplay },
    status: end === 'gaveUp' ? null : end.status,
    answer: end === 'gaveUp' ? undefined : end.answer,
    get turn() {
      return turn.places
    },
    ...(isReadRequest(exchange) && !hasSession && { again: (own: string) => send(exchange, own) }),
    step: () => stepOf(exchange),
  }
}

const clientRequestOf = (exchange: Exchange, isAdmitted: boolean): ClientRequest => ({
  letters: (exchange.end === 'gaveUp' ? 0 : exchange.end.answer.length) + (exchange.body?.length ?? 0),
  ...{ tookMs: exchange.tookMs, isGivenUp: exchange.end === 'gaveUp' },
  ...keyUseOf(exchange),
  whyOmitted: whyNoStep(exchange, isAdmitted),
  step: () => stepOf(exchange),
})

/** The code for steps is loaded on first use. */
const stepOf = async (exchange: Exchange): Promise<string> =>
  (await import('../scenarios/runner/request-steps.ts')).stepText(exchange).trimEnd()

async function sendAgain(
  { method, url, type, key, body }: Exchange,
  name: string,
  { apiKey }: Settings,
  app: Express | undefined,
): Promise<void> {
  if (!app) return
  const { inject } = await import('../scenarios/runner/inject.ts')
  const { answer } = inject(app, {
    method: method.toUpperCase(),
    path: url,
    headers: {
      'x-request-id': name,
      ...(type !== undefined && { 'content-type': type }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    ...(body !== undefined && { body }),
  })
  await answer
}
