/**
 * The receipt of an order as it was printed. It is recorded with the print, to report later changes of the order
 * (platform orders 5.10).
 */
import { z } from 'zod'
import type { Money } from '../../drivers/model/money.ts'
import type { MappedOrder } from './map.ts'
import { showMoney } from './platform-values.ts'

const printedOrder = z.object({
  total: z.number(),
  lines: z.array(z.object({ id: z.string().nullable(), taxCode: z.number(), units: z.number(), sum: z.number() })),
  payments: z.array(z.object({ mode: z.number(), amount: z.number() })),
})
type PrintedOrder = z.output<typeof printedOrder>

export const recordOf = ({ lines, payments, total }: MappedOrder): PrintedOrder => ({
  total,
  lines: lines.map(({ id, taxCode, pieces, total: sum }) => ({ id: id ?? null, taxCode, units: pieces, sum })),
  payments: payments.map(({ mode, amount }) => ({ mode, amount })),
})

export const readRecord = (text: string | undefined): PrintedOrder | undefined =>
  text === undefined ? undefined : printedOrder.parse(JSON.parse(text))

/** Returns the end of the sentence about the time of the print; `undefined` if nothing has changed. */
export function changeSince(printed: PrintedOrder, { total, lines }: PrintedOrder): string | undefined {
  const [before, now] = [showMoney(printed.total), showMoney(total)]
  if (total > printed.total) return `for ${before}; its total is now ${now}`
  if (total < printed.total) return `for ${before}; ${becameLess(now, printed.total - total)}`
  if (JSON.stringify(lines) === JSON.stringify(printed.lines)) return undefined
  return `for ${before}; it was edited since and its total is still ${now}; add ?again=true only if that receipt was reversed on the device`
}

const becameLess = (now: string, difference: Money): string =>
  `its total is now ${now}; the refund of ${showMoney(difference)} needs a reversal on the device, which this service does not print`
