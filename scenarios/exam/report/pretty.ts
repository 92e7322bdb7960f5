import { escapeControl } from '../../../drivers/model/escape-control.ts'
import { CLEAR_LINE, type Style, styleFor } from '../../terminal.ts'
import type { CaseResult } from '../exam.ts'
import { isPassing, type Verdict } from '../judge.ts'
import {
  adviceForAll,
  aroundFault,
  casesNotPassed,
  countsLine,
  type ExamFacts,
  logLines,
  type Progress,
  sentences,
} from './report.ts'

export function examPretty(write: (text: string) => void, facts: ExamFacts, isTerminal: boolean): Progress {
  const style = styleFor(isTerminal)
  const counts = new Map<Verdict, number>()
  let [done, planned] = [0, 0]
  const line = (text: string) => write(`${isTerminal ? CLEAR_LINE : ''}${text}\n`)
  const show = (result: CaseResult) => {
    for (const text of caseLines(result, facts, style)) line(text)
  }
  return {
    baselineEnded(baseline, map, others) {
      ;[done, planned] = [1, others + 1]
      counts.set(baseline.verdict, 1)
      line(style.faint(`till: ${escapeControl(facts.till)}`))
      const commands = map.map(({ command, n }) => `${command}#${n}`)
      line(style.faint(`its commands for one sale: ${commands.length === 0 ? 'none' : commands.join(' ')}`))
      if (isPassing(baseline.verdict))
        line(style.faint(`${casesOf(planned)}, depth ${facts.depth}, seed ${facts.seed}`))
    },
    ended({ id, verdict }) {
      done++
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
      const far = `${done}/${planned}`
      if (!isTerminal) line(`${isPassing(verdict) ? '' : 'NOT PASSED '}${verdict} ${id}`)
      else write(`${CLEAR_LINE}${style.faint(far)} ${[...counts].map(([name, n]) => `${n} ${name}`).join(', ')}`)
    },
    finished(end) {
      const bad = casesNotPassed(end.cases)
      for (const one of bad) show(one)
      line('')
      for (const text of adviceForAll(end, facts)) line(text)
      for (const text of sentences(end))
        line((bad.length > 0 || end.cases.length < end.planned ? style.bad : style.good)(text))
      line(countsLine(end))
    },
  }
}

const casesOf = (count: number): string =>
  count === 1 ? '1 case, the baseline' : `${count} cases, the baseline among them`

function caseLines(result: CaseResult, { advice }: ExamFacts, style: Style): string[] {
  const { verdict, id, why, repeat } = result
  return [
    '',
    style.bad(`${verdict.toUpperCase()} ${id}`),
    `  ${why}`,
    ...logLines(result).map((text) => `  ${escapeControl(text)}`),
    '  on the line:',
    ...aroundFault(result).map((text) => style.faint(`  ${escapeControl(text)}`)),
    ...(advice(result) ?? []).map((text) => `  ${text}`),
    `  again: ${escapeControl(repeat)}`,
  ]
}
