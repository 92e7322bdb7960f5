/**
 * Access rules that the service, the control API and the lines of a device share. A server that other machines can
 * reach needs a key, or the user's explicit consent to serve every client.
 */
import { hostname, networkInterfaces } from 'node:os'
import { isSameDigest, sha256 } from './digest.ts'
import { isLoopback } from './request-origin.ts'

export const LOOPBACK = '127.0.0.1'

/**
 * Returns whether only programs on this machine can reach a server that is bound to `host`. Of all names, only
 * `localhost` qualifies.
 */
export function isLoopbackAddress(host: string): boolean {
  const isAddress =
    host.includes(':') || (/^[\d.]+$/.test(host) && host.split('.').every((part) => Number(part) <= 255))
  return host === 'localhost' || (isAddress && isLoopback(host.toLowerCase()))
}

export const machineAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address.toLowerCase().split('%')[0] ?? '')

/**
 * Returns a function that accepts loopback names, the name and the addresses of this machine, and the configured names.
 * The addresses are read at each call, because they change while a server runs.
 */
export function hostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  const configured = new Set([...names, hostname()].map((name) => name.toLowerCase()))
  return (host) => host !== undefined && (isLoopback(host) || configured.has(host) || machineAddresses().includes(host))
}

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === ''
export const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/**
 * Returns the address under which other machines reach a server that is bound to `host`. For a wildcard, it is the
 * first IPv4 address of this machine, or the loopback address if there is none.
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

export function basicKey(authorization: string | undefined): string | undefined {
  const credentials = /^Basic +([\w+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1]
  return credentials === undefined
    ? undefined
    : /^[^:]*:(.+)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8'))?.[1]
}

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
  readonly option: string
}

export function tcpPortTrouble(error: unknown, { port, host = LOOPBACK, option }: ListeningPort): string | undefined {
  const { code } = error as NodeJS.ErrnoException
  const why = portTrouble(code)
  if (why === undefined) return undefined
  const remedy = isHostTrouble(code)
    ? 'Choose another address with --host'
    : `Stop the program that uses it, or choose another port with ${option}`
  return `TCP port ${port} on ${host} cannot be opened: ${why}. ${remedy}.`
}

export const isHostTrouble = (code: string | undefined): boolean => code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
