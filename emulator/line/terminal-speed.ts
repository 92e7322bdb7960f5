import type { LinuxPortBinding } from '@serialport/bindings-cpp'

/** Speeds for which every system has a constant. socat can set a pty to these. */
const USUAL_SPEEDS: ReadonlySet<number> = new Set([
  300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
])

export const isUsualSpeed = (baud: number): boolean => USUAL_SPEEDS.has(baud)

/**
 * Returns a function that reads the speed of an open terminal, or `undefined` if the system cannot report it. A
 * terminal that was not set to the device's speed has a default speed of the system, which counts as not set until a
 * client changes it. Node has no such call, so that the serial port package is used; starting a child process for every
 * burst would take longer than the bytes.
 */
export async function speedReader(descriptor: number, wasSetUp: boolean): Promise<() => Promise<number | undefined>> {
  const port = await portOf(descriptor)
  const read = async (): Promise<number | undefined> => {
    try {
      return (await port?.getBaudRate())?.baudRate
    } catch {
      return undefined
    }
  }
  if (wasSetUp) return read
  const first = await read()
  let wasSet = false
  return async () => {
    const speed = await read()
    wasSet ||= speed !== first
    return wasSet ? speed : undefined
  }
}

/**
 * Creates the package's port object for an open descriptor without calling its constructor, which would start a poller
 * for reading. `open` would set a speed.
 */
async function portOf(descriptor: number): Promise<Pick<LinuxPortBinding, 'getBaudRate'> | undefined> {
  try {
    const { DarwinPortBinding, LinuxPortBinding } = await import('@serialport/bindings-cpp')
    const { prototype } = process.platform === 'darwin' ? DarwinPortBinding : LinuxPortBinding
    return Object.create(prototype, { fd: { value: descriptor } })
  } catch {
    return undefined
  }
}
