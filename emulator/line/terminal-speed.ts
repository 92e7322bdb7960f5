/** Questions to a terminal that is open: the speed that a client has set on it. */
import type { LinuxPortBinding } from '@serialport/bindings-cpp'

/** Speeds that every system has a constant for; a pty can be set to these by socat. */
const USUAL: ReadonlySet<number> = new Set([
  300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
])

export const isUsualSpeed = (baud: number): boolean => USUAL.has(baud)

/**
 * Reads the speed of the terminal behind a descriptor in a tenth of a millisecond, without opening it a second time;
 * undefined where the system cannot tell. A terminal that could not be set up to the device's speed has some other one
 * from the system: that one counts as not set until a client changes it. The serial ports' package does it: Node itself
 * has no such call, and a child process for every burst of bytes would take longer than the bytes.
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
 * The package's port over a descriptor that is open already. It is not constructed: its `open` would set a speed, and
 * its constructor starts a poller for reading, which nobody does here.
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
