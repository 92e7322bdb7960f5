/** The customer display as parameters 3, 5 and 6 configure it (sheet 10.1). */
import { formatMoney } from '../../drivers/model/money.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import type { SaleRow } from '../fiscal/types/receipt.ts'
import { parameterOf } from './parameters.ts'

const SHOWS_SALES = 1
const SHOWS_SUBTOTAL = 2
const SUBTOTAL_AFTER_MS = 5_000

/** Parameter 5 may specify more rows than the attached display has. */
export const rowsOf = (device: FiscalDevice): number => Math.min(parameterOf(device, 5), device.profile.displayLines)
export const columnsOf = (device: FiscalDevice): number => Math.min(parameterOf(device, 6), device.profile.displayWidth)

/** A display with one row shows only the amount. */
function amountLines(device: FiscalDevice, what: string, amount: number): readonly string[] {
  const columns = columnsOf(device)
  return [what.slice(0, columns), formatMoney(amount).padStart(columns)].slice(-rowsOf(device))
}

export function showAmount(device: FiscalDevice, what: string, amount: number): void {
  for (const [index, line] of amountLines(device, what, amount).entries()) device.display.show(index + 1, line)
}

/**
 * Shows a sale according to parameter 3: nothing, the sale, or the sale and later the subtotal. `always`: shows the
 * sale even if the parameter is 0 (command 52).
 */
export function showSale(device: FiscalDevice, { name, amount }: SaleRow, always = false): void {
  const shows = Math.max(parameterOf(device, 3), always ? SHOWS_SALES : 0)
  const { receipt } = device
  if (shows < SHOWS_SALES || receipt?.kind !== 'fiscal') return
  showAmount(device, name, amount)
  if (shows < SHOWS_SUBTOTAL) return
  const { words } = device.profile.paper
  device.display.showLater(SUBTOTAL_AFTER_MS, amountLines(device, words.subtotal, receipt.fiscal.total))
}
