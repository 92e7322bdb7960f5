/** For people: progress on a terminal, plain lines in a pipe. */
import { visible } from '../../../drivers/model/visible.ts'
import type { Result } from '../play.ts'
import { countsLine, failureLines, lookLines, type Reporter, type RunFacts, type Write } from './report.ts'

interface Style {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly faint: (text: string) => string
}

const paint = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`
const PLAIN: Style = { good: (text) => text, bad: (text) => text, faint: (text) => text }
const COLOURS: Style = { good: paint(32), bad: paint(31), faint: paint(2) }
const CLEAR_LINE = '\r\u001b[K'

export function prettyReporter(write: Write, facts: RunFacts, isTerminal: boolean): Reporter {
  const style = isTerminal && !process.env['NO_COLOR'] ? COLOURS : PLAIN
  const notRun = new Map<string, number>()
  let [done, failed] = [0, 0]
  const clear = () => (isTerminal ? write(CLEAR_LINE) : undefined)
  const line = (text: string) => {
    clear()
    write(`${text}\n`)
  }
  line(style.faint(`${facts.plays} on ${visible(facts.target)}, seed ${facts.seed}`))
  return {
    began: ({ name }) => {
      if (isTerminal) write(`${CLEAR_LINE}${style.faint(`${done}/${facts.plays}`)} ${visible(name)}`)
    },
    ended(result) {
      done++
      if (result.status === 'failed') failed++
      if (result.status === 'notRun') notRun.set(result.reason ?? '', (notRun.get(result.reason ?? '') ?? 0) + 1)
      for (const text of resultLines(result, style, isTerminal)) line(text)
    },
    updated: (path) => line(`written: ${visible(path)}`),
    finished(summary) {
      clear()
      for (const [reason, count] of notRun) line(style.faint(`${count} not run: ${visible(reason)}`))
      line((failed > 0 ? style.bad : style.good)(countsLine(summary)))
    },
  }
}

/** On a terminal what went well needs no line of its own. */
function resultLines(result: Result, style: Style, isTerminal: boolean): string[] {
  const { play, status, durationMs, left, reason = '' } = result
  const name = visible(play.name)
  const looks = lookLines(result).map((text) => `       ${text}`)
  const leftLines = left === undefined ? [] : [`       left behind: ${visible(left)}`]
  switch (status) {
    case 'passed':
      return [
        ...(isTerminal && looks.length === 0 ? [] : [`passed ${name} (${Math.round(durationMs)} ms)`]),
        ...looks,
        ...leftLines,
      ]
    case 'notRun':
      return [style.faint(`not run: ${name}: ${visible(reason)}`)]
    case 'failed':
      return [
        style.bad(`FAILED ${name}`),
        ...failureLines(result).map((text) => `       ${coloured(text, style)}`),
        ...looks,
        ...leftLines,
      ]
  }
}

function coloured(text: string, style: Style): string {
  if (/^ {2}- /.test(text)) return style.bad(text)
  return /^ {2}\+ /.test(text) ? style.good(text) : text
}
