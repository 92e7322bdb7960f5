/** Report as JSON lines: one at the beginning, one for each scenario, one at the end. */
import type { Reporter, RunFacts, Write } from './report.ts'

export function jsonReporter(write: Write, facts: RunFacts, at: Date): Reporter {
  const line = (value: object) => write(`${JSON.stringify(value)}\n`)
  line({ event: 'begin', at: at.toISOString(), ...facts })
  return {
    ended: ({ play, status, reason, durationMs, failedBefore, failure, left, paper, manualChecks }) =>
      line({
        event: 'scenario',
        id: play.id,
        name: play.name,
        scenario: play.loaded.scenario.name,
        file: play.loaded.file,
        line: play.loaded.line,
        family: play.family,
        tags: play.loaded.scenario.tags ?? [],
        status,
        ...(failedBefore && { failedBefore }),
        ...(reason !== undefined && { reason }),
        durationMs: Math.round(durationMs * 10) / 10,
        documents: paper.map(({ kind, number }) => ({ kind, number })),
        ...(left !== undefined && { left }),
        ...(manualChecks.length > 0 && { manualChecks }),
        ...(failure && { failure }),
      }),
    updated: (path) => line({ event: 'updated', path }),
    finished: ({ passed, flaky, failed, notRun, leftOut, durationMs }) =>
      line({ event: 'end', passed, flaky, failed, notRun, leftOut, durationMs: Math.round(durationMs) }),
  }
}
