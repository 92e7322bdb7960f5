/** One HTML file without outside references: what was played, what failed and why, receipts shown as paper. */
import { htmlPage, html as safe, timeOf } from '../../markup.ts'
import type { Result } from '../play.ts'
import type { Summary } from '../run.ts'
import { countsLine, failureSections, lookLines, type Reporter, type RunFacts, WIRE, type Write } from './report.ts'

export function htmlReporter(write: Write, facts: RunFacts, at: Date): Reporter {
  return {
    ended: () => undefined,
    finished: (summary) => write(page(summary, facts, at)),
  }
}

const WORDS = { passed: 'passed', failed: 'failed', notRun: 'not run' } as const

function page(summary: Summary, facts: RunFacts, at: Date): string {
  const files = [...new Set(summary.results.map(({ play }) => play.loaded.file))]
  const order = { failed: 0, notRun: 1, passed: 2 } as const
  const worst = (file: string) =>
    Math.min(...summary.results.filter(({ play }) => play.loaded.file === file).map(({ status }) => order[status]))
  files.sort((one, other) => (worst(one) === 0 ? 0 : 1) - (worst(other) === 0 ? 0 : 1) || one.localeCompare(other))
  const title = `${summary.failed > 0 ? `${summary.failed} failed` : 'passed'}: scenarios on ${facts.target}`
  const header = `<h1>${summary.failed > 0 ? `${summary.failed} of ${summary.results.length} scenarios failed` : `All ${summary.passed} scenarios passed`}</h1>
<p class="facts">${safe(countsLine(summary))} &middot; target <b>${safe(facts.target)}</b> &middot; seed ${facts.seed} &middot; ${timeOf(at)}</p>
<p class="facts"><code>${safe(facts.command)}</code></p>
<div class="bar" role="img" aria-label="${safe(countsLine(summary))}">${bar(summary)}</div>
<form class="tools" role="search">
<label>Search <input id="search" type="search" placeholder="name, file, paper, message" autocomplete="off"></label>
<fieldset><legend>Show</legend>
${PARTS.map((status) => `<label class="${status}"><input type="checkbox" name="status" value="${status}" checked> ${WORDS[status]} <span>${summary[status]}</span></label>`).join('\n')}
</fieldset>
<output id="count" aria-live="polite"></output>
</form>`
  const sections = files.map((file) =>
    section(
      file,
      summary.results.filter(({ play }) => play.loaded.file === file),
    ),
  )
  const main = `${sections.join('\n')}
<p id="none" hidden>Nothing matches.</p>`
  return htmlPage({ title, folder: import.meta.dirname, rules: barRules(summary), header, main })
}

const PARTS = ['failed', 'notRun', 'passed'] as const

const bar = (summary: Summary): string =>
  PARTS.filter((part) => summary[part] > 0)
    .map((part) => `<i class="${part}"></i>`)
    .join('')

/** How wide the parts are stands in the style sheet: an attribute would have to be let through the page's policy. */
const barRules = (summary: Summary): string =>
  PARTS.map((part) => `.bar .${part} {\n  flex-grow: ${summary[part]};\n}\n`).join('')

const section = (file: string, results: readonly Result[]): string => `<section>
<h2>${safe(file)} <span>${results.length}</span></h2>
${results.map(entry).join('\n')}
</section>`

function entry(result: Result): string {
  const { play, status, reason, durationMs, paper, left, looks } = result
  const { purpose } = play.loaded.scenario
  const inner = [
    ...(purpose === undefined ? [] : [`<p class="purpose">${safe(purpose)}</p>`]),
    ...(reason === undefined ? [] : [`<p>Not run: ${safe(reason)}</p>`]),
    ...(looks.length === 0 ? [] : [`<pre class="look" tabindex="0">${safe(lookLines(result).join('\n'))}</pre>`]),
    ...(left === undefined ? [] : [`<p>Left behind: ${safe(left)}</p>`]),
    ...failureBlock(result),
    ...(paper.length === 0
      ? []
      : [
          `<div class="papers">${paper.map(({ kind, number, text }) => `<figure><pre class="paper" tabindex="0">${safe(text.join('\n'))}</pre><figcaption>${safe(kind)} ${number}</figcaption></figure>`).join('')}</div>`,
        ]),
  ]
  return `<details class="${status}"${status === 'failed' ? ' open' : ''}>
<summary><span class="mark">${WORDS[status]}</span><span class="name">${safe(play.name)}</span><span class="time">${status === 'notRun' ? '' : `${Math.max(1, Math.round(durationMs))} ms`}</span></summary>
<div class="inner">${inner.length === 0 ? '<p>Nothing was printed.</p>' : inner.join('\n')}</div>
</details>`
}

function failureBlock(result: Result): string[] {
  const { failure } = result
  if (!failure) return []
  const parts = failureSections(result).map(({ title, lines }) => {
    const text = title === 'paper' ? diffBlock(lines) : `<pre tabindex="0">${safe(lines.join('\n'))}</pre>`
    const shown = title === WIRE ? `<details><summary>${lines.length} frames</summary>${text}</details>` : text
    return `<dt>${title}</dt><dd class="part-${title.replaceAll(' ', '-')}">${shown}</dd>`
  })
  return [`<p class="place"><code>${safe(failure.file)}:${failure.line}</code></p><dl>${parts.join('')}</dl>`]
}

function diffBlock(lines: readonly string[]): string {
  const kindOf = (line: string) => (line.startsWith('-') ? 'gone' : line.startsWith('+') ? 'new' : 'same')
  const marked = lines.map((line) => `<span class="${kindOf(line)}">${safe(line)}</span>`).join('\n')
  return `<figure><pre class="paper diff" tabindex="0">${marked}</pre><figcaption>- expected, + printed</figcaption></figure>`
}
