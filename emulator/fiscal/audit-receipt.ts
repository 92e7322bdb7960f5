import { type Page, pageOf, saleBlock, totalBlock } from '../print/document-layout.ts'
import type { DrawingOperation } from '../print/drawing-operations.ts'
import { paperText } from '../print/text-paper.ts'
import { receiptIn, type StoredDocument } from './audit-file.ts'
import { differences } from './differences.ts'
import { rowAmount } from './rounding.ts'
import { addToGroup, NO_GROUPS, sum } from './totals.ts'
import type { DeviceProfile } from './types/profile.ts'
import type { FiscalReceipt } from './types/receipt.ts'

export function auditReceipt(document: StoredDocument, lines: readonly string[], profile: DeviceProfile): string[] {
  const receipt = receiptIn(document)
  if (!receipt) return ['its receipt cannot be read']
  const { document: number, kind, reversal } = document
  const ended = kind === 'cancelled' ? 'cancelled' : receipt.invoice ? 'invoice' : 'fiscal'
  const head = { kind, reversal, document: number }
  try {
    return [
      ...differences(head, { kind: ended, reversal: receipt.kind === 'reversal', document: receipt.document }),
      ...sumDifferences(receipt),
      ...unprinted(receipt, lines, profile),
    ]
  } catch {
    return ['its receipt cannot be read']
  }
}

function sumDifferences({ rows, subtotalAdjustments, payments, ...receipt }: FiscalReceipt): string[] {
  const adjusted = subtotalAdjustments.reduce((all, { amount }) => all + amount, 0)
  const plain = rows.reduce((groups, { taxCode, amount }) => addToGroup(groups, taxCode, amount), NO_GROUPS)
  const total = sum(plain) + adjusted
  const paid = payments.reduce((all, { tendered }) => all + tendered, 0)
  const change = payments.reduce((all, payment) => all + payment.change, 0)
  const groups = subtotalAdjustments.length === 0 ? plain : receipt.groups
  const computed = { groups, total, paid, change, rest: total - paid + change, items: rows.length }
  const stored = { ...receipt, groupSum: sum(receipt.groups) }
  const names = [...Object.keys(computed), 'groupSum'] as (keyof typeof stored)[]
  return [
    ...differences(Object.fromEntries(names.map((name) => [name, stored[name]])), { ...computed, groupSum: total }),
    ...rows.flatMap(({ price, quantity, amount, adjusted: own, void: isVoid }, place) =>
      differences({ amount: amount - own }, { amount: (isVoid ? -1 : 1) * rowAmount(price, quantity) }).map(
        (what) => `rows.${place}.${what}`,
      ),
    ),
  ]
}

/** Draws each row and the total again and reports those that the paper does not contain. Free texts are not checked. */
function unprinted(receipt: FiscalReceipt, lines: readonly string[], profile: DeviceProfile): string[] {
  const page: Page = pageOf(profile.paper, profile.lineWidth)
  const isPrinted = (operations: readonly DrawingOperation[]): boolean =>
    contains(lines, paperText(operations, profile.lineWidth))
  const missing = receipt.rows.flatMap((row, place) =>
    isPrinted(saleBlock(page, row)) ? [] : [`rows.${place} (${row.name}) is not on the paper as it was booked`],
  )
  const hasTotal = receipt.payments.length === 0 || isPrinted(totalBlock(page, receipt.total))
  return hasTotal ? missing : [...missing, 'the total is not on the paper as it was booked']
}

function contains(lines: readonly string[], part: readonly string[]): boolean {
  const [first] = part
  if (first === undefined) return true
  for (let at = lines.indexOf(first); at >= 0; at = lines.indexOf(first, at + 1)) {
    if (part.every((line, offset) => lines[at + offset] === line)) return true
  }
  return false
}
