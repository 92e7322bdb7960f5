import { DeviceError } from '../model/errors.ts'
import {
  type DeviceNumbers,
  type Evidence,
  isSame,
  type OpenReceipt,
  type TransactionStatus,
} from '../model/printer.ts'
import type { Device, WireTypes } from './protocol-adapter.ts'
import { replacedDeviceError, type Session } from './session.ts'

export async function isPresent<W extends WireTypes>(
  device: Device<W>,
  numbersOf: (device: Device<W>) => Promise<DeviceNumbers>,
): Promise<boolean> {
  return isSame(device.facts.identity, await numbersOf(device))
}

/**
 * Determines the outcome of a close whose answer was lost or was a refusal. `wasClosed` queries the device and resolves
 * to `undefined` if the answers do not decide. Rejects with `problem` if no receipt was closed or the queries fail, and
 * with `outcomeUnknown` if another program may have closed the receipt.
 */
export async function reconcileClose<W extends WireTypes>(
  device: Device<W>,
  numbersOf: (device: Device<W>) => Promise<DeviceNumbers>,
  problem: unknown,
  wasClosed: () => Promise<boolean | undefined>,
): Promise<void> {
  const reported = await (async () => ((await isPresent(device, numbersOf)) ? wasClosed() : undefined))().catch(() => {
    throw problem
  })
  const closed = device.isHeld ? reported : undefined
  if (closed === false) throw problem
  if (closed) return
  const what = 'the state of the device does not show whether the receipt was closed.'
  throw new DeviceError({ kind: 'outcomeUnknown', what })
}

/**
 * Runs a query after reading the device's numbers, because a device may be replaced at the far end of an adapter while
 * the port remains open. If the numbers differ, the session closes the port and forgets the facts of the old device.
 * `expectedDevice`: rejects if another device answers.
 */
export async function askPresent<W extends WireTypes, T>(
  session: Session<W>,
  numbersOf: (device: Device<W>) => Promise<DeviceNumbers>,
  run: (device: Device<W>) => Promise<T>,
  expectedDevice?: DeviceNumbers | null,
  tries = PRESENT_TRIES,
): Promise<T & DeviceNumbers & Pick<Evidence, 'hold'>> {
  if (!(await session.look((device) => isPresent(device, numbersOf)))) await session.link.close()
  const numbers = await session.look(async (device) => {
    const { hold } = session.link
    return { facts: await run(device), expectedDevice: device.facts.identity, hold }
  })
  // The port was reopened during the query, so another program or device may have been connected. Answers from before
  // and after are not combined.
  if (!session.facts || !isSame(numbers.expectedDevice, session.facts.identity) || session.link.hold !== numbers.hold) {
    if (tries > 1) return askPresent(session, numbersOf, run, expectedDevice, tries - 1)
    throw new DeviceError(session.link.connectionLost('it is interrupted repeatedly'))
  }
  if (expectedDevice && !isSame(expectedDevice, numbers.expectedDevice))
    throw replacedDeviceError(session.link, expectedDevice, numbers.expectedDevice)
  const { serialNumber, fiscalMemoryNumber } = numbers.expectedDevice
  session.noteReportedDevice({ serialNumber, fiscalMemoryNumber })
  return { ...numbers.facts, serialNumber, fiscalMemoryNumber, hold: numbers.hold }
}

const PRESENT_TRIES = 4

export const askNumbers = async <W extends WireTypes>(
  session: Session<W>,
  numbersOf: (device: Device<W>) => Promise<DeviceNumbers>,
): Promise<DeviceNumbers> => askPresent(session, numbersOf, async () => ({}))

/**
 * Resolves to the number of a receipt that was just opened, for commands whose answer does not contain it. Resolves to
 * null if the number cannot be read or another device answers; the receipt is open in any case.
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

export function openReceiptOf(status: TransactionStatus): OpenReceipt | null {
  const { isOpen, kind, receiptNumber, itemsCount, total, paid, remaining } = status
  if (!isOpen || kind === 'None') return null
  const number = receiptNumber === null ? null : Number(receiptNumber)
  return { kind, number, items: itemsCount, total, paid, remaining }
}
