/**
 * Measures one commit from outside: starts its service and its emulator by their command lines, and sends HTTP
 * requests. Only options that all commits have are used.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '../../drivers/model/errors.ts'
import { median, residentMiB } from './measure.ts'
import type { Side } from './other-commit.ts'
import { type Running, start, stop } from './processes.ts'

/** Values of one measurement by the names of the figures, without figures that cannot be measured on this machine. */
export type Values = Readonly<Record<string, number>>

const FREE_PORTS = ['--panel-port', '0']

const RECEIPT = {
  path: '/print-fiscal-receipt',
  body: JSON.stringify({
    ReceiptItems: [1, 2, 3, 4, 5].map((PluNumber) => ({ Type: 1, PluSale: { PluNumber, Quantity: 2 } })),
  }),
}
const COMMAND = { path: '/display-line-one', body: '{"Text":"TOTAL 12.50"}' }

const CLIENTS = 8
const EMBEDDED = { warmUp: 100, receipts: 200, busyReceipts: 400, commandWarmUp: 500, commands: 2000 }
const ON_LINE = { warmUp: 40, receipts: 100 }
const COUNTED_RECEIPTS = 10

const STRACE = ['strace', '-D', '-f', '-qq', '-e', 'trace=fsync,fdatasync', '-e', 'signal=none']

export class Bench {
  readonly #folder: string
  readonly #family: string
  readonly #hasStrace: boolean
  readonly #running = new Set<ChildProcess>()
  #isClosed = false

  /** The caller removes the folder, which contains data and logs. */
  constructor(folder: string, family: string, hasStrace: boolean) {
    this.#folder = folder
    this.#family = family
    this.#hasStrace = hasStrace
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#running].map((child) => stop({ child })))
  }

  async fillCompileCache(side: Side): Promise<void> {
    const service = await this.#startService(side, [])
    await load(String(service.ready['http']), RECEIPT, { clients: 1, count: 1 })
    await stop(service)
  }

  async embedded(side: Side): Promise<Values> {
    const service = await this.#startService(side, [])
    const api = String(service.ready['http'])
    await load(api, RECEIPT, { clients: 1, count: EMBEDDED.warmUp })
    const { medianMs } = await load(api, RECEIPT, { clients: 1, count: EMBEDDED.receipts })
    const busy = await load(api, RECEIPT, { clients: CLIENTS, count: EMBEDDED.busyReceipts })
    const resident = process.platform === 'linux' ? residentMiB(service.child.pid ?? 0) : undefined
    await load(api, COMMAND, { clients: CLIENTS, count: EMBEDDED.commandWarmUp })
    const commands = await load(api, COMMAND, { clients: CLIENTS, count: EMBEDDED.commands })
    await stop(service)
    return {
      receiptMs: medianMs,
      receiptsPerSecond: busy.perSecond,
      commandsPerSecond: commands.perSecond,
      ...(resident !== undefined && { resident }),
    }
  }

  async pty(side: Side): Promise<Values> {
    const link = join(this.#newFolder('line'), 'printer')
    const emulator = await this.#startEmulator(side, ['--link', link])
    const values = await this.#onLine(side, link)
    await stop(emulator)
    return { ptyMs: values }
  }

  async tcp(side: Side): Promise<Values> {
    const emulator = await this.#startEmulator(side, ['--tcp', '0'])
    const values = await this.#onLine(side, `tcp://127.0.0.1:${emulator.ready['tcp']}`)
    await stop(emulator)
    return { tcpMs: values }
  }

  async #onLine(side: Side, device: string): Promise<number> {
    const service = await this.#startService(side, ['--device', device])
    const api = String(service.ready['http'])
    await load(api, RECEIPT, { clients: 1, count: ON_LINE.warmUp })
    const { medianMs } = await load(api, RECEIPT, { clients: 1, count: ON_LINE.receipts })
    await stop(service)
    return medianMs
  }

