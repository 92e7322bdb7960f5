import type { Emulator } from '../../emulator/emulator.ts'

const ids = new WeakMap<Emulator, string>()
let lastId = 0

/**
 * Returns the identity of a device's memory within this process. The serial number does not identify it: a device whose
 * memory was replaced keeps its serial number.
 */
export function memoryIdOf(device: Emulator): string {
  const id = ids.get(device) ?? `memory ${++lastId}`
  ids.set(device, id)
  return id
}
