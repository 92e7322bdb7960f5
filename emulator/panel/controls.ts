import type { Emulator } from '../emulator.ts'
import type { Call } from './call-declaration.ts'
import { parseForm, readBody, WrongCall } from './call-input.ts'
import { CALLS, type CallName, type PanelEvent } from './contract.ts'
import { forwardEvents } from './events.ts'
import { createHandlers, type HandlerOptions } from './handlers.ts'
import { createRequestLog, type ServiceRequests } from './request-log.ts'
import { createSession } from './session-recorder.ts'

export interface HttpCallInput {
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface Controls {
  /** Resolves to JSON, text or bytes, as the contract declares. Rejects with WrongCall. */
  answer(name: CallName, call: HttpCallInput): Promise<unknown>
  /**
   * Subscribes to all events, of which the current state of the device is the first. The returned function ends the
   * subscription.
   */
  listen(listener: (event: PanelEvent) => void): () => void
}

export type CallListener = (name: CallName, body: unknown) => void

export const nothingAt = (path: string): WrongCall => new WrongCall(`there is nothing at ${path}`, 404)

/** Parses the input of a call as the contract declares. Throws WrongCall. */
export function readCall({ params, query, body, plain }: Call, call: HttpCallInput) {
  const path = params?.safeParse(call.params)
  if (path?.success === false) throw nothingAt(call.path)
  return {
    params: path?.data,
    query: query && parseForm(query, call.query, 'the query'),
    body: body && parseForm(body, readBody(call.text, plain), 'the body'),
  }
}

export interface ControlOptions extends HandlerOptions {
  readonly carriedOut?: CallListener | undefined
  /** Requests of the service, if the service in this process uses the device. */
  readonly requests?: ServiceRequests | undefined
  /** True if actions are recorded from the start, until a client begins a session. */
  readonly keepsSession?: boolean
}

export function controlsOf(emulator: Emulator, options: ControlOptions): Controls {
  const { serviceCalls, carriedOut, requests, keepsSession = false } = options
  const session = createSession(emulator, serviceCalls, requests)
  if (keepsSession) session.begin()
  const requestLog = createRequestLog(emulator, requests)
  const handlers = createHandlers(emulator, session, requestLog, options)
  return {
    async answer(name, call) {
      const input = readCall(CALLS[name], call)
      const answer = await (handlers[name] as (input: object) => unknown)(input)
      if (!name.startsWith('GET ')) emulator.noteControl(name, input.body)
      session.noteCall(name, input.body)
      carriedOut?.(name, input.body)
      return answer
    },
    listen(listener) {
      const endRequests = requestLog.listen((head) => listener(['request', head]))
      const endEvents = forwardEvents(emulator, listener)
      return () => {
        endRequests()
        endEvents()
      }
    },
  }
}
