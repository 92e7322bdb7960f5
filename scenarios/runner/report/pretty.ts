import { countText } from '../../../drivers/model/count-text.ts'
import { escapeControl } from '../../../drivers/model/escape-control.ts'
import { CLEAR_LINE, type Style, styleFor } from '../../terminal.ts'
import type { Result } from '../play-scenario.ts'
import type { Summary } from '../run.ts'
import { type DiffLine, differenceOf } from './difference.ts'
import {
  countsLine,
  failedBeforeLines,
  failureSections,
  foldedWire,
  manualCheckLines,
  PAPER,
  type Reporter,
  type RunFacts,
  splitExpectation,
  WIRE,
  type Write,
} from './report.ts'

export function prettyReporter(write: Write, facts: RunFacts, isTerminal: boolean): Reporter {
  const style = styleFor(isTerminal)
  const notRun = new Map<string, number>()
  let [done, failed] = [0, 0]
  const clear = () => (isTerminal ? write(CLEAR_LINE) : undefined)
  const line = (text: string) => {
    clear()
    write(`${text}\n`)
  }
  line(style.faint(`${countText(facts.plays, 'scenario')} on ${escapeControl(facts.target)}, seed ${facts.seed}`))
  return {
    began: ({ name }) => {
      if (isTerminal) write(`${CLEAR_LINE}${style.faint(`${done}/${facts.plays}`)} ${escapeControl(name)}`)
    },
    ended(result) {
      done++
      if (result.status === 'failed') failed++
      if (result.status === 'notRun') notRun.set(result.reason ?? '', (notRun.get(result.reason ?? '') ?? 0) + 1)
      for (const text of resultLines(result, style, isTerminal, facts.wire === true)) line(text)
    },
    updated: (path) => line(`written: ${escapeControl(path)}`),
    finished(summary) {
      clear()
      for (const [reason, count] of notRun) line(style.faint(`${count} not run: ${escapeControl(reason)}`))
      for (const text of failedLines(summary, style)) line(text)
      line((failed > 0 ? style.bad : style.good)(countsLine(summary)))
    },
  }
}

/** A passed scenario without remarks has no line on a terminal. */
function resultLines(result: Result, style: Style, isTerminal: boolean, wire: boolean): string[] {
  const { play, status, durationMs, left, reason = '' } = result
  const name = escapeControl(play.name)
  const retryLines = failedBeforeLines(result).map((text) => `       ${text}`)
  const manualChecks = manualCheckLines(result).map((text) => `       ${text}`)
  const leftLines = left === undefined ? [] : [`       not cleaned up: ${escapeControl(left)}`]
  switch (status) {
    case 'passed':
      return [
        ...(isTerminal && manualChecks.length + retryLines.length === 0
          ? []
          : [`passed ${name} (${Math.round(durationMs)} ms)`]),
        ...retryLines,
        ...manualChecks,
        ...leftLines,
      ]
    case 'notRun':
      return [style.faint(`not run: ${name}: ${escapeControl(reason)}`)]
    case 'failed':
      return [
        style.bad(`FAILED ${name}`),
        ...colouredFailure(result, style, !wire).map((text) => `       ${text}`),
        ...retryLines,
        ...manualChecks,
        ...leftLines,
      ]
  }
}

const failedLines = ({ results }: Summary, style: Style): string[] =>
  results.flatMap(({ play, failure }) =>
    failure
      ? [
          style.bad(`failed ${escapeControl(play.name)}`),
          `       ${failure.file}:${failure.line}: ${escapeControl(failure.problems[0]?.what ?? '')}`,
        ]
      : [],
  )

function colouredFailure(result: Result, style: Style, isShort: boolean): string[] {
  const { failure } = result
  if (!failure) return []
  const sections = failureSections(result, { isShort }).flatMap(({ title, lines }) => {
    if (isShort && title === WIRE) return [style.faint(foldedWire(lines))]
    const outputLines = title === PAPER ? differenceOf(lines).map((line) => diffLine(line, style)) : lines
    const head = title === PAPER ? `${title} (- expected, + printed)` : title
    return [style.faint(head), ...outputLines.map((line) => `  ${title === PAPER ? line : coloured(line, style)}`)]
  })
  return [`at ${failure.file}:${failure.line}`, ...sections]
}

function diffLine({ kind, parts }: DiffLine, style: Style): string {
  const text = parts.map((part) => (part.isChanged ? style.mark(part.text) : part.text)).join('')
  if (kind === 'same') return `  ${text}`
  return kind === 'gone' ? style.good(`- ${text}`) : style.bad(`+ ${text}`)
}

function coloured(text: string, style: Style): string {
  const parts = splitExpectation(text)
  if (parts) return `${parts.before}${style.good(parts.expected)}${parts.between}${style.bad(parts.found)}`
  if (text.startsWith('FAILED')) return style.bad(text)
  return /^(?:passed|not reached)\b/.test(text) ? style.faint(text) : text
}
