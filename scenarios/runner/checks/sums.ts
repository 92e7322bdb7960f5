/** Checks of sums: totals of the day, Z reports in the archive, and the books as a whole. */
import { z } from 'zod'
import type { Client, DayView } from '../../../emulator/panel/contract.ts'
import { inwardly, outwardly } from '../books.ts'
import { type Course, problems } from '../course.ts'
import { amount, anything, count, expected, members, oneOf, orVariable, whole } from '../fields.ts'
import { differences, hundredths } from '../match.ts'
import type { Given } from '../schema.ts'
import { checkKind } from './check.ts'

const counted = members('a count and its amount', {
  count: orVariable(count, 'a count').optional(),
  amount: amount.optional(),
})
const sums = {
  taxes: z
    .partialRecord(
      z.enum(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', '$bookGroup']),
      amount,
      expected('amounts by tax group, A to H'),
    )
    .optional(),
  total: amount.optional(),
  discounts: counted.optional(),
  surcharges: counted.optional(),
  voids: counted.optional(),
  cashIn: amount.optional(),
  cashOut: amount.optional(),
}
const payments = z
  .record(z.string().regex(/^\d{1,2}$|^\$/), amount, expected('amounts by payment mode, such as {0: 12.50}'))
  .optional()

export const day = checkKind({
  schema: members('the totals of the day', { ...sums, payments, drawerCash: amount.optional() }),
  needs: 'state',
  judge: async (expected, panel) => {
    const totals = (await panel('GET /emulator')).day
    return problems(differences(expected, { ...totals, ...withZeros(expected, totals) }, '', { amounts: true }))
  },
})

export const zReport = checkKind({
  schema: members('a Z report in the archive', {
    ...sums,
    payments,
    number: orVariable(whole(1, 1_000_000), 'the number of a Z report').optional().describe('The last one without.'),
    receiptsCount: orVariable(count, 'a number of receipts').optional(),
    firstReceipt: anything.optional(),
    lastReceipt: anything.optional(),
  }),
  needs: 'state',
  judge: async ({ number, ...expected }, panel) => {
    const archive = await panel('GET /emulator/z-reports')
    const z = number === undefined ? archive.at(-1) : archive.find((one) => one.number === Number(number))
    if (!z)
      return problems([number === undefined ? 'there is no Z report in the archive' : `there is no Z report ${number}`])
    const taxes = Object.fromEntries(z.taxes.map(({ letter, turnover }) => [letter, turnover]))
    const byMode = Object.fromEntries(z.payments.map(({ paymentMode, amount: paid }) => [String(paymentMode), paid]))
    const there = { ...z, ...withZeros(expected, { taxes, payments: byMode }) }
    return problems(differences(expected, there, '', { amounts: true }))
  },
})

interface ByGroupAndMode {
  readonly taxes?: object | undefined
  readonly payments?: object | undefined
}

/** A payment mode or tax group that the device does not show is one with nothing on it. */
function withZeros(expected: ByGroupAndMode, there: Pick<DayView, 'taxes' | 'payments'>) {
  const zeros = (keys: object = {}) => Object.fromEntries(Object.keys(keys).map((key) => [key, '0.00']))
  return {
    taxes: { ...zeros(expected.taxes), ...there.taxes },
    payments: { ...zeros(expected.payments), ...there.payments },
  }
}

export const books = checkKind({
  schema: oneOf(['balanced']).describe('An independent calculation over the frames agrees with the device.'),
  needs: 'state',
  judge: async (_balanced, panel, course) => problems(await imbalances(panel, course)),
})

async function imbalances(panel: Client, { rig, given, isUnheard }: Course): Promise<string[]> {
  const sumsOfDevice = { day: (await panel('GET /emulator')).day, zs: await panel('GET /emulator/z-reports') }
  const inside = inwardly(sumsOfDevice)
  const pieces = await rig.pieces()
  if (isUnheard || !pieces || given.snapshot !== undefined) return inside
  const articles = await panel('GET /emulator/articles')
  return [...inside, ...outwardly(sumsOfDevice, { family: rig.family, pieces, rates: ratesOf(given), articles })]
}

const FACTORY_RATES: Readonly<Record<string, number>> = { A: 20, B: 20, C: 20, D: 9 }

function ratesOf({ config }: Given): bigint[] {
  const rates: Readonly<Record<string, unknown>> = { ...FACTORY_RATES, ...(config?.taxRates as object | undefined) }
  return [...'ABCDEFGH'].map((group) => BigInt(hundredths(rates[group]) ?? 0))
}
