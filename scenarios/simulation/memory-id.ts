import type { Emulator } from '../../emulator/emulator.ts'

const ids = new WeakMap<Emulator, string>()
let lastId = 0

/**
 * Returns an identity of the device's memory that is unique in this process. The serial number is not: a device whose
 * memory was replaced keeps it.
 */
export function memoryIdOf(device: Emulator): string {
  const id = ids.get(device) ?? `memory ${++lastId}`
  ids.set(device, id)
  return id
}
