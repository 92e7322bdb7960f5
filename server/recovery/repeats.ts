/**
 * After silence a command is written again, and the device answers the repeat from its memory. One that lost its power
 * in between has forgotten, and does it once more (sheet A 2.6, sheet B 5). So whatever was written again is compared
 * with what the device holds, before more is built on it.
 */
import { DeviceError } from '../../drivers/model/errors.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import type { FiscalPrinter, OpenReceipt, Performed } from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import type { OnDevice } from '../endpoint.ts'
import { type Effect, outcomeOf, ServiceError, said, withEffect } from '../outcome.ts'
import { isRefusal } from './failed-call.ts'
import type { Step } from './progress.ts'
import { inWords, timesOf } from './proof.ts'
import { evidenceBefore } from './settle.ts'

/** Remembers whether any of the operations that it was shown was repeated. */
export class Repeats {
  #any = false

  get any(): boolean {
    return this.#any
  }

  /** `onRepeat`: its answer came, and it was written more than once. */
  async of<A extends Performed>(operation: Promise<A>, onRepeat?: () => void): Promise<A> {
    try {
      const answer = await operation
      this.#any ||= answer.repeated
      if (answer.repeated) onRepeat?.()
      return answer
    } catch (error) {
      if (error instanceof DeviceError) this.#any ||= error.repeated
      throw error
    }
  }
}

const failed = (text: string, effect: Effect = 'nothing'): ServiceError =>
  new ServiceError({ status: 424, effect, reasons: [said(text)] })

const twice = (what: string, effect?: Effect): ServiceError =>
  failed(`The device was cut off for a moment and has carried out a command twice: ${what}`, effect)

const perhapsTwice = (what: string): ServiceError =>
  failed(`The device did not answer at first and may have carried out a command twice: ${what}`)

/** Throws ServiceError when the open receipt has more rows than were sold. */
export function checkRows(open: OpenReceipt | null, sold: number): void {
  const items = open?.items ?? null
  if (items !== null && items > sold) throw twice(`${items} rows stand on the receipt instead of ${sold}.`)
}

/**
 * A part of a complete receipt that no count of rows proves: an adjustment of the subtotal, or a row beside one that
 * takes a row back, which some devices count and others take off. Rejects where the device may have carried it out
 * twice: nothing is paid yet, and the receipt can be cancelled.
 */
export async function carryOutOnce(
  step: Step,
  act: () => Promise<Performed>,
  { printer, progress }: OnDevice,
  repeats: Repeats,
): Promise<void> {
  const of = progress.record.before
  const before = await evidenceBefore(printer, { of })
  let refused: DeviceError | undefined
  try {
    const { repeated } = await repeats.of(act())
    if (!repeated) return
  } catch (error) {
    // Of a repeat: the first of them may have been carried out.
    if (!isRefusal(error) || !error.repeated) throw error
    refused = error
  }
  const now = await printer.evidence({ of })
  const times = before === null ? 'unproven' : timesOf(step, before, now)
  if (times === 'once') return
  if (refused !== undefined) throw refused
  const tell = times === 'twice' ? twice : perhapsTwice
  throw tell(`before it: ${before ? inWords(before) : 'not told'}; after it: ${inWords(now)}.`)
}

/** Throws ServiceError when more is paid than these payments come to. One without an amount pays what is left. */
export async function checkPaid({ printer, progress }: OnDevice, payments: readonly Payment[]): Promise<void> {
  if (payments.some(({ amount }) => amount === undefined)) return
  const sum = payments.reduce((total, { amount = 0 }) => total + amount, 0)
  const { open } = await printer.evidence({ of: progress.record.before })
  const paid = open?.paid ?? null
  if (paid !== null && paid > sum) throw twice(`${formatMoney(paid)} is paid instead of ${formatMoney(sum)}.`)
}

/**
 * Throws ServiceError when more than one document came of one command that was written again, or nobody can tell now.
 * `before`: the last one before it.
 */
export async function checkDocuments(printer: FiscalPrinter, before: number | null): Promise<void> {
  const last = await printer.lastDocument().catch((error: unknown) => {
    throw nobodyKnows(error, true)
  })
  if (before === null) throw new ServiceError({ status: 424, effect: 'unknownCommand', reasons: [WRITTEN_AGAIN] })
  if (last > before + 1) throw twice(`documents ${before + 1} to ${last} were printed instead of one.`, 'printed')
}

const WRITTEN_AGAIN = said(
  'The command was written again: a device that lost its power meanwhile has carried it out more than once.',
)

/** After one command, when the device cannot be asked what became of it. */
export function nobodyKnows(error: unknown, repeated = error instanceof DeviceError && error.repeated): ServiceError {
  const { reasons } = outcomeOf(error)
  return withEffect(error, 'unknownCommand', {
    status: 424,
    reasons: repeated ? [...reasons, WRITTEN_AGAIN] : reasons,
  })
}
