import type { Emulator } from '../emulator.ts'
import { messageIn } from './answer-message.ts'
import { WrongCall } from './call-input.ts'
import type { RequestHead, RequestView, ServiceView } from './contract.ts'
import type { Requests as SessionRequests } from './session-recorder.ts'

export interface HistoryPosition {
  readonly frame: number
  readonly document: number
  /** Generation of the device: after a reset, its documents have the ids of earlier ones. */
  readonly generation: number
}

/** A request of a client to the service that was answered, or whose client has disconnected. */
export interface ServiceRequest {
  /** Time of arrival, in ms of the wall clock. */
  readonly at: number
  readonly method: string
  /** Path with query, as it was sent. */
  readonly path: string
  /** `null` if the client disconnected before the answer. */
  readonly status: number | null
  readonly tookMs: number
  /** The `X-Request-Id`. */
  readonly name: string
  readonly type: string | undefined
  readonly key: string | undefined
  readonly body: string | undefined
  readonly answer: string | undefined
  /** True if an earlier request got this answer first, so that this one printed nothing. */
  readonly isReplay: boolean
  /**
   * Positions at which the request's turn on the device began and ended; `to` is absent during the turn. `undefined` if
   * the request had no turn.
   */
  readonly turn: { readonly from: HistoryPosition; readonly to?: HistoryPosition } | undefined
  /** Sends the request again, with `name` as its id. `undefined` if a part of the request is not stored. */
  readonly again?: ((name: string) => Promise<void>) | undefined
  step(): Promise<string>
}

export interface ServiceRequests extends SessionRequests {
  /**
   * `place` must return the current position of the device. `ended` is called once for each request, and again if the
   * turn of the request ends later.
   */
  observe(observer: { place(): HistoryPosition; ended(request: ServiceRequest): void }): void
  readonly needsKey: boolean
}

export interface RequestLog {
  list(after?: number, limit?: number): readonly RequestHead[]
  /** Throws WrongCall if the request is not stored. */
  get(id: number): ServiceRequest
  view(id: number): RequestView
  /** Resolves to the new request. Rejects with WrongCall. */
  sendAgain(id: number): Promise<RequestView>
  /**
   * Calls back when a request has ended, and again if its turn ends later. The returned function ends the subscription.
   */
  listen(listener: (head: RequestHead) => void): () => void
  readonly service: Pick<ServiceView, 'needsKey' | 'hasRequests'>
}

const STORED_REQUESTS_MAX = 1000
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
      if (entries.size <= STORED_REQUESTS_MAX && letters <= LETTERS_MAX) return
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
    place: () => ({ frame: emulator.lastFrame, document: device.counters.papers, generation: emulator.generation }),
    ended(request) {
      const knownEntry = entries.get(ids.get(request) ?? 0)
      const head = headOf(knownEntry ?? add(request), emulator.generation)
      for (const listener of listeners) listener(head)
    },
  })
  const entryOf = (id: number): Entry => {
    const entry = entries.get(id)
    if (entry) return entry
    throw new WrongCall(
      `there is no request ${id}, or it is no longer stored (only the last ${STORED_REQUESTS_MAX} are)`,
      404,
    )
  }
  const view = (id: number): RequestView => viewOf(entryOf(id), emulator.generation)
  return {
    list(after = 0, limit = STORED_REQUESTS_MAX) {
      const newer = [...entries.values()].filter(({ id }) => id > after)
      return newer.slice(0, limit).map((entry) => headOf(entry, emulator.generation))
    },
    get: (id) => entryOf(id).request,
    view,
    async sendAgain(id) {
      const { again } = entryOf(id).request
      if (!again) throw new WrongCall(`request ${id} cannot be sent again: its body or its session is not stored`)
      const name = `again-${id}-${lastId}`
      await again(name)
      const sent = [...entries.values()].findLast((entry) => entry.request.name === name)
      if (!sent) throw new WrongCall('the service did not answer')
      return viewOf(sent, emulator.generation)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    service: { needsKey: requests?.needsKey ?? false, hasRequests: requests !== undefined },
  }
}

const lettersOf = ({ body = '', answer = '' }: ServiceRequest): number => body.length + answer.length

function headOf({ id, request, message }: Entry, generation: number): RequestHead {
  const { at, method, path, status, tookMs, turn, isReplay } = request
  const [from, to] = [turn?.from.document ?? 0, turn?.to?.document ?? turn?.from.document ?? 0]
  const isOfReplaced = turn !== undefined && turn.from.generation !== generation
  return {
    id,
    at: new Date(at).toISOString(),
    method,
    path,
    status,
    ms: Math.round(tookMs),
    message,
    documents: isOfReplaced
      ? []
      : Array.from({ length: Math.max(0, to - from) }, (_nothing, index) => from + index + 1),
    isOfReplaced,
    isReplay,
  }
}

function viewOf(entry: Entry, generation: number): RequestView {
  const { name, type = null, key = null, body = null, answer = null, turn, again } = entry.request
  return {
    ...headOf(entry, generation),
    ...{ name, type, key, body, answer },
    frames: turn ? { after: turn.from.frame, to: turn.to?.frame ?? null } : null,
    again: again !== undefined,
  }
}
