import { formatNumber, median } from './measure.ts'

export interface Pair {
  readonly before: number
  readonly after: number
}

export interface Comparison {
  readonly name: string
  readonly unit: string
  readonly better: 'lower' | 'higher'
  readonly pairs: readonly Pair[]
}

export interface Summary {
  readonly before: number
  readonly after: number
  /** Median of the ratios after/before: a slow phase of the machine slows both measurements of a pair. */
  readonly ratio: number
  readonly lowest: number
  readonly highest: number
}

export function summaryOf(pairs: readonly Pair[]): Summary {
  const ratios = pairs.map(({ before, after }) => after / before)
  return {
    before: median(pairs.map(({ before }) => before)),
    after: median(pairs.map(({ after }) => after)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  }
}

/** Counts have no unit and no decimals. */
const formatValue = (value: number, unit: string): string =>
  unit === '' && Number.isInteger(value) ? String(value) : `${formatNumber(value)} ${unit}`.trim()

const formatRatio = (ratio: number): string => (Number.isFinite(ratio) ? ratio.toFixed(2) : '-')

export function comparisonTable(comparisons: readonly Comparison[], before: string, after: string): string {
  const rows = comparisons.map(({ name, unit, better, pairs }) => {
    const summary = summaryOf(pairs)
    const values = [summary.before, summary.after].map((value) => formatValue(value, unit))
    const spread = pairs.length < 2 ? '-' : `${formatRatio(summary.lowest)} to ${formatRatio(summary.highest)}`
    return [name, ...values, formatRatio(summary.ratio), spread, String(pairs.length), better]
  })
  const head = ['figure', before, after, 'ratio', 'ratios of the pairs', 'pairs', 'better']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Every pair begins with the commit that was second in the previous pair. */
export async function measurePairs<Side, Result>(
  count: number,
  [before, after]: readonly [Side, Side],
  measure: (side: Side, pair: number) => Promise<Result>,
): Promise<{ readonly before: Result; readonly after: Result }[]> {
  const results: { before: Result; after: Result }[] = []
  for (let pair = 1; pair <= count; pair++) {
    if (pair % 2 === 1) {
      const first = await measure(before, pair)
      results.push({ before: first, after: await measure(after, pair) })
    } else {
      const first = await measure(after, pair)
      results.push({ before: await measure(before, pair), after: first })
    }
  }
  return results
}
