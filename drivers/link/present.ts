import type { DeviceIdentity, OpenReceipt, TransactionStatus } from '../model/printer.ts'
import type { Session } from './session.ts'
import type { Device, WireTypes } from './speech.ts'

/** Of the device that answers now, and not of the one that was found when the port was opened. */

export type Numbers = Pick<DeviceIdentity, 'serialNumber' | 'fiscalMemoryNumber'>

/**
 * A device may be exchanged behind an adapter or a terminal server whose port stays open, so its numbers are asked for
 * each time. When they are others the port is closed, and what was known of the old device is forgotten with it.
 */
export async function askPresent<W extends WireTypes, T>(
  session: Session<W>,
  numbersOf: (device: Device<W>) => Promise<Numbers>,
  run: (device: Device<W>) => Promise<T>,
): Promise<T & Numbers> {
  const isKnown = await session.look(async (device) => {
    const { serialNumber, fiscalMemoryNumber } = await numbersOf(device)
    const { identity } = device.facts
    return identity.serialNumber === serialNumber && identity.fiscalMemoryNumber === fiscalMemoryNumber
  })
  if (!isKnown) await session.link.close()
  return session.look(async (device) => {
    const told = await run(device)
    const { serialNumber, fiscalMemoryNumber } = device.facts.identity
    return { ...told, serialNumber, fiscalMemoryNumber }
  })
}

/** The same facts as in the state of a transaction, as numbers. */
export function openReceiptOf(status: TransactionStatus): OpenReceipt | null {
  const { isOpen, kind, receiptNumber, itemsCount, total, paid, remaining } = status
  if (!isOpen || kind === 'None') return null
  const number = receiptNumber === null ? null : Number(receiptNumber)
  return { kind, number, items: itemsCount, total, paid, remaining }
}

export const UNTOLD_DAY = { turnover: null, receipts: null, cashIn: null, cashOut: null } as const
