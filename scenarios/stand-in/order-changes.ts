/** What the control interface may do to an order of the mock platform: make one, pay, edit and refund it. */
import { z } from 'zod'
import { parseDecimal } from '../../drivers/model/money.ts'
import type { NewLine, NewOrder } from './order-life.ts'
import { LifeError, OrderLife } from './order-life.ts'

const decimal = (what: string) =>
  z.union([z.string(), z.number()]).transform((value, context) => {
    const read = parseDecimal(String(value), 2)
    if (typeof read === 'number' && read >= 0) return read
    context.issues.push({ code: 'custom', message: `expected ${what}`, input: value })
    return z.NEVER
  })
const amount = decimal('an amount such as "24.70"')
const rate = decimal('a percentage such as "21.00"')
const blended = z.enum(['by price', 'by quantity'])
const place = z.int().min(1)
const text = z.string()

const line = z.strictObject({
  title: text,
  price: amount,
  units: z.int().min(1),
  rate: rate.nullish(),
  discount: amount.optional(),
})

export const newOrderForm = z.strictObject({
  id: z.string().regex(/^\d+$/),
  name: text.optional(),
  currency: text.optional(),
  taxesIncluded: z.boolean().optional(),
  test: z.boolean().optional(),
  lines: z.array(line).min(1),
  shipping: z.strictObject({ title: text.optional(), price: amount, rate: z.union([blended, rate]) }).optional(),
})

/** Lines and payments are counted from 1, as in the messages of the service. */
export const changeForm = z.strictObject({
  add: line.optional(),
  edit: z.strictObject({ line: place, units: z.int().min(0) }).optional(),
  pay: z.strictObject({ gateway: text, amount, pending: z.boolean().optional() }).optional(),
  capture: z.strictObject({ payment: place, amount, gateway: text.optional() }).optional(),
  void: z.strictObject({ payment: place }).optional(),
  refund: z
    .strictObject({
      payment: place,
      amount: amount.optional(),
      lines: z.array(z.strictObject({ line: place, units: z.int().min(1) })).optional(),
    })
    .optional(),
  refundShipping: z.strictObject({ amount }).optional(),
  cancel: z.literal(true).optional(),
})
export type Change = z.output<typeof changeForm>

const lineIn = ({ title, price, units, rate: percent, discount }: z.output<typeof line>): NewLine => ({
  title,
  price,
  units,
  rate: percent ?? null,
  ...(discount !== undefined && { discount }),
})

/** Throws LifeError or ZodError for an order that cannot be. */
export function newLife(input: unknown): OrderLife {
  const { lines, ...order } = newOrderForm.parse(input)
  return new OrderLife({ ...order, lines: lines.map(lineIn) } as NewOrder)
}

/** The members in this order, each of them at most once. Throws LifeError or ZodError for one that cannot be. */
export function changeLife(life: OrderLife, input: unknown): void {
  const change = changeForm.parse(input)
  if (Object.keys(change).length === 0)
    throw new LifeError(`expected one of ${Object.keys(changeForm.shape).join(', ')}`)
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
