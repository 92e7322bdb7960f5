import type { HttpRequest } from '../../request.ts'

/** The backend of the page: the only place that sends a request or opens a stream of events. */
interface Backend {
  /** Resolves with the JSON or the text of the answer. Rejects with the message of a refusal. */
  send(request: HttpRequest): Promise<unknown>
  /** Passes on the events of this path by their names, as JSON values, until the page is closed. */
  listen(path: string, listener: EventListener): void
  /** Returns the address of a link to the answer of a GET call. */
  linkTo(path: string): string
}

interface EventListener {
  /** Called after each connection. */
  readonly opened: () => void
  readonly onLost: () => void
  readonly events: Readonly<Record<string, (data: unknown) => void>>
}

/** A browser logs an error for each 4xx, but a refusal of the device is not an error of this page (panel.ts). */
const REFUSAL = 'refusal=ok'

const overHttp: Backend = {
  async send({ method, path, body }) {
    const response = await reach(path, { method, headers: { Prefer: REFUSAL }, ...(body !== undefined && { body }) })
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
    if (response.ok && !isJson) return response.text()
    const answer = isJson ? await response.json() : undefined
    const isRefused = response.headers.get('Preference-Applied') === REFUSAL
    if (!response.ok || isRefused) throw new Error(answer?.error ?? `${method} ${path}: ${response.status}`)
    return answer
  },
  listen(path, { opened, onLost, events }) {
    const stream = new EventSource(path)
    stream.addEventListener('open', opened)
    stream.addEventListener('error', onLost)
    for (const [name, take] of Object.entries(events))
      stream.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent<string>).data)))
  },
  linkTo: (path) => path,
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request)
  } catch {
    throw new Error('The emulator cannot be reached. Is it still running?')
  }
}

export const backend: Backend = overHttp
