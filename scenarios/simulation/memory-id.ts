import type { Emulator } from '../../emulator/emulator.ts'

const ids = new WeakMap<Emulator, string>()
let lastId = 0

/**
 * Returns the identity of the memory of a device, in this process. The serial number is none: a device whose memory was
 * exchanged carries the same one.
 */
export function memoryIdOf(device: Emulator): string {
  const id = ids.get(device) ?? `memory ${++lastId}`
  ids.set(device, id)
  return id
}