  /**
   * Counts exchanges, transactions and disk writes. The device runs in another process, so that only the service writes
   * to its folder.
   */
  async counts(side: Side): Promise<Values> {
    const emulator = await this.#startEmulator(side, ['--tcp', '0'])
    const line = await countingProxy(Number(emulator.ready['tcp']))
    const data = this.#newFolder('data')
    const syncs = join(this.#newFolder('syncs'), 'strace.txt')
    const wrapper = this.#hasStrace ? [...STRACE, '-o', syncs] : []
    const device = ['--device', `tcp://127.0.0.1:${line.port}`]
    const service = await this.#startService(side, device, data, wrapper)
    const api = String(service.ready['http'])
    await load(api, RECEIPT, { clients: 1, count: 3 })
    const counted = async (keys: string | undefined): Promise<Values> => {
      const samples: { exchanges: number; syncs: number; commits: number }[] = []
      for (let receipt = 0; receipt < COUNTED_RECEIPTS; receipt++) {
        const read = () => ({
          exchanges: line.exchanges(),
          syncs: this.#hasStrace ? syncsIn(syncs) : 0,
          commits: commitsIn(data),
        })
        const before = read()
        await load(api, RECEIPT, { clients: 1, count: 1, ...(keys !== undefined && { key: `${keys}-${receipt}` }) })
        // Writes of the service after its response count for this receipt.
        await pause(50)
        const after = read()
        samples.push({
          exchanges: after.exchanges - before.exchanges,
          syncs: after.syncs - before.syncs,
          commits: after.commits - before.commits,
        })
      }
      const of = (member: 'exchanges' | 'syncs' | 'commits') => median(samples.map((sample) => sample[member]))
      return { exchanges: of('exchanges'), commits: of('commits'), ...(this.#hasStrace && { syncs: of('syncs') }) }
    }
    const plain = await counted(undefined)
    const keyed = await counted('key')
    await stop(service)
    line.close()
    await stop(emulator)
    return {
      ...plain,
      ...Object.fromEntries(Object.entries(keyed).map(([name, value]) => [`${name}WithKey`, value])),
    }
  }

  #newFolder(name: string): string {
    return mkdtempSync(join(this.#folder, `${name}-`))
  }

  #startService(side: Side, args: readonly string[], data = this.#newFolder('data'), wrapper: readonly string[] = []) {
    const ports = ['--http-port', '0', '--https-port', '0', ...FREE_PORTS]
    return this.#start(side, ['serve', '--family', this.#family, '--data', data, ...ports, ...args], wrapper)
  }

  #startEmulator(side: Side, args: readonly string[]) {
    return this.#start(side, ['emulate', '--family', this.#family, '--data', 'memory', ...FREE_PORTS, ...args])
  }

  async #start({ name, root }: Side, args: readonly string[], wrapper: readonly string[] = []): Promise<Running> {
    if (this.#isClosed) throw new Error('the measurement was stopped')
    const log = join(this.#newFolder('log'), 'stderr.txt')
    const output = openSync(log, 'w')
    // `npm start` has this log level. With --json the service would also log every request.
    const env = { ...process.env, FISCAL_RIG_LOG: 'warn' }
    const spawned = (child: ChildProcess) => {
      this.#running.add(child)
      child.once('exit', () => this.#running.delete(child))
    }
    try {
      return await start(args, { root, wrapper, env, errors: output, spawned })
    } catch (error) {
      const reason = readFileSync(log, 'utf8').trim()
      throw new Error(`${name}: ${messageOf(error)}: ${reason}`)
    } finally {
      closeSync(output)
    }
  }
}

interface Load {
  readonly clients: number
  readonly count: number
  readonly key?: string
}

/** Clients wait for each response before the next request. Throws if a status is not 200. */
async function load(
  api: string,
  call: { readonly path: string; readonly body: string },
  { clients, count, key }: Load,
): Promise<{ medianMs: number; perSecond: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const times: number[] = []
  const began = performance.now()
  let sent = 0
  const client = async () => {
    while (sent < count) {
      sent += 1
      const start = performance.now()
      const { status, text } = await send(agent, `${api}${call.path}`, call.body, key)
      times.push(performance.now() - start)
      if (status !== 200) throw new Error(`POST ${call.path} was answered with ${status}: ${text}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: clients }, client))
    return { medianMs: median(times), perSecond: (count * 1000) / (performance.now() - began) }
  } finally {
    agent.destroy()
  }
}

function send(
  agent: Agent,
  url: string,
  body: string,
  key: string | undefined,
): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method: 'POST', headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/**
 * Relays the line between service and emulator, and counts the exchanges: bytes of the host after bytes of the device.
 * Every family waits for the response to a command before it sends the next, so the count needs no frame format.
 */
async function countingProxy(devicePort: number): Promise<{ port: number; exchanges(): number; close(): void }> {
  const sockets = new Set<Socket>()
  let exchanges = 0
  let isHostTurn = false
  const server = createServer((host) => {
    const device = connect(devicePort, '127.0.0.1')
    isHostTurn = false
    host.on('data', () => {
      if (!isHostTurn) exchanges += 1
      isHostTurn = true
    })
    device.on('data', () => {
      isHostTurn = false
    })
    for (const [from, to] of [
      [host, device],
      [device, host],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => sockets.delete(from))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    exchanges: () => exchanges,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const syncsIn = (file: string): number => readFileSync(file, 'utf8').match(/\bf(?:data)?sync\(/g)?.length ?? 0

const WAL_HEADER = 32
const FRAME_HEADER = 24

function commitsIn(folder: string): number {
  let commits = 0
  for (const name of readdirSync(folder).filter((file) => file.endsWith('-wal'))) {
    const wal = readFileSync(join(folder, name))
    if (wal.length < WAL_HEADER) continue
    const frameSize = FRAME_HEADER + wal.readUInt32BE(8)
    const salt = wal.subarray(16, 24)
    for (let at = WAL_HEADER; at + frameSize <= wal.length; at += frameSize) {
      // Frames of an earlier round, which the log will overwrite, have another salt.
      if (!wal.subarray(at + 8, at + 16).equals(salt)) break
      if (wal.readUInt32BE(at + 4) !== 0) commits += 1
    }
  }
  return commits
}
