import { createRequire } from 'node:module'
import type { SerialPortStream } from '@serialport/stream'
import type { PrinterBinding, SerialPortClass, SerialPortOptions } from './types.ts'

type OpenCallback = (problem: Error | null) => void
type Stream = new (
  options: SerialPortOptions & { binding: PrinterBinding },
  openCallback?: OpenCallback,
) => SerialPortStream

/** The module is loaded on use, because most programs connect over a binding, a pty or TCP. */
const streamClass = (): Stream =>
  (createRequire(import.meta.url)('@serialport/stream') as { readonly SerialPortStream: Stream }).SerialPortStream

/** Returns serialport's own class with a preset `binding`, so that programs can extend it and use `instanceof`. */
export function serialPortOn(binding: PrinterBinding): SerialPortClass {
  const onBinding = new Proxy(streamClass(), {
    construct: (stream, [options, openCallback]: [SerialPortOptions, OpenCallback?], newTarget) =>
      Reflect.construct(stream, [{ ...options, binding }, openCallback], newTarget) as SerialPortStream,
    get(stream, name, receiver) {
      if (name === 'binding') return binding
      return name === 'list' ? () => binding.list() : Reflect.get(stream, name, receiver)
    },
  })
  return onBinding as unknown as SerialPortClass
}
