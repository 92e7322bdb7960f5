/**
 * Critical name constraints of a certificate authority (RFC 5280 4.2.1.10), in DER:
 *
 *   SEQUENCE { [0] { SEQUENCE { [2] "localhost" }, SEQUENCE { [7] address and mask }, ... } }
 *
 * A kind of name without constraints would be unrestricted, so host names and addresses always have at least one.
 */
import { BlockList, isIPv6 } from 'node:net'

export const NAME_CONSTRAINTS = '2.5.29.30'
/** OBJECT IDENTIFIER 2.5.29.30, followed by BOOLEAN TRUE, which means critical. */
const CRITICAL = Buffer.from('0603551d1e0101ff', 'hex')

const SEQUENCE = 0x30
const PERMITTED_TAG = 0xa0
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

/** Loopback, link-local and private networks. In other networks, a stolen key is useless. */
const RANGES = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const

const isPrivate = new BlockList()
for (const [net, prefix] of RANGES) isPrivate.addSubnet(net, prefix, isIPv6(net) ? 'ipv6' : 'ipv4')

export const isAddress = (name: string): boolean => /^\d+(\.\d+){3}$/.test(name) || name.includes(':')

export function nameConstraints(names: readonly string[]): Uint8Array<ArrayBuffer> {
  const ranges = RANGES.map(([net, prefix]) => subtree(IP_ADDRESS, subnet(net, prefix)))
  return new Uint8Array(der(SEQUENCE, der(PERMITTED_TAG, ...names.flatMap(ownSubtree), ...ranges)))
}

/** Returns whether the certificate (DER) permits each of the names, directly or by a range. */
export const permitsName = (certificate: Uint8Array, names: readonly string[]): boolean =>
  names.flatMap(ownSubtree).every((one) => Buffer.from(certificate).includes(one))

export const isNameConstrained = (certificate: Uint8Array): boolean => Buffer.from(certificate).includes(CRITICAL)

function ownSubtree(name: string): readonly Buffer[] {
  if (!isAddress(name)) return [subtree(DNS_NAME, Buffer.from(name, 'ascii'))]
  if (isPrivate.check(name, isIPv6(name) ? 'ipv6' : 'ipv4')) return []
  return [subtree(IP_ADDRESS, subnet(name, isIPv6(name) ? 128 : 32))]
}

const subtree = (kind: number, value: Buffer): Buffer => der(SEQUENCE, der(kind, value))

function subnet(address: string, prefix: number): Buffer {
  const bytes = bytesOf(address)
  const mask = Buffer.from(bytes.map((_byte, index) => 0xff & (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * index)))))
  return Buffer.concat([bytes, mask])
}

function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  // The URL parser returns an IPv6 address in its shortest form, with at most one `::` and without dots.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => text.split(':').filter((one) => one !== '')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
