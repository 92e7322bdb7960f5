/** Cash movements and reports (sheet 6.6). */
import type { Money } from '../../../drivers/model/money.ts'
import { ZERO_COUNTED } from '../../fiscal/books.ts'
import { includedTax } from '../../fiscal/rounding.ts'
import { NO_GROUPS } from '../../fiscal/totals.ts'
import type { ZRecord } from '../../fiscal/types/day.ts'
import type { CountedAmount, OperatorTotals } from '../../fiscal/types/registers.ts'
import { type Context, done, from, type Handlers, type Reply, refused } from '../context.ts'
import { REASONS } from '../refusals.ts'
import { nextOf } from './journal.ts'
import {
  articleLines,
  departmentLines,
  groupAmounts,
  groupLines,
  groupName,
  modesOf,
  operatorLines,
  periodicLines,
  registerLines,
  soldBy,
} from './report-lines.ts'

function discountsOf({ discounts, rowDiscounts = ZERO_COUNTED }: Discounts): readonly [CountedAmount, CountedAmount] {
  const totalDiscounts = { count: discounts.count - rowDiscounts.count, amount: discounts.amount - rowDiscounts.amount }
  return [rowDiscounts, totalDiscounts]
}
type Discounts = Pick<OperatorTotals, 'discounts' | 'rowDiscounts'>

const turnovers = (z: ZRecord): Money[] => z.taxes.map(({ turnover }) => turnover)
const reversals = (z: ZRecord): Money[] => z.taxes.map(({ reversal }) => reversal)
const SUMS = {
  turnover: turnovers,
  tax: (z: ZRecord) => z.taxes.map(({ tax }) => tax),
  reversals,
  reversalTax: (z: ZRecord) => z.taxes.map(({ reversalTax }) => reversalTax),
} as const

type Day = Context['device']['day']
const soldToday = ({ taxes }: Day) => taxes
const reversedToday = ({ reversals: back }: Day) => back
const invoicedToday = ({ invoiceTaxes = NO_GROUPS }: Day) => invoiceTaxes
const DAY_SUMS = {
  turnover: { isTax: false, sums: soldToday },
  tax: { isTax: true, sums: soldToday },
  reversals: { isTax: false, sums: reversedToday },
  reversalTax: { isTax: true, sums: reversedToday },
  invoices: { isTax: false, sums: invoicedToday },
  invoiceTax: { isTax: true, sums: invoicedToday },
} as const

/** The tax is computed from the sum of each group, as in a Z report (sheet 7, rule 6). */
const daySums = (context: Context, sumName: keyof typeof DAY_SUMS): readonly Money[] => {
  const { day, registers } = context.device
  const { isTax, sums } = DAY_SUMS[sumName]
  const gross = sums(day)
  return !isTax ? gross : gross.map((amount, index) => includedTax(amount, registers.taxRates[index] ?? null))
}

function closures({ device }: Context, from: number, to: number): Reply<{ from: number; to: number }> {
  if (from > to) return refused('fmBadRange')
  const records = device.memory.zs(from, to)
  const [first, last] = [records[0], records.at(-1)]
  return first && last ? done({ from: first.number, to: last.number }) : refused('fmEmptyRange')
}

const onPaper = () => ({ form: 'printed' }) as const

/** Prints the Z reports, or with `begin` stores their lines for the queries that read them one by one. */
function readClosures(
  { device, session }: Context,
  range: Reply<{ from: number; to: number }>,
  detail: 'short' | 'detailed' | 'begin',
) {
  if (!range.ok) return range
  const { from: first, to: last } = range.values
  if (detail !== 'begin') return from(device.printMemoryReport(first, last, detail === 'detailed'), onPaper)
  session.lines.report = [...device.memoryReportLines(first, last, true)]
  return done(onPaper())
}

