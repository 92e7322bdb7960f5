import type { FiscalDevice } from './api.ts'
import type { Outcome } from './types/outcome.ts'
import type { PaymentResult, SaleRow } from './types/receipt.ts'

export function showSale(device: FiscalDevice, outcome: Outcome<SaleRow>): void {
  if (outcome.ok) device.display.showAmount(outcome.value.name, outcome.value.amount)
}

/** Shows the change or the remaining amount or, if the receipt is paid exactly, its total. */
export function showPayment(device: FiscalDevice, outcome: Outcome<PaymentResult>): void {
  if (!outcome.ok) return
  const { words } = device.profile.paper
  const { rest, change } = outcome.value
  if (change > 0) device.display.showAmount(words.change, change)
  else if (rest > 0) device.display.showAmount(words.total, rest)
  else if (device.receipt?.kind === 'fiscal') device.display.showAmount(words.total, device.receipt.fiscal.total)
}
