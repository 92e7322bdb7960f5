import { existsSync } from 'node:fs'
import { type DatabaseSync, openDatabase } from '../drivers/host/sqlite.ts'
import { type DeviceChoice, storePath } from './profiles.ts'

export interface Identity {
  readonly serialNumber: string
  readonly fiscalMemoryNumber: string
}

/**
 * Returns the numbers of the device in the data folder; `undefined` if there is none, or if its file cannot be read.
 */
export function storedIdentity(choice: DeviceChoice): Identity | undefined {
  const path = storePath(choice)
  if (path === ':memory:' || !existsSync(path)) return undefined
  let database: DatabaseSync | undefined
  try {
    database = openDatabase(path, { readOnly: true })
    const row = database.prepare(`SELECT body FROM state WHERE name = 'device'`).get()
    const { serialNumber, fiscalMemoryNumber } = JSON.parse(String(row?.['body'])) as Identity
    return { serialNumber, fiscalMemoryNumber }
  } catch {
    // The device reports an unreadable file when it starts.
    return undefined
  } finally {
    database?.close()
  }
}

/** `DT000123` yields `DT` and `000123`. */
function partsOf(serialNumber: string): { readonly letters: string; readonly digits: string } {
  const letters = /^\D*/.exec(serialNumber)?.[0] ?? ''
  return { letters, digits: serialNumber.slice(letters.length) }
}

/**
 * Returns `undefined` if `text` has the format of the profile's serial number; otherwise describes the format for a
 * message.
 */
export function expectedSerial(text: string, { serialNumber }: Identity): string | undefined {
  const { letters, digits } = partsOf(serialNumber)
  const format = new RegExp(`^[A-Z]{${letters.length}}\\d{${digits.length}}$`)
  if (format.test(text)) return undefined
  return `${letters.length} capital letters and ${digits.length} digits, such as ${serialNumber}`
}

/** The fiscal memory number ends in the digits of the serial number, as in every profile. */
export function identityOf(serialNumber: string, { fiscalMemoryNumber }: Identity): Identity {
  const { digits } = partsOf(serialNumber)
  return { serialNumber, fiscalMemoryNumber: `${fiscalMemoryNumber.slice(0, -digits.length)}${digits}` }
}

/** Number of random digits. In longer numbers, the digits before them identify the kind of device. */
const DRAWN_DIGITS = 6

/**
 * Returns numbers with random last digits, which differ from those of `knownIdentity`. `random` returns 0 to below 1.
 */
export function drawnIdentity(knownIdentity: Identity, random: () => number): Identity {
  const all = 10 ** DRAWN_DIGITS
  const own = Number(knownIdentity.serialNumber.slice(-DRAWN_DIGITS))
  const drawn = (own + 1 + Math.floor(random() * (all - 1))) % all
  const digits = String(drawn).padStart(DRAWN_DIGITS, '0')
  return identityOf(`${knownIdentity.serialNumber.slice(0, -DRAWN_DIGITS)}${digits}`, knownIdentity)
}