export const reports = {
  cashInOut({ device, edition }, { kind, amount = 0 }) {
    const foreign = kind === 'foreignIn' || kind === 'foreignOut'
    const direction = kind === 'in' || kind === 'foreignIn' ? 'in' : 'out'
    const moved = device.cashInOut({ direction, amount, ...(foreign ? { mode: edition.currencyMode } : {}) })
    return from(moved, ({ drawer, cashIn, cashOut }) => ({ drawer, cashIn, cashOut: cashOut === 0 ? 0 : -cashOut }))
  },

  report(context, ask) {
    const { device, edition } = context
    const none = () => ({ form: 'none' }) as const
    const sums = (z: ZRecord) =>
      ({
        form: 'sums',
        number: z.number,
        sales: groupAmounts(edition, turnovers(z)),
        reversals: groupAmounts(edition, reversals(z)),
        invoices: z.invoiced?.turnover ?? 0,
        invoiceTax: z.invoiced?.tax ?? 0,
      }) as const
    switch (ask.option) {
      case 'X':
        return from(device.reportX(), sums)
      case 'Z': {
        const refusal = device.refusals.fiscalMemory()
        return refusal === undefined ? from(device.reportZ(), sums) : refused(REASONS[refusal])
      }
      case 'D':
        return from(device.printReport('service', departmentLines(context)), none)
      case 'G':
        return from(device.printReport('service', groupLines(context)), none)
      case 'P': {
        const lines = periodicLines(context, ask.of, ask.from, ask.to)
        return lines ? from(device.printReport('memory', lines), none) : refused('fmEmptyRange')
      }
      case 'E':
        return from(device.printReport('service', registerLines(context)), none)
    }
  },

  lastClosure({ device, edition }, { of = 'turnover' }) {
    const z = device.memory.lastZ
    if (!z) return refused('noRecords')
    const { turnover = 0, tax = 0 } = z.invoiced ?? {}
    return done({
      number: z.number,
      sums: groupAmounts(edition, SUMS[of](z)),
      date: z.at.slice(0, 10),
      invoices: of === 'tax' ? tax : turnover,
      at: z.at.slice(0, 19),
    })
  },
  daySums: (context, { of = 'turnover' }) =>
    done({ number: context.device.counters.lastZ + 1, sums: groupAmounts(context.edition, daySums(context, of)) }),
  closuresLeft: ({ device }) => done({ left: device.memory.remaining }),
  lastFiscalRecord({ device }) {
    const at = device.memory.lastRecordAt
    return at === undefined ? refused('noRecords') : done({ at: at.slice(0, 19) })
  },

  memoryReportByDate(context, { detail, from: first = '2000-01-01', to: last = '2099-12-31' }) {
    if (detail === 'next') return nextOf(context, 'report')
    if (first > last) return refused('fmBadRange')
    const records = context.device.memory.zsByDate(first, last)
    const range = records[0]
      ? closures(context, records[0].number, records.at(-1)?.number ?? 0)
      : refused('fmEmptyRange')
    return readClosures(context, range, detail)
  },
  memoryReport(context, { detail, from: first = 1, to: last = context.device.counters.lastZ }) {
    if (detail === 'next') return nextOf(context, 'report')
    if (context.device.counters.lastZ === 0) return refused('fmEmptyRange')
    return readClosures(context, closures(context, first, last), detail)
  },

  operatorsReport(context, { first = 1, last = 30, clear = false }) {
    if (first > last) return refused('valueField2')
    const outcome = context.device.printReport('service', operatorLines(context, first, last))
    if (outcome.ok && clear) context.device.registers.clearOperatorTotals(first, last)
    return from(outcome)
  },
  articlesReport(context, { of, first = 1, last = context.device.profile.articles.maxNumber }) {
    if (first > last) return refused('valueField3')
    const outcome = context.device.printReport('service', articleLines(context, of, first, last))
    const clears = of === 'turnoverAndClear' || of === 'summaryAndClear'
    if (outcome.ok && clears) context.device.articles.clearTurnover(first, last)
    return from(outcome)
  },

  dayCounters({ device, edition }, { of = 'payments' }) {
    const { day } = device
    const amounts = (sums: Readonly<Record<number, Money>>) => modesOf(edition).map((mode) => sums[mode] ?? 0)
    const two = (first: CountedAmount, second: CountedAmount) => ({
      firstCount: first.count,
      firstSum: first.amount,
      secondCount: second.count,
      secondSum: second.amount,
    })
    const pair = (first: CountedAmount, second: CountedAmount) => done({ form: 'pair', ...two(first, second) } as const)
    const pairs = (first: CountedAmount, second: CountedAmount, third: CountedAmount, fourth: CountedAmount) =>
      done({
        form: 'pairs',
        ...two(first, second),
        thirdCount: third.count,
        thirdSum: third.amount,
        fourthCount: fourth.count,
        fourthSum: fourth.amount,
      } as const)
    switch (of) {
      case 'payments':
        return done({ form: 'payments', amounts: amounts(day.payments) })
      case 'reversalPayments':
        return done({ form: 'payments', amounts: amounts(day.reversalPayments) })
      case 'sales':
        return done({ form: 'sales', clients: day.receipts - day.reversalReceipts, total: day.total })
      case 'adjustments':
        if (edition.name === 'bg') return pair(day.surcharges, day.discounts)
        return pairs(day.surcharges, day.discounts, ...discountsOf(day))
      case 'corrections':
        return pair(day.voids, day.cancelled)
      case 'cash':
        return pairs(day.cashIn, day.cashOut, day.foreign?.cashIn ?? ZERO_COUNTED, day.foreign?.cashOut ?? ZERO_COUNTED)
    }
  },

  operatorTotals({ device }, { operator }) {
    const totals = device.registers.operatorTotals(operator)
    const [rowDiscounts, totalDiscounts] = discountsOf(totals)
    return done({
      receipts: soldBy(totals),
      total: totals.total,
      discounts: totals.discounts.count,
      discountSum: totals.discounts.amount,
      rowDiscounts: rowDiscounts.count,
      rowDiscountSum: rowDiscounts.amount,
      totalDiscounts: totalDiscounts.count,
      totalDiscountSum: totalDiscounts.amount,
      surcharges: totals.surcharges.count,
      surchargeSum: totals.surcharges.amount,
      voids: totals.voids.count,
      voidSum: totals.voids.amount,
    })
  },
  groupTotals(context, { number }) {
    const { device } = context
    if (number === undefined) return from(device.printReport('service', groupLines(context)), onPaper)
    const { sales } = device.registers.groupTotals(number)
    return done({ form: 'totals', sales: sales.count, salesSum: sales.amount, name: groupName(device, number) })
  },
  departmentTotals(context, { number }) {
    const { device } = context
    if (number === undefined) return from(device.printReport('service', departmentLines(context)), onPaper)
    const { taxCode, price, name } = device.registers.department(number)
    const { sales, reversals: back } = device.registers.departmentTotals(number)
    return done({
      form: 'totals',
      taxCode,
      price,
      sales: sales.count,
      salesSum: sales.amount,
      reversals: back.count,
      reversalSum: back.amount,
      name,
    })
  },
} satisfies Partial<Handlers>
