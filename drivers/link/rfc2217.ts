import type { Clock } from '../model/clock.ts'
import {
  COM_PORT,
  comPortBytes,
  fourBytes,
  OPTIONS,
  SERVER,
  TelnetOptions,
  TelnetReader,
  telnetData,
} from '../wire/telnet.ts'
import type { Port, PortOpener } from './port.ts'

const NEGOTIATION_MS = 5000

const DATA_BITS = Uint8Array.of(8)
const NO_PARITY = Uint8Array.of(1)
const ONE_STOP_BIT = Uint8Array.of(1)
const [NO_FLOW_CONTROL, DTR_ON, RTS_ON] = [1, 8, 11]

const settingsAt = (baudRate: number): ReadonlyMap<number, { readonly value: Uint8Array; readonly what: string }> =>
  new Map([
    [COM_PORT.baudRate, { value: fourBytes(baudRate), what: `${baudRate} baud` }],
    [COM_PORT.dataSize, { value: DATA_BITS, what: '8 data bits' }],
    [COM_PORT.parity, { value: NO_PARITY, what: 'no parity' }],
    [COM_PORT.stopSize, { value: ONE_STOP_BIT, what: '1 stop bit' }],
  ])

export function rfc2217Port(tcp: PortOpener, where: string, baudRate: number, clock: Clock): PortOpener {
  return async (events) => {
    const reader = new TelnetReader()
    const open = settingsAt(baudRate)
    const pending = new Map(open)
    let isReady = false
    let isControlled = false
    let settle: { done: () => void; fail: (error: Error) => void } | undefined
    const fail = (why: string) => settle?.fail(new Error(why))
    const settings = new Promise<void>((done, fail) => {
      settle = { done, fail }
    })
    // The negotiation may fail before `settings` is awaited; this handler prevents an unhandled rejection.
    settings.catch(() => undefined)
    let port: Port | undefined
    const write = (bytes: Uint8Array) => void port?.write(bytes).catch(() => undefined)
    const options = new TelnetOptions(write)

    const control = () => {
      if (isControlled) return
      isControlled = true
      for (const [command, { value }] of pending) write(comPortBytes(command, value))
      // A port without these control lines answers differently or not at all, but it still passes data.
      for (const value of [NO_FLOW_CONTROL, DTR_ON, RTS_ON]) write(comPortBytes(COM_PORT.control, Uint8Array.of(value)))
    }
    const answered = ([answer = 0, ...value]: Uint8Array) => {
      const command = answer - SERVER
      const setting = pending.get(command)
      if (!setting) return
      if (Buffer.compare(setting.value, Uint8Array.from(value)) !== 0)
        return fail(`${where} does not set its serial port to ${setting.what}`)
      pending.delete(command)
      if (pending.size === 0) settle?.done()
    }
    const onData = (bytes: Uint8Array) => {
      for (const event of reader.push(bytes)) {
        if (event.kind === 'data') {
          if (isReady) events.onData(event.bytes)
        } else if (event.kind === 'subnegotiation') {
          if (event.option === OPTIONS.comPort) answered(event.bytes)
        } else {
          options.onNegotiation(event.verb, event.option)
          if (event.option !== OPTIONS.comPort) continue
          if (event.verb === 'do') control()
          if (event.verb === 'dont') fail(`${where} controls no serial port (RFC 2217): leave ?rfc2217 out`)
        }
      }
    }

    port = await tcp({ onData, onLost: (why) => (isReady ? events.onLost(why) : fail(why)) })
    for (const option of [OPTIONS.binary, OPTIONS.suppressGoAhead]) {
      options.offer('will', option)
      options.offer('do', option)
    }
    options.offer('will', OPTIONS.comPort)
    const inTime = clock.after(NEGOTIATION_MS, () =>
      fail(`${where} does not answer as a serial port over telnet (RFC 2217): leave ?rfc2217 out`),
    )
    try {
      await settings
    } catch (error) {
      await port.close(true)
      throw error
    } finally {
      inTime()
    }
    isReady = true
    const opened = port
    return {
      ...opened,
      byteMs: 10_000 / baudRate,
      write: (bytes) => opened.write(telnetData(bytes)),
    }
  }
}
