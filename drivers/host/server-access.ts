/**
 * Rules of access that the service, the control API and the lines of a device share. Beyond loopback, a server needs a
 * key, or the user's statement that it is open to every client.
 */
import { hostname, networkInterfaces } from 'node:os'
import { isSameDigest, sha256 } from './digest.ts'
import { isLoopback } from './request-origin.ts'

export const LOOPBACK = '127.0.0.1'

/**
 * Returns whether only programs of this machine reach a server bound to `host`. A name other than `localhost` may lead
 * anywhere.
 */
export function isLoopbackAddress(host: string): boolean {
  const isAddress =
    host.includes(':') || (/^[\d.]+$/.test(host) && host.split('.').every((part) => Number(part) <= 255))
  return host === 'localhost' || (isAddress && isLoopback(host.toLowerCase()))
}

/** Returns the addresses of this machine as in a Host header, without scope. */
export const machineAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address.toLowerCase().split('%')[0] ?? '')

/**
 * Returns a check of hosts: loopback names, this machine's own name and addresses, and the configured names pass. The
 * addresses are read at each call, because interfaces change while a server runs.
 */
export function hostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  const configured = new Set([...names, hostname()].map((name) => name.toLowerCase()))
  return (host) => host !== undefined && (isLoopback(host) || configured.has(host) || machineAddresses().includes(host))
}

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === ''
export const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/**
 * Returns the address under which other machines reach a server bound to `host`; for a wildcard, the first address of
 * the local network.
 */
export function outsideHost(host: string): string {
  if (!isWildcard(host)) return host
  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  return outside?.address ?? LOOPBACK
}

export function keyCheck(apiKey: string): (key: string | undefined) => boolean {
  const expected = sha256(apiKey)
  return (key) => key !== undefined && isSameDigest(sha256(key), expected)
}

export const bearerKey = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]

/** Returns the password of `Authorization: Basic ...`, which a browser requests from its user. */
export function basicKey(authorization: string | undefined): string | undefined {
  const credentials = /^Basic +([\w+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1]
  return credentials === undefined
    ? undefined
    : /^[^:]*:(.+)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8'))?.[1]
}

/** Returns why a port could not be opened; `undefined` if the reason is another one. */
export const portTrouble = (code: string | undefined): string | undefined => PORT_TROUBLE[code ?? '']

const PORT_TROUBLE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use',
  EACCES: 'this user may not open it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine has no such address',
}

interface ListeningPort {
  readonly port: number
  readonly host?: string
  /** Option that names the port. */
  readonly option: string
}

/** Returns the message for a port that could not be opened; `undefined` for an error of another kind. */
export function tcpPortTrouble(error: unknown, { port, host = LOOPBACK, option }: ListeningPort): string | undefined {
  const { code } = error as NodeJS.ErrnoException
  const why = portTrouble(code)
  if (why === undefined) return undefined
  const remedy = isHostTrouble(code)
    ? 'Choose another address with --host'
    : `Stop the program that uses it, or choose another port with ${option}`
  return `TCP port ${port} on ${host} cannot be opened: ${why}. ${remedy}.`
}

/** Returns whether another host, and not another port, would solve the problem. */
export const isHostTrouble = (code: string | undefined): boolean => code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
