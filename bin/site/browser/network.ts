/**
 * `fetch` and `EventSource` that send requests for device and service to the worker instead of a server, so that the
 * page and "Try it" work as with a running service.
 */
import type { Headers, PageName, ToPages, ToWorker } from './messages.ts'

const isDevice = ({ origin, pathname }: URL): boolean =>
  origin === location.origin && /^\/(?:emulator|api|site)(?:\/|$)/i.test(pathname)

interface Receiver {
  head(status: number, headers: Headers): void
  piece(bytes: Uint8Array): void
  end(): void
  /** The worker has ended; `why` is the message. */
  lost(why: string): void
}

type ParentMessage = Omit<Extract<ToWorker, { is: 'request' }>, 'to' | 'is' | 'from' | 'id'>

export interface Connection {
  send(request: ParentMessage, receiver: Receiver): () => void
  watch(): void
}

const WATCH_MS = 1000
/**
 * Number of unanswered checks after which the worker is ended. Browsers slow the timers of hidden pages, which only
 * delays the end.
 */
const UNANSWERED_MAX = 5
const STUCK_TEXT = `The shared scenario was stopped: it did not respond for ${(UNANSWERED_MAX * WATCH_MS) / 1000} s. A pattern with nested repetitions causes this; ask for a link without one.`
const REPLACED_TEXT = 'The device was started again by another page.'

/** Connects to the worker over the channel with this name. `start` is called if this page must run the worker. */
export function connect(name: string, start: () => Worker): Connection {
  const channel = new BroadcastChannel(name)
  const own: PageName = `page ${crypto.getRandomValues(new Uint32Array(2))}`
  const receivers = new Map<number, Receiver>()
  let workerId: string | undefined
  let waiting: (() => void)[] = []
  let lastId = 0
  let worker: Worker | undefined
  let unanswered = 0
  const post = (message: ToWorker): void => channel.postMessage(message)

  const take = (message: ToPages): void => {
    if (message.is === 'ready') {
      if (workerId !== undefined && workerId !== message.workerId) loseAll(REPLACED_TEXT)
      unanswered = 0
      workerId = message.workerId
      for (const send of waiting) send()
      waiting = []
      return
    }
    if (message.is === 'closed') {
      workerId = undefined
      loseAll(REPLACED_TEXT)
      return
    }
    if (message.is === 'chosen') {
      document.dispatchEvent(new CustomEvent('chosen'))
      return
    }
    if (message.is === 'trouble') {
      document.dispatchEvent(new CustomEvent('trouble', { detail: message.why }))
      return
    }
    const receiver = receivers.get(message.id)
    if (message.is === 'head') receiver?.head(message.status, message.headers)
    else if (message.is === 'piece') receiver?.piece(message.bytes)
    else {
      receivers.delete(message.id)
      receiver?.end()
    }
  }
  const loseAll = (why: string): void => {
    const lostRequests = [...receivers.values()]
    receivers.clear()
    for (const receiver of lostRequests) receiver.lost(why)
  }
  channel.onmessage = ({ data }: MessageEvent<ToPages | ToWorker>) => {
    if (data.to === 'pages' || data.to === own) take(data as ToPages)
  }
  // The page that holds the lock runs the worker. After that page is closed, another page starts a new worker with the
  // same data.
  const begin = (): void => {
    worker = start()
    addEventListener('pagehide', () => channel.postMessage({ to: 'pages', is: 'closed' } satisfies ToPages))
  }
  if ('locks' in navigator) void navigator.locks.request(name, () => new Promise(begin))
  else begin()
  post({ to: 'worker', is: 'hello' })

  return {
    send(request, receiver) {
      const id = ++lastId
      const send = () => {
        receivers.set(id, receiver)
        post({ to: 'worker', is: 'request', from: own, id, ...request })
      }
      if (workerId === undefined) waiting.push(send)
      else send()
      return () => {
        waiting = waiting.filter((one) => one !== send)
        if (receivers.delete(id)) post({ to: 'worker', is: 'gone', from: own, id })
      }
    },
    watch() {
      const timer = setInterval(() => {
        if (workerId === undefined) return
        if (unanswered++ < UNANSWERED_MAX) return post({ to: 'worker', is: 'hello' })
        clearInterval(timer)
        worker?.terminate()
        workerId = undefined
        loseAll(STUCK_TEXT)
      }, WATCH_MS)
    },
  }
}

export function install(connection: Connection): void {
  const { fetch: real, EventSource: RealSource } = globalThis
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return isDevice(new URL(request.url)) ? ask(connection, request) : real(input, init)
  }
  globalThis.EventSource = new Proxy(RealSource, {
    construct: (Source, [address]: [string]) =>
      isDevice(new URL(address, location.href)) ? new WorkerEvents(connection, address) : new Source(address),
  })
}

async function ask(connection: Connection, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const bytes = new Uint8Array(await request.arrayBuffer())
  const body = request.method === 'GET' || request.method === 'HEAD' || bytes.length === 0 ? undefined : bytes
  const headers = [...request.headers]
  return new Promise((resolve, reject) => {
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined
    const stop = connection.send(
      { method: request.method, path: pathname + search, headers, body },
      {
        head(status, all) {
          const hasBody = status !== 204 && status !== 304
          const content = new ReadableStream<Uint8Array>({
            start(controller) {
              stream = controller
            },
            cancel: () => stop(),
          })
          resolve(
            new Response(hasBody ? content : null, { status, headers: all.map(([name, value]) => [name, value]) }),
          )
        },
        piece: (piece) => stream?.enqueue(piece),
        end: () => stream?.close(),
        lost(why) {
          const problem = new TypeError(why)
          stream?.error(problem)
          reject(problem)
        },
      },
    )
    request.signal.addEventListener('abort', () => {
      stop()
      reject(request.signal.reason)
    })
  })
}

const REOPEN_MS = 100

/** Server-sent events of the control API. Each chunk from the worker is a whole event. */
class WorkerEvents extends EventTarget {
  readonly #connection: Connection
  readonly #path: string
  #stop: () => void = () => undefined
  #isClosed = false

  constructor(connection: Connection, address: string) {
    super()
    this.#connection = connection
    const { pathname, search } = new URL(address, location.href)
    this.#path = pathname + search
    this.#open()
  }

  close(): void {
    this.#isClosed = true
    this.#stop()
  }

  #open(): void {
    const decoder = new TextDecoder()
    const restart = () => {
      this.dispatchEvent(new Event('error'))
      if (!this.#isClosed) setTimeout(() => this.#open(), REOPEN_MS)
    }
    const headers = [['Accept', 'text/event-stream']] as const
    this.#stop = this.#connection.send(
      { method: 'GET', path: this.#path, headers, body: undefined },
      {
        head: () => this.dispatchEvent(new Event('open')),
        piece: (bytes) => this.#log(decoder.decode(bytes)),
        end: restart,
        lost: restart,
      },
    )
  }

  #log(text: string): void {
    const name = /^event: (.*)$/m.exec(text)?.[1]
    const data = /^data: (.*)$/m.exec(text)?.[1]
    if (name !== undefined && data !== undefined) this.dispatchEvent(new MessageEvent(name, { data }))
  }
}
