/**
 * The two ports (specification 1, decisions 4), HTTP and HTTPS at the same address, and the addresses that the service
 * reports.
 */
import { lookup } from 'node:dns/promises'
import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  inUrl,
  isHostTrouble,
  isWildcard,
  machineAddresses,
  outsideHost,
  portTrouble,
} from '../drivers/host/server-access.ts'
import type { TlsMaterial } from './certificates.ts'

interface ListenRules {
  readonly host: string
  readonly httpPort: number
  readonly httpsPort: number
  /**
   * Configured names of this machine. The first name that resolves to a bound address becomes the host of the secure
   * address.
   */
  readonly hosts: readonly string[]
}

export interface Listening {
  readonly addresses: { secure(): Promise<string | undefined>; local(): string }
  readonly httpUrl: string
  readonly httpsUrl: string | undefined
  renew(material: TlsMaterial): void
  /** Accepts no more connections. Ends idle connections now and the others after `withinMs`. */
  close(withinMs: number): Promise<void>
}

export class ListenError extends Error {}

/** Keep-alive time. Tills keep a connection for a receipt or two. */
const KEEP_ALIVE_MS = 60_000

export async function listen(
  app: RequestListener,
  rules: ListenRules,
  tls: TlsMaterial | undefined,
): Promise<Listening> {
  // A request without a Host is refused by access.ts, in the envelope, instead of by Node.
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }
  const http = createHttp(options, app)
  const https = tls && createHttps({ ...options, cert: tls.cert, key: tls.key }, app)
  const httpPort = await open(http, rules.host, rules.httpPort, '--http-port')
  let httpsPort: number | undefined
  try {
    if (https) httpsPort = await open(https, rules.host, rules.httpsPort, '--https-port')
  } catch (error) {
    http.close()
    throw error
  }
  const local = (): string => `http://${inUrl(outsideHost(rules.host))}:${httpPort}/api`
  const secure = async (): Promise<string | undefined> =>
    httpsPort === undefined ? undefined : `https://${inUrl(await secureHost(rules))}:${httpsPort}/api`
  return {
    addresses: { local, secure },
    httpUrl: local(),
    httpsUrl: await secure(),
    renew: ({ cert, key }) => https?.setSecureContext({ cert, key }),
    close: async (withinMs) =>
      void (await Promise.all([http, ...(https ? [https] : [])].map((server) => end(server, withinMs)))),
  }
}

function open(server: Server, host: string, port: number, option: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const why = portTrouble(error.code) ?? error.message
      const what = isHostTrouble(error.code)
        ? 'Choose another address with --host'
        : `Choose another with ${option} (0: any free one)`
      reject(new ListenError(`Port ${port} on ${host} cannot be opened: ${why}. ${what}.`))
    }
    server.once('error', fail)
    server.on('clientError', answerMalformed)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function answerMalformed(_error: Error, socket: import('node:stream').Duplex): void {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify({ StatusCode: 400, Message: 'The request cannot be read.' })
  const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`
  socket.end(`${head}\r\n\r\n${body}`)
}

async function end(server: Server, withinMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), withinMs)
  await closed
  clearTimeout(timer)
}

/**
 * Resolves to the first configured name that resolves to a bound address; otherwise to the address for other machines.
 */
async function secureHost({ host, hosts }: ListenRules): Promise<string> {
  for (const name of hosts) {
    const addresses = await lookup(name, { all: true }).catch(() => [])
    const bound = (address: string) => (isWildcard(host) ? machineAddresses().includes(address) : address === host)
    if (addresses.some(({ address }) => bound(address))) return name
  }
  return outsideHost(host)
}
