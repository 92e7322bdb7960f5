import type { HttpRequest } from '../../http-calls.ts'

/** Sends the requests of the page to the control API, and opens its event stream. */
interface Backend {
  /** Resolves to the JSON or the text of the response. Rejects with the message of a refusal. */
  send(request: HttpRequest): Promise<unknown>
  /** Calls the listener with the JSON value of each event, until the page is closed. */
  listen(path: string, listener: EventListener): void
  linkTo(path: string): string
}

interface EventListener {
  /** Called after each connection. */
  readonly opened: () => void
  readonly onLost: () => void
  readonly events: Readonly<Record<string, (data: unknown) => void>>
}

/**
 * Value of the header Prefer that requests refusals with status 200 (panel.ts). A browser logs an error for each 4xx,
 * but a refusal is no error of this page.
 */
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
