/** JSON lines: one for each scenario, one at the end; for programs. */
import type { Reporter, RunFacts, Write } from './report.ts'

export function jsonReporter(write: Write, facts: RunFacts): Reporter {
  const line = (value: object) => write(`${JSON.stringify(value)}\n`)
  line({ event: 'begin', ...facts })
  return {
    ended: ({ play, status, reason, durationMs, failure, left, paper, looks }) =>
      line({
        event: 'scenario',
        name: play.name,
        scenario: play.loaded.scenario.name,
        file: play.loaded.file,
        line: play.loaded.line,
        family: play.family,
        status,
        ...(reason !== undefined && { reason }),
        durationMs: Math.round(durationMs * 10) / 10,
        documents: paper.map(({ kind, number }) => ({ kind, number })),
        ...(left !== undefined && { left }),
        ...(looks.length > 0 && { look: looks }),
        ...(failure && { failure }),
      }),
    updated: (path) => line({ event: 'updated', path }),
    finished: ({ passed, failed, notRun, leftOut, durationMs }) =>
      line({ event: 'end', passed, failed, notRun, leftOut, durationMs: Math.round(durationMs) }),
  }
}
