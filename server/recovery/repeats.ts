/**
 * After silence a command is written again, and the device answers the repeat from its memory. One that lost its power
 * in between has forgotten, and does it once more (sheet A 2.6, sheet B 5). So whatever was written again is compared
 * with what the device holds, before more is built on it.
 */

import { DeviceError } from '../../drivers/model/errors.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import type { FiscalPrinter, Performed } from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { ServiceError } from '../failure.ts'
import { lastDocument } from './settle.ts'

/** Remembers whether any of the operations that it was shown was repeated. */
export class Doubt {
  #repeated = false

  get isThere(): boolean {
    return this.#repeated
  }

  async of<A extends Performed>(operation: Promise<A>): Promise<A> {
    try {
      const answer = await operation
      this.#repeated ||= answer.repeated
      return answer
    } catch (error) {
      if (error instanceof DeviceError) this.#repeated ||= error.repeated
      throw error
    }
  }
}

const TWICE = 'The device was cut off for a moment and has carried out a command twice:'

/** Throws ServiceError when the open receipt has more rows than were sold. */
export async function checkRows(printer: FiscalPrinter, sold: number): Promise<void> {
  const { itemsCount } = await printer.transactionStatus()
  if (itemsCount !== null && itemsCount > sold) {
    throw new ServiceError(424, `${TWICE} ${itemsCount} rows stand on the receipt instead of ${sold}.`)
  }
}

/** Throws ServiceError when more is paid than these payments come to. One without an amount pays what is left. */
export async function checkPaid(printer: FiscalPrinter, payments: readonly Payment[]): Promise<void> {
  if (payments.some(({ amount }) => amount === undefined)) return
  const given = payments.reduce((sum, { amount = 0 }) => sum + amount, 0)
  const { paid } = await printer.transactionStatus()
  if (paid !== null && paid > given) {
    throw new ServiceError(424, `${TWICE} ${formatMoney(paid)} is paid instead of ${formatMoney(given)}.`)
  }
}

/** Throws ServiceError when more than one document came of one command. `before`: the last one before it. */
export async function checkDocuments(printer: FiscalPrinter, before: number | null): Promise<void> {
  // It is printed: a device that falls silent now does not make a failure of it.
  const last = await lastDocument(printer).catch(() => null)
  if (before === null || last === null || last <= before + 1) return
  throw new ServiceError(424, `${TWICE} documents ${before + 1} to ${last} were printed instead of one.`, 'printed')
}
