import { z } from 'zod'
import { expected, trueOrFalse } from '../../drivers/host/form-kinds.ts'
import { parseDecimal } from '../../drivers/model/money.ts'
import { members } from '../runner/fields.ts'
import type { NewLine, NewOrder } from './order-life.ts'
import { OrderChangeError, OrderLife } from './order-life.ts'

const decimal = (what: string) =>
  z.union([z.string(), z.number()], expected(what)).transform((value, context) => {
    const read = parseDecimal(String(value), 2)
    if (typeof read === 'number' && read >= 0) return read
    context.issues.push({ code: 'custom', message: `expected ${what}`, input: value })
    return z.NEVER
  })
const amount = decimal('an amount such as "24.70"')
const rate = decimal('a percentage such as "21.00"')
const blended = z.enum(['by price', 'by quantity'])
const PLACE = expected('a whole number from 1, as lines and payments are counted')
const place = z.int(PLACE).min(1, PLACE)
const UNITS = expected('a whole number of units')
const units = (least: 0 | 1) => z.int(UNITS).min(least, UNITS)
const text = z.string(expected('a text'))

const line = members(
  'a line',
  {
    title: text,
    variant: text.optional(),
    sku: text.optional(),
    price: amount,
    units: units(1),
    rate: rate.nullish(),
    discount: amount.optional(),
  },
  { name: 'title', quantity: 'units' },
)

const ID = expected('the number of the order, as a text such as "7001"')
const LINES = expected('a list with at least one line {title, price, units, rate}')
const SHIPPING_RATE = expected('a percentage such as "21.00", or by price or by quantity: blended from the goods')
export const newOrderForm = members('an order', {
  id: z.string(ID).regex(/^\d+$/, ID),
  name: text.optional(),
  currency: text.optional(),
  taxesIncluded: trueOrFalse.optional(),
  test: trueOrFalse.optional(),
  lines: z.array(line, LINES).min(1, LINES),
  discount: amount.optional(),
  shipping: members('shipping', {
    title: text.optional(),
    price: amount,
    rate: z.union([blended, rate], SHIPPING_RATE),
  }).optional(),
})

/** Lines and payments are counted from 1, as in messages of the service. */
export const changeForm = members('a change of an order', {
  add: line.optional(),
  edit: members('edit', { line: place, units: units(0) }).optional(),
  pay: members('pay', { gateway: text, amount, pending: trueOrFalse.optional() }).optional(),
  capture: members('capture', { payment: place, amount, gateway: text.optional() }).optional(),
  void: members('void', { payment: place }).optional(),
  refund: members('refund', {
    payment: place,
    amount: amount.optional(),
    lines: z
      .array(members('a refunded line', { line: place, units: units(1) }), expected('a list of {line, units}'))
      .optional(),
  }).optional(),
  refundShipping: members('refundShipping', { amount }).optional(),
  cancel: z.literal(true, expected('true')).optional(),
})

const lineIn = ({ rate: percent, ...rest }: z.output<typeof line>): NewLine =>
  ({ ...rest, rate: percent ?? null }) as NewLine

/** Throws OrderChangeError or ZodError for an invalid order. */
export function newLife(input: unknown): OrderLife {
  const { lines, ...order } = newOrderForm.parse(input)
  return new OrderLife({ ...order, lines: lines.map(lineIn) } as NewOrder)
}

/** Applies the members of a change in a fixed order. Throws OrderChangeError or ZodError for an invalid change. */
export function changeLife(life: OrderLife, input: unknown): void {
  const change = changeForm.parse(input)
  if (Object.keys(change).length === 0)
    throw new OrderChangeError(
      `the change is empty: expected at least one of ${Object.keys(changeForm.shape).join(', ')}`,
    )
  if (change.add) life.addLine(lineIn(change.add))
  if (change.edit) life.setUnits(change.edit.line - 1, change.edit.units)
  if (change.pay) life.pay(change.pay.gateway, change.pay.amount, change.pay.pending)
  if (change.capture) life.capture(change.capture.payment - 1, change.capture.amount, change.capture.gateway)
  if (change.void) life.void(change.void.payment - 1)
  if (change.refundShipping) life.refundShipping(change.refundShipping.amount)
  if (change.refund) {
    const { lines = [], amount: money = 0, payment } = change.refund
    const taken = lines.map(({ line: number, units }) => ({ line: number - 1, units }))
    life.refund(taken, money, payment - 1)
  }
  if (change.cancel) life.cancel()
}
