import { readFileSync } from 'node:fs'

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly target?: { readonly atLeast: number } | { readonly atMost: number }
}

export async function perSecond(forMs: number, batch: number, once: () => Promise<void>): Promise<number> {
  for (let warm = 0; warm < batch; warm++) await once()
  const start = process.hrtime.bigint()
  let done = 0
  let spentMs = 0
  while (spentMs < forMs) {
    for (let one = 0; one < batch; one++) await once()
    done += batch
    spentMs = Number(process.hrtime.bigint() - start) / 1e6
  }
  return (done * 1000) / spentMs
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [lower, upper] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2
}

export function met({ value, target }: Figure): boolean | undefined {
  if (!target) return undefined
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}

export const formatNumber = (value: number): string =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(2)

/** Returns a text such as `>= 0.5`, or an empty text if the figure has no target. */
export function bound({ target }: Figure): string {
  if (!target) return ''
  return 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const verdict = met(figure)
    return [
      figure.name,
      `${formatNumber(figure.value)} ${figure.unit}`,
      bound(figure),
      verdict === undefined ? '' : verdict ? 'met' : 'NOT MET',
    ]
  })
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function residentMiB(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) / 1024
}
