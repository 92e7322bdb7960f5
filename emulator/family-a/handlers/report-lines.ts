/** Lines of the printed reports of sheet 6.6, for example Z reports of a period, departments and operators. */
import { formatMoney, formatQuantity, formatShort, type Money } from '../../../drivers/model/money.ts'
import type { TextLine } from '../../../drivers/model/receipt.ts'
import type { Article, CountedAmount, OperatorTotals } from '../../fiscal/types/registers.ts'
import type { Context } from '../context.ts'
import type { Edition } from '../edition.ts'

/** Returns the payment modes that 110 reports; the edition's currency mode is the last. */
export const modesOf = ({ name, currencyMode }: Edition): readonly number[] => [
  ...[0, 1, 2, 3, 4, 5],
  ...(name === 'ro' ? [6] : []),
  currencyMode,
]

export const groupAmounts = ({ taxGroups }: Edition, values: readonly Money[]): Money[] =>
  Array.from({ length: taxGroups }, (_, index) => values[index] ?? 0)

const line = (left: string, right: string, width: number): TextLine => ({
  text: left.slice(0, Math.max(0, width - right.length - 1)).padEnd(width - right.length) + right,
})

const title = (text: string): TextLine => ({ text, alignment: 'center', bold: true })
const counted = ({ count, amount }: CountedAmount): string => `${count} x ${formatMoney(amount)}`

export function periodicLines(context: Context, kind: string, from: string, to: string): TextLine[] | undefined {
  const { device, edition } = context
  const zs = device.memory.zsByDate(from, to)
  if (zs.length === 0) return undefined
  const width = device.profile.lineWidth
  const lines = [title('PERIODIC REPORT'), { text: `${from} - ${to}` }]
  const names = new Map(device.registers.payments.map(({ mode, name }) => [mode, name]))
  if (kind === 'payments') {
    for (const mode of modesOf(edition)) {
      const sum = zs.reduce((total, z) => total + (z.payments[mode] ?? 0), 0)
      lines.push(line(names.get(mode) ?? `${mode}`, formatMoney(sum), width))
    }
  }
  lines.push(line('TOTAL', formatMoney(zs.reduce((total, z) => total + z.total, 0)), width))
  return lines
}

export function registerLines({ device, edition }: Context): TextLine[] {
  const { day, registers, profile } = device
  const groups = groupAmounts(edition, day.taxes).map((amount, index) =>
    line(String.fromCharCode(65 + index), formatMoney(amount), profile.lineWidth),
  )
  const paid = registers.payments.map(({ mode, name }) =>
    line(name, formatMoney(day.payments[mode] ?? 0), profile.lineWidth),
  )
  const { total } = profile.paper.words
  return [title('REGISTERS'), ...groups, line(total, formatMoney(day.total), profile.lineWidth), ...paid]
}

export function departmentLines({ device }: Context): TextLine[] {
  const lines: TextLine[] = [title('DEPARTMENTS')]
  for (let number = 1; number <= device.profile.departments; number++) {
    const { sales, reversals: back } = device.registers.departmentTotals(number)
    if (sales.count + back.count === 0) continue
    const { name } = device.registers.department(number)
    lines.push({ text: `${number} ${name}` }, line('  sales', counted(sales), device.profile.lineWidth))
    if (back.count > 0) lines.push(line('  reversals', counted(back), device.profile.lineWidth))
  }
  return lines
}

export function groupLines({ device }: Context): TextLine[] {
  const lines: TextLine[] = [title('ITEM GROUPS')]
  for (let number = 1; number <= 99; number++) {
    const { sales } = device.registers.groupTotals(number)
    if (sales.count > 0)
      lines.push(line(`${number} ${groupName(device, number)}`, counted(sales), device.profile.lineWidth))
  }
  return lines
}

export const groupName = (device: Context['device'], number: number): string =>
  device.registers.parameter(`ItemGroups_name.${number - 1}`) ?? `Group ${number}`

/** Reversals are excluded, because the operator's total does not contain them. */
export const soldBy = ({ receipts, reversals: back = 0 }: OperatorTotals): number => receipts - back

export function operatorLines({ device }: Context, first: number, last: number): TextLine[] {
  const lines: TextLine[] = [title('OPERATORS')]
  for (let code = first; code <= last; code++) {
    const operator = device.registers.operator(code)
    if (!operator) continue
    const totals = device.registers.operatorTotals(code)
    if (totals.receipts === 0 && totals.voids.count === 0) continue
    lines.push(
      { text: `${code} ${operator.name}`, bold: true },
      line('receipts', `${soldBy(totals)} x ${formatMoney(totals.total)}`, device.profile.lineWidth),
      line('discounts', counted(totals.discounts), device.profile.lineWidth),
      line('surcharges', counted(totals.surcharges), device.profile.lineWidth),
      line('voids', counted(totals.voids), device.profile.lineWidth),
    )
  }
  return lines
}

function articleLine(article: Article, option: string, width: number): TextLine[] {
  const head = { text: `${article.plu} ${article.name}` }
  if (option === 'parameters') {
    const group = String.fromCharCode(64 + article.taxCode)
    return [head, line(`  ${group} dep ${article.department} grp ${article.group}`, formatMoney(article.price), width)]
  }
  if (option === 'stock') return [head, line('  stock', formatQuantity(article.stock ?? 0), width)]
  if (option === 'summary' || option === 'summaryAndClear')
    return [line(head.text, formatMoney(article.turnover), width)]
  return [head, line(`  ${formatShort(article.sold, 3)}`, formatMoney(article.turnover), width)]
}

export function articleLines({ device }: Context, option: string, first: number, last: number): TextLine[] {
  const lines: TextLine[] = [title('ITEMS')]
  for (const article of device.articles.all()) {
    if (article.plu < first || article.plu > last) continue
    const isSold = option !== 'parameters' && option !== 'stock'
    if (isSold && article.turnover === 0 && article.sold === 0) continue
    lines.push(...articleLine(article, option, device.profile.lineWidth))
  }
  return lines
}
