import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

export interface Load {
  readonly port: number
  readonly clients: number
  readonly forMs: number
  /** The clients send these calls in this order, again and again. */
  readonly calls: readonly {
    readonly method: string
    readonly path: string
    readonly body?: string
    readonly key?: string
  }[]
}
export interface LoadResult {
  readonly perSecond: number
  readonly medianMs: number
  readonly statuses: Readonly<Record<number, number>>
}

const { port, clients, forMs, calls } = workerData as Load
const agent = new Agent({ keepAlive: true, maxSockets: clients })
const times: number[] = []
const statuses: Record<number, number> = {}

function once(call: Load['calls'][number], turn: string): Promise<void> {
  const body = call.body ?? ''
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(call.key !== undefined && { 'idempotency-key': `${turn}-${call.key}` }),
  }
  const start = process.hrtime.bigint()
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, host: '127.0.0.1', port, method: call.method, path: call.path, headers },
      (answer) => {
        answer.resume()
        answer.on('end', () => {
          times.push(Number(process.hrtime.bigint() - start) / 1e6)
          statuses[answer.statusCode ?? 0] = (statuses[answer.statusCode ?? 0] ?? 0) + 1
          resolve()
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

let taken = 0
async function client(until: number): Promise<void> {
  while (Date.now() < until) {
    const place = taken++
    const call = calls[place % calls.length]
    if (call) await once(call, `${Math.floor(place / calls.length)}`)
  }
}

const round = (ms: number): Promise<unknown> =>
  Promise.all(Array.from({ length: clients }, () => client(Date.now() + ms)))
await round(forMs / 4)
times.length = 0
const start = process.hrtime.bigint()
await round(forMs)
const spentMs = Number(process.hrtime.bigint() - start) / 1e6
agent.destroy()
const sorted = times.sort((one, other) => one - other)
const result: LoadResult = {
  perSecond: (sorted.length * 1000) / spentMs,
  medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
  statuses,
}
parentPort?.postMessage(result)
