import { badValue, DeviceError } from '../model/errors.ts'
import type { FreeSale, TaxCode } from '../model/receipt.ts'
import { clean } from '../wire/charset.ts'
import { textWidth } from './capabilities.ts'
import { printText } from './non-fiscal-receipts.ts'
import * as probes from './probes.ts'
import { taxCodeOf, taxLetterOf } from './protocol/cells.ts'
import { NAME_WIDTH } from './protocol/commands/sales.ts'
import type { Edition } from './protocol/edition.ts'
import type { DeviceC } from './session.ts'
import { askOnce } from './settled.ts'
import { flagsOf, stateOf } from './state.ts'
import { amountsOf, wrapName } from './values.ts'

/** A free sale: sheet 4.8. */

/** In cr the name has 30 symbols; 60h, the unit in three and two blanks follow (sheet 4.8). */
const CR_NAME_WIDTH = 30

export async function sell(device: DeviceC, sale: FreeSale) {
  const tax = letterOf(sale.taxCode, device.edition)
  const name = await shortName(device, clean(sale.name).replaceAll(';', ','), sale.unit)
  const row = { name, void: sale.void, ...amountsOf(sale) }
  const { department } = sale
  if (department > 0 && device.edition.departmentMarker) {
    return askOnce(device, 'sale', { ...row, tax, department }, probes.sale)
  }
  if (department > 0 && (await classOf(device, department)) === sale.taxCode) {
    return askOnce(device, 'saleByDepartment', { ...row, department }, probes.sale)
  }
  return askOnce(device, 'sale', { ...row, tax }, probes.sale)
}

function letterOf(code: TaxCode, { taxClasses, taxLetters }: Edition): string {
  if (code <= taxClasses) return taxLetterOf(code, taxLetters)
  throw new DeviceError(badValue('taxCode', `this device has the tax groups 1 to ${taxClasses}`))
}

/** c4: a department sells only in its own class (sheet 4.8), so that is asked. */
async function classOf(device: DeviceC, department: number): Promise<number | undefined> {
  if (device.edition.name !== 'c4') return undefined
  const answer = await device.askUnless('any', 'readDepartment', { department })
  return answer?.values && taxCodeOf(answer.values.tax)
}

/** What is longer than the name's field is printed before it, line by line, wrapped on blanks (sheet 6). */
async function shortName(device: DeviceC, name: string, unit: string): Promise<string> {
  const { edition, page, facts } = device
  const { saleUnit } = edition
  const room = saleUnit ? CR_NAME_WIDTH : NAME_WIDTH
  const { before, last } = wrapName(page.encode(name), room, textWidth(edition, facts.columns))
  if (before.length > 0 && (await flagsOf(device)).has('fiscalOpen')) {
    const { state } = await stateOf(device)
    // After payment has begun the sale is refused: its name must not stand on paper alone.
    if (!state.payStarted) for (const line of before) await printText(device, page.decode(line))
  }
  const paperName = page.decode(last)
  return saleUnit && unit !== ''
    ? `${paperName.padEnd(CR_NAME_WIDTH)}\`${clean(unit).slice(0, 3).padEnd(3)}  `
    : paperName
}
