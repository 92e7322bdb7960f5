import { DeviceError } from '../model/errors.ts'
import {
  type DeviceNumbers,
  type Evidence,
  isSame,
  type OpenReceipt,
  type TransactionStatus,
} from '../model/printer.ts'
import type { Device, WireTypes } from './protocol-adapter.ts'
import { exchangedError, type Session } from './session.ts'

/** Of the device that answers now, and not of the one that was found when the port was opened. */

/** The device that this operation began on is the one that answers now. */
export async function isPresent<W extends WireTypes>(
  device: Device<W>,
  numbersOf: (device: Device<W>) => Promise<DeviceNumbers>,
): Promise<boolean> {
  return isSame(device.facts.identity, await numbersOf(device))
}

/**
 * What a close came to whose answer was lost or is a refusal: `wasClosed` asks the device, and is undefined where its
 * words do not decide. Where the line was not held since, another program may have closed it, or
 * another memory answer. Rejects with the problem of the close itself when nothing was closed, and when the device is
 * still silent.
 */
export async function settleClose<W extends WireTypes>(
  device: Device<W>,
  numbersOf: (device: Device<W>) => Promise<DeviceNumbers>,
  problem: unknown,
  wasClosed: () => Promise<boolean | undefined>,
): Promise<void> {
  const told = await (async () => ((await isPresent(device, numbersOf)) ? wasClosed() : undefined))().catch(() => {
    throw problem
  })
  const closed = device.isHeld ? told : undefined
  if (closed === false) throw problem
  if (closed) return
  const what = 'what the device says does not tell whether the receipt was closed.'
  throw new DeviceError({ kind: 'outcomeUnknown', what })
}

/**
 * A device may be exchanged behind an adapter or a terminal server whose port stays open, so its numbers are asked for
 * each time. When they are others the port is closed, and what was known of the old device is forgotten with it. `of`: as
 * for evidence.
 */
export async function askPresent<W extends WireTypes, T>(
  session: Session<W>,
  numbersOf: (device: Device<W>) => Promise<DeviceNumbers>,
  run: (device: Device<W>) => Promise<T>,
  of?: DeviceNumbers | null,
  tries = PRESENT_TRIES,
): Promise<T & DeviceNumbers & Pick<Evidence, 'hold'>> {
  if (!(await session.look((device) => isPresent(device, numbersOf)))) await session.link.close()
  const told = await session.look(async (device) => {
    const { hold } = session.link
    return { facts: await run(device), of: device.facts.identity, hold }
  })
  // The port was opened anew meanwhile. It was somebody else's in between, or another device stands there: what is said now
  // is not put together with what was said before.
  if (!session.facts || !isSame(told.of, session.facts.identity) || session.link.hold !== told.hold) {
    if (tries > 1) return askPresent(session, numbersOf, run, of, tries - 1)
    throw new DeviceError(session.link.connectionLost('it is interrupted again and again'))
  }
  if (of && !isSame(of, told.of)) throw exchangedError(session.link, of, told.of)
  const { serialNumber, fiscalMemoryNumber } = told.of
  session.noteReportedDevice({ serialNumber, fiscalMemoryNumber })
  return { ...told.facts, serialNumber, fiscalMemoryNumber, hold: told.hold }
}

/** So often may the port be lost while it is asked. */
const PRESENT_TRIES = 4

export const askNumbers = async <W extends WireTypes>(
  session: Session<W>,
  numbersOf: (device: Device<W>) => Promise<DeviceNumbers>,
): Promise<DeviceNumbers> => askPresent(session, numbersOf, async () => ({}))

/**
 * The number that an opening has just taken, where its answer does not tell: `lastDocument` asks for it. Null where it
 * cannot be read, as the receipt is open nevertheless, and where another device answers: its number says nothing.
 */
export async function openedNumber<W extends WireTypes>(
  device: Device<W>,
  lastDocument: (device: Device<W>) => Promise<number>,
): Promise<number | null> {
  try {
    const number = await lastDocument(device)
    device.assertSameDevice()
    return number
  } catch (problem) {
    if (problem instanceof DeviceError) return null
    throw problem
  }
}

/** The same facts as in the state of a transaction, as numbers. */
export function openReceiptOf(status: TransactionStatus): OpenReceipt | null {
  const { isOpen, kind, receiptNumber, itemsCount, total, paid, remaining } = status
  if (!isOpen || kind === 'None') return null
  const number = receiptNumber === null ? null : Number(receiptNumber)
  return { kind, number, items: itemsCount, total, paid, remaining }
}
