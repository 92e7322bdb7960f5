import { z } from 'zod'
import { compareWithFrames, type LineRecord } from '../compare-with-frames.ts'
import {
  compareReported,
  increaseSince,
  isNothing,
  type ReportedValue,
  type Sums,
  type SumsBefore,
} from '../device-sums.ts'
import { articlesOf } from '../family-facts.ts'
import { amount, anything, count, expected, members, oneOf, orVariable, wholeNumber } from '../fields.ts'
import type { Given } from '../given.ts'
import { addManualChecks } from '../manual-checks.ts'
import { differences, formatValue, hundredths } from '../match.ts'
import { partOf } from '../scenario-names.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { problems } from '../step-results.ts'
import { checkOwnSums } from '../sum-consistency.ts'
import { type CheckResult, checkKind } from './check.ts'

const counted = members('a count and its amount', {
  count: orVariable(count, 'a count').optional().describe('Number of them.'),
  amount: amount.optional().describe('Their amount.'),
})
const sums = {
  taxes: z
    .partialRecord(
      z.enum(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', '$bookGroup']),
      amount,
      expected('amounts by tax group, A to H'),
    )
    .optional()
    .describe('Turnover by tax group.'),
  total: amount.optional().describe('Turnover.'),
  discounts: counted.optional().describe('Discounts.'),
  surcharges: counted.optional().describe('Surcharges.'),
  voids: counted.optional().describe('Voided sales.'),
  cashIn: amount.optional().describe('Cash put into the drawer.'),
  cashOut: amount.optional().describe('Cash taken out of the drawer.'),
}
const payments = z
  .record(z.string().regex(/^\d{1,2}$|^\$/), amount, expected('amounts by payment mode, such as {0: 12.50}'))
  .optional()
  .describe('By payment mode; cash is net of change.')

export const day = checkKind({
  schema: members('the totals of the day', {
    ...sums,
    payments,
    drawerCash: amount.optional().describe('Cash in the drawer.'),
  }).describe('The sums since the last Z report.'),
  needs: 'state',
  judge: async (expected, panel, run) => {
    const { day: totals, counters } = await panel('GET /emulator')
    const there = dayOfScenario({ ...totals }, counters.lastZ, run)
    return problems(differences(expected, { ...there, ...withZeros(expected, there) }, '', { amounts: true }))
  },
  ask: async (expected, reader, run) => {
    const { lastZ } = await reader.numbers()
    const there = dayOfScenario(await reader.day(), lastZ, run)
    return judgeReported('day', expected, { ...there, ...withZeros(expected, there) })
  },
})

/**
 * Returns the sums of the day that this scenario caused: all sums if a Z report of the scenario has begun the day, and
 * otherwise the increase.
 */
function dayOfScenario(now: Sums, lastZ: number | null, { log: { before } }: ScenarioRun): Sums {
  const there = lastZ === before.lastZ ? (increaseSince(now, before.day) as Sums) : now
  // Some devices keep the drawer cash across a Z report.
  return lastZ === before.lastZ || isNew(before) ? there : { ...there, drawerCash: null }
}

const isNew = ({ lastZ }: SumsBefore): boolean => lastZ === 0

function judgeReported(what: string, expected: object, there: Sums): CheckResult {
  const { wrong, unreported } = compareReported(expected, there)
  const lines = unreported.map((path) => `${what} ${path}: ${formatValue(partOf(expected, path))}`)
  return { problems: problems(wrong), manualChecks: lines.length === 0 ? [] : [{ at: 'sums', lines }] }
}

export const zReport = checkKind({
  schema: members('a Z report in the archive', {
    ...sums,
    payments,
    number: orVariable(wholeNumber(1, 1_000_000), 'the number of a Z report')
      .optional()
      .describe('Number of the Z report (default: the last one).'),
    receiptsCount: orVariable(count, 'a number of receipts').optional().describe('Number of receipts in the Z report.'),
    firstReceipt: anything.optional().describe('Number of the first receipt.'),
    lastReceipt: anything.optional().describe('Number of the last receipt.'),
  }).describe('A Z report in the archive.'),
  needs: 'state',
  judge: async ({ number, ...expected }, panel, run) => {
    const archive = await panel('GET /emulator/z-reports')
    const z = number === undefined ? archive.at(-1) : archive.find((one) => one.number === deviceZNumber(number, run))
    if (!z) return problems([missingZ(number, run)])
    const taxes = Object.fromEntries(z.taxes.map(({ letter, turnover }) => [letter, turnover]))
    const byMode = Object.fromEntries(z.payments.map(({ paymentMode, amount: paid }) => [String(paymentMode), paid]))
    const { at: _at, ...sums } = z
    const there = zOfScenario({ ...sums, taxes, payments: byMode }, run)
    const { problems: wrong = [], manualChecks = [] } = judgeReported('Z report', expected, {
      ...there,
      ...withZeros(expected, there),
    })
    addManualChecks(run, manualChecks)
    return wrong
  },
  ask: async ({ number, ...expected }, reader, run) => {
    const { lastZ } = await reader.numbers()
    const which = number === undefined ? lastZ : deviceZNumber(number, run)
    const z = which === null || which === 0 ? undefined : await reader.zReport(which)
    if (!z) return { problems: problems([missingZ(number, run)]) }
    const there = zOfScenario(z, run)
    return judgeReported('Z report', expected, { ...there, ...withZeros(expected, there) })
  },
})

/** Returns the device's number of a Z report. A scenario counts its own Z reports from 1. */
const deviceZNumber = (number: unknown, { log: { before } }: ScenarioRun): number =>
  Number(number) + (before.lastZ ?? 0)

const missingZ = (number: unknown, { log: { before } }: ScenarioRun): string => {
  if (number === undefined) return 'there is no Z report in the archive'
  const own = before.lastZ ? `, counted from number ${before.lastZ} before this scenario` : ''
  return `there is no Z report ${formatValue(number)}${own}`
}

/** The first Z report of a scenario may also contain earlier sales, which are subtracted. */
function zOfScenario(z: Sums, { log: { before } }: ScenarioRun): Sums {
  const number = Number(z['number']) - (before.lastZ ?? 0)
  if (number !== 1) return z
  const { firstReceipt, lastReceipt, ...sums } = z
  const day = {
    ...before.day,
    receiptsCount: before.day['receiptsCount'] ?? (isNew(before) && isNothing(before.day) ? 0 : null),
  }
  return {
    ...(increaseSince(sums, day) as Sums),
    number: z['number'] ?? null,
    firstReceipt: firstReceipt ?? null,
    lastReceipt: lastReceipt ?? null,
  }
}

interface ByGroupAndMode {
  readonly taxes?: object | undefined
  readonly payments?: object | undefined
}

/** A device does not report payment modes and tax groups without turnover. Those that are expected count as 0.00. */
function withZeros(expected: ByGroupAndMode, there: Sums): Sums {
  const filled = (keys: object = {}, reported: ReportedValue | undefined): ReportedValue =>
    typeof reported === 'object' && reported !== null
      ? { ...Object.fromEntries(Object.keys(keys).map((key) => [key, '0.00'])), ...reported }
      : null
  return { taxes: filled(expected.taxes, there['taxes']), payments: filled(expected.payments, there['payments']) }
}

export const books = checkKind({
  schema: oneOf(['balanced']).describe('An independent calculation over the frames agrees with the device.'),
  needs: 'state',
  judge: async (_balanced, panel, run) => {
    const { day: whole, counters } = await panel('GET /emulator')
    const zs = await panel('GET /emulator/z-reports')
    const lineRecord = await lineRecordOf(run, await panel('GET /emulator/articles'))
    if (run.given.snapshot !== undefined || !lineRecord) return problems(checkOwnSums({ day: whole, zs }))
    const own = zs.filter(({ number }) => number > (run.log.before.lastZ ?? 0))
    const sums = {
      day: dayOfScenario({ ...whole }, counters.lastZ, run),
      zs: own.map(({ number, total }) => totalOf({ number, total }, run)),
    }
    return problems([...checkOwnSums({ day: whole, zs }), ...compareWithFrames(sums, lineRecord)])
  },
  ask: async (_balanced, reader, run) => {
    const { lastZ } = await reader.numbers()
    const day = dayOfScenario(await reader.day(), lastZ, run)
    const lineRecord = await lineRecordOf(run, articlesOf(run.rig.family, run.rig.profile))
    if (!lineRecord) return {}
    const first = run.log.before.lastZ ?? 0
    const own = Array.from({ length: (lastZ ?? first) - first }, (_, index) => first + index + 1)
    const zs: Sums[] = []
    for (const number of own) zs.push(totalOf((await reader.zReport(number)) ?? { number, total: null }, run))
    return { problems: problems(compareWithFrames({ day, zs }, lineRecord)) }
  },
})

const totalOf = (z: Sums, run: ScenarioRun): Sums => {
  const { number = null, total = null } = z
  return { number, total: zOfScenario({ number, total }, run)['total'] ?? null }
}

/** Resolves to `undefined` if a part of the traffic was not recorded. */
async function lineRecordOf(
  { rig, given, log: { hasTrafficGap, before } }: ScenarioRun,
  articles: LineRecord['articles'],
): Promise<LineRecord | undefined> {
  const pieces = hasTrafficGap ? undefined : await rig.pieces()
  const isNewDay = isNew(before) && isNothing(before.day)
  return pieces && { family: rig.family, pieces, rates: ratesOf(given), articles, isNewDay }
}

const FACTORY_RATES: Readonly<Record<string, number>> = { A: 20, B: 20, C: 20, D: 9 }

function ratesOf({ config }: Given): bigint[] {
  const rates: Readonly<Record<string, unknown>> = { ...FACTORY_RATES, ...(config?.taxRates as object | undefined) }
  return [...'ABCDEFGH'].map((group) => BigInt(hundredths(rates[group]) ?? 0))
}
