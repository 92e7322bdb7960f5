/** Adjustments of the subtotal (sheet A 7, rules 4 and 5), distributed over the rows. */
import { describe, expect, it } from 'vitest'
import type { Adjustment, TaxCode } from '../../drivers/model/receipt.ts'
import { adjustedRows, subtotalShares } from '../../emulator/fiscal/totals.ts'
import type { SaleRow } from '../../emulator/fiscal/types/receipt.ts'
import type { ByTaxGroup } from '../../emulator/fiscal/types/registers.ts'

type Groups = ByTaxGroup<number>
const row = (taxCode: TaxCode, amount: number): SaleRow => ({
  name: 'Goods',
  taxCode,
  price: Math.abs(amount),
  quantity: 1000,
  department: 0,
  unit: '',
  plu: 0,
  void: amount < 0,
  amount,
  adjusted: 0,
})

const rows: readonly {
  readonly work: string
  readonly sold: readonly SaleRow[]
  readonly groups: Groups
  readonly amounts: readonly number[]
}[] = [
  {
    work: 'A 3.00 became 2.70: nine tenths of 1.00 and of 2.00; B 5.00 became 4.00',
    sold: [row(1, 100), row(1, 200), row(2, 500)],
    groups: [270, 400, 0, 0, 0, 0, 0, 0],
    amounts: [90, 180, 400],
  },
  {
    work: 'H 3.00 became 2.99: 0.997 up to 1.00, 1.993 in all down to 1.99, then all of it',
    sold: [row(8, 100), row(8, 100), row(8, 100)],
    groups: [0, 0, 0, 0, 0, 0, 0, 299],
    amounts: [100, 99, 100],
  },
  {
    work: 'groups do not mix: A 1.00 became 1.10, B 1.00 stays',
    sold: [row(1, 100), row(2, 100)],
    groups: [110, 100, 0, 0, 0, 0, 0, 0],
    amounts: [110, 100],
  },
  {
    work: 'a void takes back its part: 2.00 less 1.00 became 0.90, so 1.80 less 0.90',
    sold: [row(1, 200), row(1, -100)],
    groups: [90, 0, 0, 0, 0, 0, 0, 0],
    amounts: [180, -90],
  },
  {
    work: 'where all rows were voided, nothing remains to share: each row as it was',
    sold: [row(1, 100), row(1, -100)],
    groups: [0, 0, 0, 0, 0, 0, 0, 0],
    amounts: [100, -100],
  },
]

describe('the share of an adjusted subtotal for each row', () => {
  it.each(rows.map((one) => [one.work, one] as const))('is exact: %s', (_work, { sold, groups, amounts }) => {
    expect(adjustedRows(sold, groups)).toEqual(amounts)
  })
})

const shares: readonly {
  readonly work: string
  readonly groups: Groups
  readonly adjustment: Adjustment
  readonly expected: Groups
}[] = [
  {
    work: '10 % off 1.05 is 0.105, up to 0.11 in each group; a group without sales has no share, not even minus 0',
    groups: [105, 0, 105, 0, 0, 0, 0, 0],
    adjustment: { kind: 'discount', percent: 1000 },
    expected: [-11, 0, -11, 0, 0, 0, 0, 0],
  },
  {
    work: '5 % on 2.00 is 0.10',
    groups: [0, 200, 0, 0, 0, 0, 0, 0],
    adjustment: { kind: 'surcharge', percent: 500 },
    expected: [0, 10, 0, 0, 0, 0, 0, 0],
  },
  {
    work: '1.00 on A 1.00 and B 3.00: a quarter and three quarters',
    groups: [100, 300, 0, 0, 0, 0, 0, 0],
    adjustment: { kind: 'surcharge', amount: 100 },
    expected: [25, 75, 0, 0, 0, 0, 0, 0],
  },
  {
    work: '0.10 off three times 1.00: 0.033 down to 0.03 each, the hundredth left over off the first of them',
    groups: [0, 100, 100, 100, 0, 0, 0, 0],
    adjustment: { kind: 'discount', amount: 10 },
    expected: [0, -4, -3, -3, 0, 0, 0, 0],
  },
]

describe('the change of each tax group by an adjusted subtotal', () => {
  it.each(shares.map((one) => [one.work, one] as const))('is exact: %s', (_work, { groups, adjustment, expected }) => {
    expect(subtotalShares(groups, adjustment)).toEqual(expected)
  })
})
