/** Who is on this port? Harmless questions at each usual speed: nothing is printed, opened, set or counted. */

import { driverFamilies } from '../../drivers/families.ts'
import { openPrinter } from '../../drivers/index.ts'
import { messageOf, serialPort } from '../../drivers/link/port.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import type { DeviceIdentity } from '../../drivers/model/printer.ts'
import type { Family } from '../../drivers/model/receipt.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'

export interface FoundDevice {
  readonly family: Family
  readonly baud: number
  /** What the device tells about itself; undefined: it answers and does not say. */
  readonly identity: DeviceIdentity | undefined
}

/** `silent`: it opens and nobody answers; `closed`: it cannot be opened, and why. */
export type PortFinding = FoundDevice | { readonly silent: true } | { readonly closed: string }

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))

interface Question {
  readonly family: Family
  /** A whole frame, as it stands in the family's sheet. */
  readonly bytes: Uint8Array
  readonly bauds: readonly number[]
}

/**
 * A and B: command 74, the status. C: 20h, the same. A device that just had this number answers from memory, which is as
 * good. Each with the speeds of its sheet in the order in which they are usual.
 */
const QUESTIONS: readonly Question[] = [
  {
    family: 'A',
    bytes: hex('01 30 30 32 3A 21 30 30 34 3A 05 30 31 3C 30 03'),
    bauds: [115_200, 9600, 57_600, 19_200, 38_400],
  },
  { family: 'B', bytes: hex('01 24 21 4A 05 30 30 39 34 03'), bauds: [9600, 115_200, 19_200, 38_400, 57_600] },
  { family: 'C', bytes: hex('02 23 20 20 32 33 0A'), bauds: [115_200, 9600, 38_400, 19_200, 57_600] },
]

/** A device says something within 60 ms (A, B); a slow line needs 30 ms for the frame. */
const LISTEN_MS = 220

/** The first device that answers with a whole frame of its family. */
export async function probe(path: string, settings: { readonly baud?: number } = {}): Promise<PortFinding> {
  const tries = QUESTIONS.flatMap((question) => question.bauds.map((baud, rank) => ({ ...question, baud, rank })))
    .filter(({ baud }) => settings.baud === undefined || baud === settings.baud)
    .sort((one, other) => one.rank - other.rank)
  for (const { family, bytes, baud } of tries) {
    try {
      if (await answers(path, baud, family, bytes))
        return { family, baud, identity: await identityOf(path, baud, family) }
    } catch (error) {
      return { closed: messageOf(error) }
    }
  }
  return { silent: true }
}

async function answers(path: string, baud: number, family: Family, bytes: Uint8Array): Promise<boolean> {
  const shape = driverFamilies.get(family)?.linkRules.shape
  if (!shape) return false
  const deframer = new Deframer(shape)
  let onFrame: () => void = () => undefined
  const whole = new Promise<void>((resolve) => {
    onFrame = resolve
  })
  const port = await serialPort(
    path,
    baud,
    systemClock,
  )({
    heard: (chunk) => {
      if (deframer.push(chunk).some(({ kind }) => kind === 'frame')) onFrame()
    },
    lost: () => undefined,
  })
  try {
    await port.write(bytes)
    return await Promise.race([whole.then(() => true), silence()])
  } finally {
    await port.close()
  }
}

const silence = (): Promise<false> => new Promise((resolve) => systemClock.after(LISTEN_MS, () => resolve(false)))

/** The driver's own start-up: it asks for model and settings and changes nothing. */
async function identityOf(path: string, baud: number, family: Family): Promise<DeviceIdentity | undefined> {
  const printer = openPrinter({ family, device: path, baud })
  try {
    return await printer.connect()
  } catch {
    return undefined
  } finally {
    await printer.disconnect()
  }
}
