import { randomInt } from 'node:crypto'
import type { Family } from '../drivers/model/families.ts'
import type { DeviceProfile } from '../emulator/fiscal/types/profile.ts'
import { drawnIdentity, expectedSerial, type Identity, identityOf, storedIdentity } from '../emulator/identity.ts'
import type { Passport } from '../emulator/passport/passport.ts'
import { profileOf, storePath } from '../emulator/profiles.ts'
import { EXIT_USAGE, Exit } from './exit.ts'

/** Returns a random number from 0 to below 1, from the operating system. */
export const systemRandom = (): number => randomInt(2 ** 32) / 2 ** 32

export interface OpenedDevice {
  readonly family: Family
  readonly profile?: string
  /** Absent: the device is in memory. */
  readonly data?: string
  readonly deviceName?: string
  readonly passport?: Passport
}

/**
 * Returns the numbers of a new device; `undefined` if its folder, passport or profile defines them. Throws Exit for a
 * `serial` that the device cannot have.
 */
export function chosenIdentity(
  device: OpenedDevice,
  serial: string | undefined,
  random: () => number,
): Identity | undefined {
  const profile = knownProfile(device)
  const stored = storedIdentity(device)
  const passportSerial = device.passport?.device.serialNumber
  if (serial === undefined) {
    const isDrawn = device.data !== undefined && !stored && !device.passport
    return isDrawn ? drawnIdentity(profile, random) : undefined
  }
  const refuse = (why: string): never => {
    throw new Exit(EXIT_USAGE, `--serial ${serial}: ${why}`)
  }
  if (passportSerial !== undefined && passportSerial !== serial)
    refuse(`the passport has the serial number ${passportSerial}: omit --serial, or change the passport`)
  if (stored && stored.serialNumber !== serial) {
    const place = storePath(device)
    refuse(
      `the device in ${place} has the serial number ${stored.serialNumber}: omit --serial, or choose a new folder with --data`,
    )
  }
  if (stored || passportSerial !== undefined) return undefined
  const expected = expectedSerial(serial, profile)
  if (expected !== undefined) refuse(`expected ${expected}, for family ${profile.family}, profile ${profile.profile}`)
  return identityOf(serial, profile)
}

function knownProfile(device: OpenedDevice): DeviceProfile {
  try {
    return profileOf(device)
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(EXIT_USAGE, error.message)
    throw error
  }
}
