/**
 * The judge of a till compares the final state of the device with the requests to the till and the claims of the till.
 */
import { countText } from '../../drivers/model/count-text.ts'
import type { ClaimedJob, HeldReceipt, History, RequestedSale, SoldRow } from './case-history.ts'

/** Verdicts on a case, from worst to best. */
export const VERDICTS = [
  'duplicated',
  'lost',
  'wrong',
  'stuck',
  'hung',
  'misreported',
  'passed',
  'not triggered',
] as const
export type Verdict = (typeof VERDICTS)[number]

export const isPassing = (verdict: Verdict): boolean => verdict === 'passed' || verdict === 'not triggered'

export interface Judgement {
  readonly verdict: Verdict
  readonly why: string
}

interface Case extends History {
  readonly sales: readonly RequestedSale[]
  readonly holders: ReadonlyMap<string, readonly HeldReceipt[]>
}

const CHARGES: readonly (readonly [Exclude<Verdict, 'passed' | 'not triggered'>, (one: Case) => string | undefined])[] =
  [
    ['duplicated', duplicated],
    ['lost', lostReason],
    ['wrong', wrong],
    ['stuck', stuck],
    ['hung', hung],
    ['misreported', misreported],
  ]

export function judge(history: History): Judgement {
  const sales = [history.first, history.second]
  const holders = new Map(sales.map((sale) => [sale.id, history.receipts.filter((one) => isOf(one, sale))]))
  const one = { ...history, sales, holders }
  for (const [verdict, charge] of CHARGES) {
    const why = charge(one)
    if (why !== undefined) return { verdict, why }
  }
  if (!history.isReached)
    return {
      verdict: 'not triggered',
      why: history.whyNotReached ?? 'This till never sent the command that the fault targets.',
    }
  return { verdict: 'passed', why: 'Each sale was printed once, as requested, and the till reported it correctly.' }
}

export const jobOf = (receipt: HeldReceipt, { first, second }: Pick<History, 'first' | 'second'>): string | null =>
  [first, second].find((sale) => isOf(receipt, sale))?.id ?? null

const isOf = ({ rows, total, isReversal }: HeldReceipt, sale: RequestedSale): boolean =>
  !isReversal && total === sale.total && sameRows(rows, sale.rows)

function duplicated({ sales, holders }: Case): string | undefined {
  for (const { id } of sales) {
    const held = holders.get(id) ?? []
    if (held.length > 1) return `The device printed "${id}" ${times(held.length)}: receipts ${numbers(held)}.`
  }
  return undefined
}

function lostReason(one: Case): string | undefined {
  const sale = one.sales.find(({ id, rows }) => {
    if (!one.claims.some(({ job, claim }) => job === id && claim === 'printed')) return false
    return (one.holders.get(id) ?? []).length === 0 && !rows.some((row) => strayRows(one).some(sameRow(row)))
  })
  return sale && `The till reported "${sale.id}" as printed, but the device has no receipt for it.`
}

function wrong(one: Case): string | undefined {
  for (const receipt of one.receipts) {
    const sale = one.sales.find((each) => isOf(receipt, each))
    if (sale && !samePayments(receipt, sale)) {
      return `Receipt ${receipt.number} is "${sale.id}", but its payments differ from the request.`
    }
    if (sale || isOtherPrograms(one, receipt)) continue
    return describeWrongReceipt(one, receipt)
  }
  return undefined
}

function describeWrongReceipt(one: Case, receipt: HeldReceipt): string {
  const name = `Receipt ${receipt.number}`
  if (receipt.isReversal) return `${name} voids a sale, which was not requested.`
  const otherProgram = one.otherPrograms.find(({ number }) => number === receipt.number)
  const parts = one.sales.filter(({ rows }) => rows.some((row) => receipt.rows.some(sameRow(row))))
  if (otherProgram && parts.length > 0) return `${name} of another program was closed with rows of ${names(parts)}.`
  if (parts.length > 1) return `${name} contains rows of ${names(parts)}.`
  const [sale] = parts
  if (!sale) return `${name} does not match any requested sale.`
  const count = rowCount(receipt.rows.length)
  return `${name} does not match the requested "${sale.id}": it has ${count} instead of ${sale.rows.length}.`
}

function stuck(one: Case): string | undefined {
  const { open, second, first, holders, hasFault = true } = one
  if (open) {
    const count = open.kind === 'nonFiscal' ? '' : `, with ${rowCount(open.rows.length)},`
    return `Receipt ${open.number} (${open.kind})${count} is still open at the end.`
  }
  for (const { id } of [first, second]) {
    if (holders.get(id)?.length === 0)
      return `The sale "${id}" could not be printed${hasFault ? ', although the fault had ended' : ''}.`
  }
  return undefined
}

function hung({ claims }: Case): string | undefined {
  const one = claims.find(({ claim }) => claim === 'hung')
  return one && `The till timed out on ${one.again ? 'the second attempt at ' : ''}"${one.job}".`
}

const LAST_CLAIMS: Readonly<Record<Exclude<ClaimedJob['claim'], 'printed'>, string>> = {
  failed: 'reported a failure',
  unknown: 'reported an unknown outcome',
  crashed: 'crashed',
  hung: 'did not end',
}

function misreported({ sales, claims, holders }: Case): string | undefined {
  for (const { id } of sales) {
    const last = claims.findLast(({ job }) => job === id)
    if (!last || last.claim === 'printed') continue
    const [held] = holders.get(id) ?? []
    if (held)
      return `The device printed "${id}" as receipt ${held.number}, but the last run of the till ${LAST_CLAIMS[last.claim]}.`
  }
  return undefined
}

function strayRows(one: Case): readonly SoldRow[] {
  const stray = one.receipts.filter((receipt) => one.sales.every((sale) => !isOf(receipt, sale)))
  return [...stray.filter((receipt) => !isOtherPrograms(one, receipt)), ...(one.open ? [one.open] : [])].flatMap(
    ({ rows }) => rows,
  )
}

/** Returns true if the receipt contains exactly the rows that another program has sold. The till may have closed it. */
const isOtherPrograms = ({ otherPrograms }: Case, receipt: HeldReceipt): boolean =>
  otherPrograms.some(({ number, rows }) => number === receipt.number && sameRows(rows, receipt.rows))

const keyOf = ({ taxCode, price, quantity }: SoldRow): string => `${taxCode} ${price} ${quantity}`
const sameRow = (row: SoldRow) => (other: SoldRow) => keyOf(row) === keyOf(other)
const sameRows = (one: readonly SoldRow[], other: readonly SoldRow[]): boolean =>
  one.map(keyOf).sort().join() === other.map(keyOf).sort().join()

function samePayments({ payments }: HeldReceipt, sale: RequestedSale): boolean {
  const sums = ({ payments: all }: Pick<RequestedSale, 'payments'>): string => {
    const byMode = new Map<number, number>()
    for (const { mode, amount } of all) byMode.set(mode, (byMode.get(mode) ?? 0) + amount)
    return [...byMode]
      .filter(([, amount]) => amount !== 0)
      .sort(([a], [b]) => a - b)
      .join()
  }
  return sums({ payments }) === sums(sale)
}

const times = (count: number): string => (count === 2 ? 'twice' : `${count} times`)
const rowCount = (count: number): string => countText(count, 'row')
const numbers = (receipts: readonly HeldReceipt[]): string => receipts.map(({ number }) => number).join(' and ')
const names = (sales: readonly RequestedSale[]): string => sales.map(({ id }) => `"${id}"`).join(' and ')
