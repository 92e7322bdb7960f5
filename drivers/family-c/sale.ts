import { adjustmentOf, rowAmount } from '../model/amounts.ts'
import { badValue, DeviceError, type DeviceProblem, describeProblem, isUnanswered } from '../model/errors.ts'
import { MONEY_MAX, type Money } from '../model/money.ts'
import type { FreeSale, TaxCode } from '../model/receipt.ts'
import { clean } from '../wire/charset.ts'
import { textWidth } from './capabilities.ts'
import { amountsOf, wrapName } from './command-fields.ts'
import { askConfirmed } from './confirmed-command.ts'
import { printText } from './non-fiscal-receipts.ts'
import * as probes from './probes.ts'
import { taxCodeOf, taxLetterOf } from './protocol/cells.ts'
import { NAME_WIDTH } from './protocol/commands/sales.ts'
import type { Edition } from './protocol/edition.ts'
import { flagsOf, stateOf } from './reported-values.ts'
import { type DeviceC, refusalOf } from './session.ts'
import { type RememberedFacts, totalOf } from './state.ts'

/** Width of the name in the edition cr. The byte 60h, the unit in three symbols and two blanks follow (sheet 4.8). */
const CR_NAME_WIDTH = 30

export async function sell(device: DeviceC, sale: FreeSale, remembered: RememberedFacts) {
  const tax = letterOf(sale.taxCode, device.edition)
  const { before, name } = nameOf(device, sale)
  const row = { name, void: sale.void, ...amountsOf(sale) }
  const { department } = sale
  const probe = probes.within(remembered.document, probes.sale)
  const sellRow = async () => {
    if (department > 0 && device.edition.departmentMarker) {
      return askConfirmed(device, 'sale', { ...row, tax, department }, probe)
    }
    if (department > 0 && (await classOf(device, department)) === sale.taxCode) {
      return askConfirmed(device, 'saleByDepartment', { ...row, department }, probe)
    }
    return askConfirmed(device, 'sale', { ...row, tax }, probe)
  }
  if (before.length === 0 || !(await flagsOf(device)).has('fiscalOpen')) return sellRow()
  const { state } = await stateOf(device)
  // The device refuses a sale after the first payment, so the lines of the name must not be printed.
  if (state.payStarted) return sellRow()
  refuseAmount(sale, totalOf(state))
  return sellAfterLines(device, before, sellRow)
}

/**
 * Throws for amounts that a device refuses in any receipt (sheet 4.8), so that the lines of the name are not printed in
 * vain.
 */
function refuseAmount({ price, quantity, adjustment, void: isVoid }: FreeSale, total: Money): void {
  const base = rowAmount(price, quantity)
  const amount = base + adjustmentOf(base, adjustment)
  if (base === 0 || amount === 0) throw new DeviceError(refusalOf({ device: 0, command: 6 }))
  const isTooLarge = amount < 0 || Math.max(base, amount, isVoid ? 0 : total + amount) > MONEY_MAX
  if (isTooLarge) throw new DeviceError(refusalOf({ device: 0, command: 5 }))
}

/**
 * Prints lines of text, then sells. If the sale fails after a line was printed, the error says that the line was
 * printed.
 */
async function sellAfterLines<T>(device: DeviceC, lines: readonly string[], sellRow: () => Promise<T>): Promise<T> {
  let isPrinted = false
  try {
    for (const line of lines) {
      await printText(device, line)
      isPrinted = true
    }
    return await sellRow()
  } catch (problem) {
    if (!(problem instanceof DeviceError)) throw problem
    throw new DeviceError(problemAfterLines(problem.problem, isPrinted), problem.retransmitted, problem.at)
  }
}

function problemAfterLines(problem: DeviceProblem, isPrinted: boolean): DeviceProblem {
  const lines = (verb = 'are'): string => `lines with the name of the article ${verb} on the receipt`
  if (problem.kind === 'outcomeUnknown')
    return { ...problem, what: `${lines(isPrinted ? 'are' : 'may be')}, and ${problem.what}` }
  if (!isPrinted) return problem
  if (isUnanswered(problem))
    return { kind: 'outcomeUnknown', what: `${lines()}, and the device stopped responding`, command: 'sale' }
  if (problem.kind !== 'refused') return problem
  return { kind: 'unsupported', why: `${describeProblem(problem)} Nothing was sold, but ${lines()}.` }
}

function letterOf(code: TaxCode, { taxClasses, taxLetters }: Edition): string {
  if (code <= taxClasses) return taxLetterOf(code, taxLetters)
  throw new DeviceError(badValue('taxCode', `this device has the tax groups 1 to ${taxClasses}`))
}

/**
 * Resolves to the tax class of a department; `undefined` except in the edition c4, where a department sells only in its
 * class (sheet 4.8).
 */
async function classOf(device: DeviceC, department: number): Promise<number | undefined> {
  if (device.edition.name !== 'c4') return undefined
  const answer = await device.askUnlessRefused('any', 'readDepartment', { department })
  return answer?.values && taxCodeOf(answer.values.tax)
}

/**
 * Splits a name. The part that does not fit into the field is printed before the sale, in lines wrapped on blanks
 * (sheet 4.8).
 */
function nameOf({ edition, page, facts }: DeviceC, { name, unit }: FreeSale) {
  const { saleUnit } = edition
  const room = saleUnit ? CR_NAME_WIDTH : NAME_WIDTH
  const whole = page.encode(clean(name).replaceAll(';', ','))
  const { before, last } = wrapName(whole, room, textWidth(edition, facts.columns))
  const paperName = page.decode(last)
  return {
    before: before.map((line) => page.decode(line)),
    name:
      saleUnit && unit !== ''
        ? `${paperName.padEnd(CR_NAME_WIDTH)}\`${clean(unit).slice(0, 3).padEnd(3)}  `
        : paperName,
  }
}
