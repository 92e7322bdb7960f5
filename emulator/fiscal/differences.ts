import { formatMoney, formatPercent } from '../../drivers/model/money.ts'

/** Returns a message for each member that differs, for example `payments.0 is 5.00, recomputed 8.00`. */
export function differences(stored: unknown, computed: unknown, path = ''): string[] {
  if (isObject(stored) && isObject(computed)) {
    const names = [...new Set([...Object.keys(stored), ...Object.keys(computed)])]
    return names.flatMap((name) => differences(stored[name], computed[name], path === '' ? name : `${path}.${name}`))
  }
  if (stored === computed || (isObject(stored) && isObject(computed))) return []
  return [`${path} is ${formatMember(stored, path)}, recomputed ${formatMember(computed, path)}`]
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

const MONEY = /(^|\.)(total|turnover|tax|reversal|reversalTax|amount|cashIn|cashOut|drawerCash|paid|rest|change)$/
const MONEY_BY_KEY = /(^|\.)(payments|reversalPayments|tendered|taxes|reversals|invoiceTaxes|groups)\.\d+$/
const RATE = /(^|\.)(rate|rates\.\d+)$/

function formatMember(value: unknown, path: string): string {
  if (value === undefined) return 'nothing'
  if (!Number.isSafeInteger(value)) return JSON.stringify(value).slice(0, 80)
  if (MONEY.test(path) || MONEY_BY_KEY.test(path)) return formatMoney(value as number)
  return RATE.test(path) ? formatPercent(value as number) : String(value)
}
