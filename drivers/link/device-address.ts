import type { Clock } from '../model/clock.ts'
import { type Binding, type PortOpener, serialPort, tcpPort } from './port.ts'
import { rfc2217Port } from './rfc2217.ts'

type DeviceAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number; readonly isRfc2217: boolean }
  | { readonly kind: 'serial'; readonly path: string }

export function openerOf(reach: DeviceAddress, baudRate: number, clock: Clock, binding?: Binding): PortOpener {
  if (reach.kind === 'serial') return serialPort(reach.path, baudRate, clock, binding)
  const { host, port, isRfc2217 } = reach
  const tcp = tcpPort(host, port, clock, isRfc2217)
  return isRfc2217 ? rfc2217Port(tcp, `${host}:${port}`, baudRate, clock) : tcp
}

export const hasSpeed = (reach: DeviceAddress): boolean => reach.kind === 'serial' || reach.isRfc2217

export const isRawAddress = (device: string): boolean => /^tcp:/i.test(device) && !/\?rfc2217$/i.test(device)

/**
 * Parses `tcp://HOST:PORT`, `tcp://HOST:PORT?rfc2217` or a path. Without `:PORT`, the port is `defaultTcpPort`. Throws
 * RangeError, with a message for the user, if the address is malformed.
 */
export function parseDevice(device: string, defaultTcpPort: number): DeviceAddress {
  if (device === '')
    throw new RangeError('the device address is empty: expected a path, tcp://HOST:PORT or tcp://HOST:PORT?rfc2217')
  if (!/^tcp:/i.test(device)) return { kind: 'serial', path: device }
  const match = /^tcp:\/\/(\[[0-9a-f:.%]+\]|[^:/?\s]+)(?::(\d{1,5}))?\/?(\?rfc2217)?$/i.exec(device)
  const port = Number(match?.[2] ?? defaultTcpPort)
  if (!match?.[1] || !(port >= 1 && port <= 65_535))
    throw new RangeError(`${device}: expected tcp://HOST:PORT or tcp://HOST:PORT?rfc2217`)
  return { kind: 'tcp', host: match[1].replace(/^\[|\]$/g, ''), port, isRfc2217: match[3] !== undefined }
}
