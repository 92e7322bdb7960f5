import type { Emulator } from '../emulator.ts'
import type { Call } from './call.ts'
import { CALLS, type CallName, type PanelEvent } from './contract.ts'
import { tellEvents } from './events.ts'
import { checked, readBody, WrongCall } from './forms.ts'
import { createHandlers, type HandlerOptions } from './handlers.ts'
import { createRequestLog, type ServiceRequests } from './requests.ts'
import { createSession } from './session.ts'

/** A call as HTTP carries it. */
export interface CarriedCall {
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The body. */
  readonly text: string
}

/** The controls of one device, in this thread or in another one. */
export interface Controls {
  /** JSON, text or bytes, as the contract says. Rejects with WrongCall. */
  answer(name: CallName, call: CarriedCall): Promise<unknown>
  /** Hears everything that happens from now on, and first how the device stands. What is returned ends it. */
  listen(hear: (told: PanelEvent) => void): () => void
}

/** Hears of every call that was carried out, with its body. */
export type CallListener = (name: CallName, body: unknown) => void

export const nothingAt = (path: string): WrongCall => new WrongCall(`there is nothing at ${path}`, 404)

/** What handlers take, read as the contract says. Throws WrongCall. */
export function readCall({ params, query, body, plain }: Call, call: CarriedCall) {
  const path = params?.safeParse(call.params)
  if (path?.success === false) throw nothingAt(call.path)
  return {
    params: path?.data,
    query: query && checked(query, call.query, 'the query'),
    body: body && checked(body, readBody(call.text, plain), 'the body'),
  }
}

export interface ControlOptions extends HandlerOptions {
  readonly carriedOut?: CallListener | undefined
  /** Of the service in this process, if the device is its. */
  readonly requests?: ServiceRequests | undefined
  /** What is done from now on is kept, until somebody begins a session. */
  readonly keepsSession?: boolean
}

export function controlsOf(emulator: Emulator, options: ControlOptions = {}): Controls {
  const { carriedOut, requests, keepsSession = false } = options
  const session = createSession(emulator, requests)
  if (keepsSession) session.begin()
  const requestLog = createRequestLog(emulator, requests)
  const handlers = createHandlers(emulator, session, requestLog, options)
  return {
    async answer(name, call) {
      const input = readCall(CALLS[name], call)
      const answer = await (handlers[name] as (input: object) => unknown)(input)
      if (!name.startsWith('GET ')) emulator.noteHand(name, input.body)
      session.hand(name, input.body)
      carriedOut?.(name, input.body)
      return answer
    },
    listen(hear) {
      const endRequests = requestLog.listen((head) => hear(['request', head]))
      const endEvents = tellEvents(emulator, hear)
      return () => {
        endRequests()
        endEvents()
      }
    },
  }
}
