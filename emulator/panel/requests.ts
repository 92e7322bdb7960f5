import type { Emulator } from '../emulator.ts'
import { messageIn } from './answer-message.ts'
import type { RequestHead, RequestView, ServiceView } from './contract.ts'
import { WrongCall } from './forms.ts'
import type { Requests as SessionRequests } from './session.ts'

/** The requests of the REST service for the device, as the panel lists them. */

/** A position in the device's history: the last frame and the last document. */
export interface Place {
  readonly frame: number
  readonly document: number
}

/** A request that was answered, or whose client has disconnected. */
export interface ServiceRequest {
  /** Time of arrival, in ms of the wall clock. */
  readonly at: number
  readonly method: string
  /** Path with query, unchanged. */
  readonly path: string
  /** null if its client disconnected before the answer. */
  readonly status: number | null
  readonly tookMs: number
  /** `X-Request-Id`. */
  readonly name: string
  readonly type: string | undefined
  readonly key: string | undefined
  readonly body: string | undefined
  readonly answer: string | undefined
  /** Positions at which its turn began and ended; `to` is missing during the turn. Undefined: it had no turn. */
  readonly turn: { readonly from: Place; readonly to?: Place } | undefined
  /** Sends it again, with that name. Undefined: a part of it is not stored, so it cannot be sent again. */
  readonly again?: ((name: string) => Promise<void>) | undefined
  /** Returns it as a step of a scenario. */
  step(): Promise<string>
}

/** The REST service as seen by its panel. */
export interface ServiceRequests extends SessionRequests {
  /**
   * `place` returns the current position of the device; `ended` is called once for each request, and again when its
   * turn ends later.
   */
  observe(observer: { place(): Place; ended(request: ServiceRequest): void }): void
  /** True if callers need the API key. */
  readonly needsKey: boolean
}

export interface RequestLog {
  list(after?: number, limit?: number): readonly RequestHead[]
  /** Throws WrongCall. */
  get(id: number): ServiceRequest
  view(id: number): RequestView
  /** Sends a request again; resolves with the new one. Rejects with WrongCall. */
  again(id: number): Promise<RequestView>
  /** Calls back for each request when it has ended, and again when its turn ends later. */
  listen(listener: (head: RequestHead) => void): () => void
  readonly service: Pick<ServiceView, 'needsKey' | 'hasRequests'>
}

const KEPT = 1000
const LETTERS_MAX = 8 * 1024 * 1024

interface Entry {
  readonly id: number
  readonly request: ServiceRequest
  readonly message: string | null
}

export function createRequestLog(emulator: Emulator, requests: ServiceRequests | undefined): RequestLog {
  const { device } = emulator
  const listeners = new Set<(head: RequestHead) => void>()
  const entries = new Map<number, Entry>()
  const ids = new WeakMap<ServiceRequest, number>()
  let lastId = 0
  let letters = 0

  const dropOldest = () => {
    for (const [id, { request }] of entries) {
      if (entries.size <= KEPT && letters <= LETTERS_MAX) return
      letters -= lettersOf(request)
      entries.delete(id)
    }
  }
  const add = (request: ServiceRequest): Entry => {
    const message = messageIn(request.answer)
    const entry = { id: ++lastId, request, message }
    ids.set(request, entry.id)
    entries.set(entry.id, entry)
    letters += lettersOf(request)
    dropOldest()
    const { method, path, status } = request
    emulator.noteRequest({ request: entry.id, method, path, status, ms: Math.round(request.tookMs), message })
    return entry
  }
  requests?.observe({
    place: () => ({ frame: emulator.lastFrame, document: device.counters.papers }),
    ended(request) {
      const known = entries.get(ids.get(request) ?? 0)
      const head = headOf(known ?? add(request))
      for (const listener of listeners) listener(head)
    },
  })
  const entryOf = (id: number): Entry => {
    const entry = entries.get(id)
    if (entry) return entry
    throw new WrongCall(`there is no request ${id}, or it is no longer stored: the last ${KEPT} are`, 404)
  }
  const view = (id: number): RequestView => viewOf(entryOf(id))
  return {
    list(after = 0, limit = KEPT) {
      const newer = [...entries.values()].filter(({ id }) => id > after)
      return newer.slice(0, limit).map(headOf)
    },
    get: (id) => entryOf(id).request,
    view,
    async again(id) {
      const { again } = entryOf(id).request
      if (!again) throw new WrongCall(`request ${id} cannot be sent again: its body or its session is not stored`)
      const name = `again-${id}-${lastId}`
      await again(name)
      const sent = [...entries.values()].findLast((entry) => entry.request.name === name)
      if (!sent) throw new WrongCall('the service did not answer')
      return viewOf(sent)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    service: { needsKey: requests?.needsKey ?? false, hasRequests: requests !== undefined },
  }
}

const lettersOf = ({ body = '', answer = '' }: ServiceRequest): number => body.length + answer.length

function headOf({ id, request, message }: Entry): RequestHead {
  const { at, method, path, status, tookMs, turn } = request
  const [from, to] = [turn?.from.document ?? 0, turn?.to?.document ?? turn?.from.document ?? 0]
  return {
    id,
    at: new Date(at).toISOString(),
    method,
    path,
    status,
    ms: Math.round(tookMs),
    message,
    documents: Array.from({ length: Math.max(0, to - from) }, (_nothing, index) => from + index + 1),
  }
}

function viewOf(entry: Entry): RequestView {
  const { name, type = null, key = null, body = null, answer = null, turn, again } = entry.request
  return {
    ...headOf(entry),
    ...{ name, type, key, body, answer },
    frames: turn ? { after: turn.from.frame, to: turn.to?.frame ?? null } : null,
    again: again !== undefined,
  }
}
