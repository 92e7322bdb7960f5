/**
 * Single steps inside a receipt have the protection of whole receipts (decisions 3): the state before each is written
 * down; after an answer that was lost, or a command that the link wrote again, the state is compared. What the device
 * has carried out twice is taken back where the wire can, else told with both states.
 */
import { DeviceError } from '../../drivers/model/errors.ts'
import { present } from '../../drivers/model/present.ts'
import type { DeviceAnswer, Evidence, FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Subtotal } from '../../drivers/model/receipt.ts'
import type { OnDevice } from '../endpoint.ts'
import { ServiceError, said, withEffect } from '../outcome.ts'
import { isRefusal } from './failed-call.ts'
import { heldSince } from './held.ts'
import type { SoldRow, Step } from './progress.ts'
import { isSameDevice } from './proof.ts'
import { nobodyKnows } from './repeats.ts'
import { evidenceBefore, statesOf, timesCarriedOut } from './settle.ts'

export interface StepAct {
  readonly step: Step
  readonly act: (printer: FiscalPrinter) => Promise<DeviceAnswer>
  /** Takes one of two equal rows back; absent: that cannot be. */
  readonly takeBack?: ((printer: FiscalPrinter) => Promise<DeviceAnswer>) | undefined
}

/** A subtotal that changes nothing is no more than a line on the paper, if that. */
export function subtotalStep(subtotal: Subtotal): Step {
  if (subtotal.adjustment) return { does: 'subtotal', subtotal }
  return { does: subtotal.print ? 'print' : 'ask' }
}

/** What of a row tells it from another. */
export const rowOf = ({ price, plu, quantity, void: takesBack, adjustment }: SoldRow): SoldRow => ({
  ...{ quantity, void: takesBack },
  ...present({ price, plu, adjustment }),
})

export const saleStep = (sale: SoldRow): Step => ({ does: 'sale', row: rowOf(sale) })

/** What the device answered; '' where its answer was lost and the step is carried out all the same. */
export async function carryOut(one: StepAct, { printer, progress }: OnDevice): Promise<string> {
  const before = await evidenceBefore(printer)
  progress.begin('step', { before, step: one.step })
  progress.reach('filling')
  try {
    const { text, repeated } = await one.act(heldSince(printer, () => before))
    return repeated ? await compared(one, before, printer, text) : text
  } catch (error) {
    if (!isInDoubt(error)) throw error
    return compared(one, before, printer, '', error)
  }
}

const isInDoubt = (error: unknown): boolean =>
  error instanceof DeviceError && (error.repeated || error.problem.kind === 'outcomeUnknown')

/** `failure`: what came instead of the answer. */
async function compared(
  { step, takeBack }: StepAct,
  before: Evidence | null,
  printer: FiscalPrinter,
  text: string,
  failure?: unknown,
): Promise<string> {
  if (step.does === 'ask' && failure === undefined) return text
  const now = await stateAfter(printer, failure)
  if (before === null) throw unclear(null, now, 'the device did not tell its state before this step')
  if (!isSameDevice(before, now)) throw unclear(before, now, 'another device is connected since')
  switch (await timesCarriedOut(printer, step, before, now)) {
    case 'once':
      return text
    case 'not':
      if (failure === undefined) return text
      throw isRefusal(failure) ? failure : withEffect(failure, 'notCarriedOut')
    case 'twice': {
      const what = 'the device was cut off for a moment and has carried out this step twice'
      if (!takeBack) throw unclear(before, now, what)
      const after = await takenBack(takeBack, printer, before, now)
      if (after === true) return text
      throw unclear(before, after, `${what}; one of them could not be taken back`)
    }
    case 'unproven':
      throw unclear(
        before,
        now,
        step.does === 'print' ? MAY_BE_TWICE : 'what the device says does not prove what became of this step',
      )
  }
}

/** No device tells its lines of text. */
const MAY_BE_TWICE =
  'the device did not answer at first: what it was told to print stands on the paper once, twice or not at all'

async function stateAfter(printer: FiscalPrinter, failure: unknown, of?: Evidence): Promise<Evidence> {
  try {
    return await printer.evidence(of && { of })
  } catch (second) {
    throw failure === undefined ? nobodyKnows(second, true) : nobodyKnows(failure)
  }
}

/** True: one of the two is left. Otherwise the state after the attempt. */
async function takenBack(
  takeBack: NonNullable<StepAct['takeBack']>,
  printer: FiscalPrinter,
  before: Evidence,
  twice: Evidence,
): Promise<true | Evidence> {
  try {
    await takeBack(printer)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
  }
  const after = await stateAfter(printer, undefined, twice)
  const [none, two, one] = [before, twice, after].map(({ open }) => open?.total ?? null)
  const isOne = none != null && two != null && one != null && 2 * (one - none) === two - none
  return isOne ? true : after
}

/** Stands for good: nothing that the device may say later decides it. */
function unclear(before: Evidence | null, now: Evidence, what: string): ServiceError {
  return new ServiceError({ status: 424, effect: 'undecided', reasons: [said(`${what}; ${statesOf(before, now)}`)] })
}
