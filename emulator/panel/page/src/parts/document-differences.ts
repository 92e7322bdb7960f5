import { diffArrays } from 'diff'
import type { DocumentSum } from '../../../contract.ts'

export interface SumRow {
  readonly name: string
  readonly left: string | undefined
  readonly right: string | undefined
  /** Second amount minus the first; `undefined` if they are equal. */
  readonly difference: string | undefined
}

/** Returns the amounts in the order of the first document, followed by those that only the second document has. */
export function sumRows(left: readonly DocumentSum[], right: readonly DocumentSum[]): readonly SumRow[] {
  const [one, other] = [byName(left), byName(right)]
  const names = [...new Set([...one.keys(), ...other.keys()])]
  return names.map((name) => {
    const [first, second] = [one.get(name), other.get(name)]
    const difference = cents(second) - cents(first)
    return {
      name,
      left: first,
      right: second,
      difference:
        difference === 0n && (first === undefined) === (second === undefined) ? undefined : signed(difference),
    }
  })
}

/** Equal names of several rows are numbered: `Tea`, `Tea (2)`. */
function byName(sums: readonly DocumentSum[]): Map<string, string> {
  const amounts = new Map<string, string>()
  for (const { name, amount } of sums) {
    let key = name
    for (let count = 2; amounts.has(key); count++) key = `${name} (${count})`
    amounts.set(key, amount)
  }
  return amounts
}

const cents = (amount = '0.00'): bigint => BigInt(amount.replace('.', ''))

function signed(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0')
  return `${value < 0n ? '−' : '+'}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export interface LineRow {
  /** `undefined` if only the other paper has the line. */
  readonly left: string | undefined
  readonly right: string | undefined
  /** `numbers`: the lines differ in a date, a time or a number of the device, but not in money or words. */
  readonly is: 'same' | 'changed' | 'numbers' | 'left' | 'right'
}

export function lineRows(left: readonly string[], right: readonly string[]): readonly LineRow[] {
  const rows: LineRow[] = []
  const [only, other]: [string[], string[]] = [[], []]
  const pair = () => {
    for (let at = 0; at < Math.max(only.length, other.length); at++) rows.push(rowOf(only[at], other[at]))
    only.length = 0
    other.length = 0
  }
  for (const { value, added, removed } of diffArrays([...left], [...right])) {
    if (removed) only.push(...value)
    else if (added) other.push(...value)
    else {
      pair()
      rows.push(...value.map((line) => ({ left: line, right: line, is: 'same' as const })))
    }
  }
  pair()
  return rows
}

function rowOf(left: string | undefined, right: string | undefined): LineRow {
  if (left === undefined) return { left, right, is: 'right' }
  if (right === undefined) return { left, right, is: 'left' }
  return { left, right, is: isMoney(left) || isMoney(right) || form(left) !== form(right) ? 'changed' : 'numbers' }
}

const form = (line: string): string => line.replace(/\d/g, '0')

/** A date such as `01.02.2026` is no amount. */
const isMoney = (line: string): boolean => /\d\.\d\d(?![\d.])/.test(line)
