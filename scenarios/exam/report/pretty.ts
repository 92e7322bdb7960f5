/** For people: progress on a terminal, then what did not pass, the worst first. */
import { visible } from '../../../drivers/model/visible.ts'
import type { CaseResult } from '../exam.ts'
import { isGood, type Verdict } from '../judge.ts'
import { aroundFault, badOnes, countsLine, type ExamFacts, type Progress, saidLines, sentences } from './report.ts'

interface Style {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly faint: (text: string) => string
}

const paint = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`
const PLAIN: Style = { good: (text) => text, bad: (text) => text, faint: (text) => text }
const COLOURS: Style = { good: paint(32), bad: paint(31), faint: paint(2) }
const CLEAR_LINE = '\r\u001b[K'

export function examPretty(write: (text: string) => void, facts: ExamFacts, isTerminal: boolean): Progress {
  const style = isTerminal && !process.env['NO_COLOR'] ? COLOURS : PLAIN
  const counts = new Map<Verdict, number>()
  let [done, planned] = [0, 0]
  const line = (text: string) => write(`${isTerminal ? CLEAR_LINE : ''}${text}\n`)
  const show = (result: CaseResult) => {
    for (const text of caseLines(result, facts, style)) line(text)
  }
  return {
    quietEnded(quiet, map, cases) {
      planned = cases
      line(style.faint(`till: ${visible(facts.till)}`))
      line(style.faint(`its commands for one sale: ${map.map(({ command, n }) => `${command}#${n}`).join(' ')}`))
      if (isGood(quiet.verdict)) line(style.faint(`${cases} cases, depth ${facts.depth}, seed ${facts.seed}`))
    },
    ended({ id, verdict }) {
      done++
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
      const far = `${done}/${planned}`
      if (!isTerminal) line(`${isGood(verdict) ? '' : 'NOT PASSED '}${verdict} ${id}`)
      else write(`${CLEAR_LINE}${style.faint(far)} ${[...counts].map(([name, n]) => `${n} ${name}`).join(', ')}`)
    },
    finished(end) {
      const bad = badOnes(end.cases)
      for (const one of bad) show(one)
      line('')
      for (const text of sentences(end)) line((bad.length > 0 ? style.bad : style.good)(text))
      line(countsLine(end))
    },
  }
}

function caseLines(result: CaseResult, { advice }: ExamFacts, style: Style): string[] {
  const { verdict, id, why, repeat } = result
  return [
    '',
    style.bad(`${verdict.toUpperCase()} ${id}`),
    `  ${why}`,
    ...saidLines(result).map((text) => `  ${visible(text)}`),
    '  on the line:',
    ...aroundFault(result).map((text) => style.faint(`  ${visible(text)}`)),
    ...(advice(result) ?? []).map((text) => `  ${text}`),
    `  again: ${visible(repeat)}`,
  ]
}
