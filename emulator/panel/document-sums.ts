import { formatMoney, type Money } from '../../drivers/model/money.ts'
import { TAX_CODES, taxLetter } from '../../drivers/model/receipt.ts'
import type { FiscalDevice, PaperDocument } from '../fiscal/api.ts'
import type { ZRecord } from '../fiscal/types/day.ts'
import type { FiscalReceipt } from '../fiscal/types/receipt.ts'
import type { DocumentSum } from './contract.ts'

export function sumsOf(device: FiscalDevice, { number, zNumber }: PaperDocument): readonly DocumentSum[] {
  const receipt = device.journal.receipt(number)
  if (receipt) return receiptSums(device, receipt)
  const z = zNumber === undefined ? undefined : device.memory.z(zNumber)
  return z ? closureSums(device, z) : []
}

const sum = (name: string, amount: Money): DocumentSum => ({ name, amount: formatMoney(amount) })

const paidBy = ({ registers }: FiscalDevice, mode: number): string =>
  `Paid, ${registers.payments.find((one) => one.mode === mode)?.name ?? `mode ${mode}`}`

function receiptSums(device: FiscalDevice, receipt: FiscalReceipt): readonly DocumentSum[] {
  const { rows, subtotalAdjustments, groups, total, payments, change } = receipt
  return [
    sum('Total', total),
    ...payments.map(({ mode, tendered }) => sum(paidBy(device, mode), tendered)),
    ...(change === 0 ? [] : [sum('Change', change)]),
    ...TAX_CODES.flatMap((code) => {
      const amount = groups[code - 1] ?? 0
      return amount === 0 ? [] : [sum(`Tax group ${taxLetter(code)}`, amount)]
    }),
    ...subtotalAdjustments.map(({ adjustment, amount }) => sum(`Subtotal, ${adjustment.kind}`, amount)),
    ...rows.map((row) => sum(row.void ? `Void of ${row.name}` : row.name, row.amount)),
  ]
}

function closureSums(device: FiscalDevice, z: ZRecord): readonly DocumentSum[] {
  return [
    sum('Total', z.total),
    ...z.taxes
      .filter(({ turnover }) => turnover !== 0)
      .flatMap(({ taxCode, turnover, tax }) => [
        sum(`Tax group ${taxLetter(taxCode)}`, turnover),
        sum(`Tax of group ${taxLetter(taxCode)}`, tax),
      ]),
    ...Object.entries(z.payments)
      .filter(([, amount]) => amount !== 0)
      .map(([mode, amount]) => sum(paidBy(device, Number(mode)), amount)),
    sum('Discounts', z.discounts.amount),
    sum('Surcharges', z.surcharges.amount),
    sum('Voids', z.voids.amount),
    sum('Cash in', z.cashIn),
    sum('Cash out', z.cashOut),
  ]
}
