/** Finds the device on a port with harmless queries at each usual speed. */

import { driverFamilies } from '../../drivers/families.ts'
import type { DriverFamily } from '../../drivers/family.ts'
import { openPrinter } from '../../drivers/index.ts'
import { isRawAddress, openerOf, parseDevice } from '../../drivers/link/device-address.ts'
import type { Binding, PortOpener } from '../../drivers/link/port.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { portMessage } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { DeviceIdentity } from '../../drivers/model/printer.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'

export interface FoundDevice {
  readonly family: Family
  readonly baud: number
  readonly identity: DeviceIdentity | undefined
}

/** `silent`: the port opens, but no device answers. `closed`: the reason why the port cannot be used. */
type PortFinding = FoundDevice | { readonly silent: true } | { readonly closed: string }

/**
 * Time to wait for an answer, in ms: a device responds within 60 ms (A, B), and a slow line needs 30 ms for the frame.
 */
const LISTEN_MS = 220

interface ProbeSettings {
  readonly baud?: number
  readonly family?: Family
  /** Replacement of the operating system's serial ports. */
  readonly binding?: Binding
}

/**
 * Resolves to the first device that answers with a complete frame of its family. The most usual speed of each family is
 * tried first.
 */
export async function probe(path: string, settings: ProbeSettings = {}): Promise<PortFinding> {
  const tries = [...driverFamilies]
    .filter(([name]) => (settings.family ?? name) === name)
    .flatMap(([name, family]) => family.bauds.map((baud, rank) => ({ name, family, baud, rank })))
    // A raw line over a network has no speed.
    .filter(({ baud, rank }) => (isRawAddress(path) ? rank === 0 : (settings.baud ?? baud) === baud))
    .sort((one, other) => one.rank - other.rank)
  const cutOff: string[] = []
  for (const { name, family, baud } of tries) {
    try {
      if (await answers(path, baud, family, settings.binding)) {
        return { family: name, baud, identity: await identityOf(path, baud, name, settings.binding) }
      }
    } catch (error) {
      if (!(error instanceof CutOff)) return { closed: portMessage(error) }
      // A device at a network address closes a connection that starts with bytes of another family.
      cutOff.push(error.message)
    }
  }
  const [why] = cutOff
  return why !== undefined && cutOff.length === tries.length ? { closed: why } : { silent: true }
}

class CutOff extends Error {}

/** Throws RangeError if the text is neither a path nor an address. */
export const openerFor = (device: string, baud: number, defaultTcpPort: number, binding?: Binding): PortOpener =>
  openerOf(parseDevice(device, defaultTcpPort), baud, systemClock, binding)

async function answers(path: string, baud: number, family: DriverFamily, binding?: Binding): Promise<boolean> {
  const { linkRules, probe } = family
  const deframer = new Deframer(linkRules.shape)
  const { promise: whole, resolve: onFrame, reject: onLost } = Promise.withResolvers<void>()
  whole.catch(() => undefined)
  const port = await openerFor(
    path,
    baud,
    family.defaultTcpPort,
    binding,
  )({
    onData: (chunk) => {
      if (deframer.push(chunk).some(({ kind }) => kind === 'frame')) onFrame()
    },
    onLost: (why) => onLost(new CutOff(why)),
  })
  try {
    await port.write(probe)
    return await Promise.race([whole.then(() => true), silence()])
  } finally {
    await port.close()
  }
}

const silence = (): Promise<false> => new Promise((resolve) => systemClock.after(LISTEN_MS, () => resolve(false)))

/** Resolves to `undefined` if the start-up of the driver fails. The start-up only reads model and settings. */
async function identityOf(
  path: string,
  baud: number,
  family: Family,
  binding?: Binding,
): Promise<DeviceIdentity | undefined> {
  const printer = openPrinter({ family, device: path, baud }, omitUndefined({ binding }))
  try {
    return await printer.connect()
  } catch {
    return undefined
  } finally {
    await printer.disconnect()
  }
}
