/** Measures the times of a device: until the first byte, per printed line, and of slow commands. */
import { factsFor } from '../../drivers/wire/passport-probes.ts'
import type { Questionnaire } from '../../drivers/wire/questionnaire.ts'
import type { PassportLine } from '../../emulator/passport/passport.ts'
import type { Conversation } from './conversation.ts'

/** A command is slow if it takes more than `SLOW_TIMES` times the median, and more than `SLOW_MS` above it. */
const SLOW_TIMES = 5
const SLOW_MS = 2_000

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

function nameOf(q: Questionnaire, frame: Uint8Array | undefined): string | undefined {
  const request = frame && q.readRequest(frame)
  const command = request && q.catalogue.find(request.code, request.data)
  return command && request && factsFor(command, request.data, q.page)?.runsAs
}

export function timesOf(q: Questionnaire, { exchanges }: Conversation, printed: readonly number[]): PassportLine {
  const first: number[] = []
  const lines: number[] = []
  const whole = new Map<string, number>()
  for (const [index, { probe, responses, reads, requests }] of exchanges.entries()) {
    const count = printed[index] ?? 0
    for (const { firstMs, wholeMs } of responses) {
      if (firstMs === undefined) continue
      if (probe?.command !== 'link') first.push(Math.round(firstMs))
      if (count > 0 && responses.length === 1) lines.push(wholeMs / count)
      const name = probe && !reads ? nameOf(q, requests[0]) : undefined
      if (name !== undefined) whole.set(name, Math.max(whole.get(name) ?? 0, Math.round(wholeMs)))
    }
  }
  if (first.length === 0) return {}
  first.sort((one, other) => one - other)
  lines.sort((one, other) => one - other)
  const usual = at(
    [...whole.values()].sort((one, other) => one - other),
    0.5,
  )
  const slow = [...whole].filter(([, ms]) => ms > usual * SLOW_TIMES && ms > usual + SLOW_MS)
  return {
    firstByteMs: { median: at(first, 0.5), p95: at(first, 0.95) },
    ...(lines.length > 0 && { perPrintedLineMs: Math.round(at(lines, 0.5)) }),
    ...(slow.length > 0 && { slow: Object.fromEntries(slow) }),
  }
}
