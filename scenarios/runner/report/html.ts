import { attributes, html, joinMarkup, type Markup } from '../../../drivers/host/markup.ts'
import { countText } from '../../../drivers/model/count-text.ts'
import { type HtmlPage, htmlPage, timeOf } from '../../report/page.ts'
import { countsLine, type Reporter, type RunFacts, type Write } from './report.ts'
import { type Counts, type ReportData, reportDataOf } from './report-data.ts'
import { stepLogOf, WORDS } from './step-log-html.ts'

export function htmlReporter(write: Write, facts: RunFacts, at: Date): Reporter {
  return {
    ended: () => undefined,
    finished: ({ results, ...counts }) =>
      write(reportPage({ accounts: results.map(reportDataOf).map(withoutPassedDetail), counts, facts, at }).text),
  }
}

/** Only the page of a trace shows the details of passed scenarios. */
function withoutPassedDetail(account: ReportData): ReportData {
  if (account.status === 'failed') return account
  const { detail: _detail, ...otherMembers } = account
  return otherMembers
}

interface ReportParts {
  readonly accounts: readonly ReportData[]
  readonly counts: Counts
  readonly facts: RunFacts
  readonly at: Date
}

export function reportPage({ accounts, counts, facts, at }: ReportParts): HtmlPage {
  const files = [...new Set(accounts.map(({ file }) => file))]
  const hasFailed = (file: string) => accounts.some((one) => one.file === file && one.status === 'failed')
  files.sort((one, other) => Number(hasFailed(other)) - Number(hasFailed(one)) || one.localeCompare(other))
  const ordered = files.flatMap((file) => accounts.filter((one) => one.file === file).sort(failedFirst))
  const anchors = new Map(ordered.map((account, index) => [account, `s${index + 1}`]))
  const first = ordered.find(({ status }) => status === 'failed')
  const entries = (file: string) =>
    ordered.filter((one) => one.file === file).map((one) => entry(one, anchors.get(one) ?? '', one === first))
  const sections = files.map(
    (file) => html`<section>
<h2>${file} <span>${entries(file).length}</span></h2>
${joinMarkup(entries(file))}
</section>`,
  )
  const sentence =
    counts.failed > 0
      ? `${counts.failed} of ${countText(accounts.length, 'scenario')} failed`
      : counts.passed < accounts.length
        ? `${counts.passed} of ${countText(accounts.length, 'scenario')} passed, ${counts.notRun} not run`
        : counts.passed === 1
          ? 'The scenario passed'
          : `All ${counts.passed} scenarios passed`
  const header = html`<h1>${sentence}</h1>
<p class="facts">${countsLine(counts)} &middot; target <b>${facts.target}</b> &middot; seed ${facts.seed} &middot; ${timeOf(at)}</p>
<p class="facts"><code>${facts.command}</code></p>
<div class="bar" role="img" aria-label="${countsLine(counts)}">${bar(counts)}</div>
${failures(ordered, anchors)}
${tools(accounts, counts)}`
  const title = `${counts.failed > 0 ? `${counts.failed} failed` : counts.passed > 0 ? 'passed' : 'not run'}: scenarios on ${facts.target}`
  const main = html`${joinMarkup(sections)}
<p id="none" hidden>Nothing matches.</p>`
  const rules = barRules(counts)
  return htmlPage({ title, folder: import.meta.dirname, rules, header, main, pictures: 'inside' })
}

const failedFirst = (one: ReportData, other: ReportData): number =>
  Number(other.status === 'failed') - Number(one.status === 'failed')

const PARTS = ['failed', 'notRun', 'passed'] as const

const bar = (counts: Counts): Markup =>
  html`${PARTS.filter((part) => counts[part] > 0).map((part) => html`<i class="${part}"></i>`)}`

/** The page's policy blocks style attributes, so the style sheet contains the widths. */
const barRules = (counts: Counts): string =>
  PARTS.map((part) => `.bar .${part} {\n  flex-grow: ${counts[part]};\n}\n`).join('')

const FAILURES_LISTED = 20

/** A single failure needs no link, because it is open already. */
function failures(accounts: readonly ReportData[], anchors: ReadonlyMap<ReportData, string>): Markup {
  const failed = accounts.filter(({ status }) => status === 'failed')
  if (failed.length < 2) return html``
  const listed = failed.slice(0, FAILURES_LISTED).map((one) => {
    const cause = one.failure?.problems[0]?.what.split('\n')[0] ?? ''
    return html`<li><a href="#${anchors.get(one) ?? ''}">${one.name}</a> <span>${cause}</span></li>`
  })
  const rest = failed.length - listed.length
  const moreItem = rest > 0 ? html`<li>and ${rest} more below</li>` : ''
  return html`<nav class="failures" aria-label="What failed"><ol>\n${joinMarkup(listed)}${moreItem}</ol></nav>`
}

function tools(accounts: readonly ReportData[], counts: Counts): Markup {
  const tags = [...new Set(accounts.flatMap((one) => one.tags))].sort()
  const options = tags.map((tag) => html`<option>${tag}</option>`)
  const choice =
    tags.length === 0 ? '' : html`<label>Tag <select id="tag"><option value="">any</option>${options}</select></label>`
  return html`<form class="tools" role="search">
<label>Search <input id="search" type="search" placeholder="name, file, paper, message" autocomplete="off"></label>
${choice}
<fieldset><legend>Show</legend>
${joinMarkup(PARTS.map((status) => html`<label class="${status}"><input type="checkbox" name="status" value="${status}" checked> ${WORDS[status]} <span>${counts[status]}</span></label>`))}
</fieldset>
<output id="count" aria-live="polite"></output>
</form>`
}

function entry(account: ReportData, anchor: string, isFirstFailure: boolean): Markup {
  const { name, status, durationMs, tags, earlier, failedBefore } = account
  const word = status === 'passed' && failedBefore ? 'flaky' : WORDS[status]
  const marks = (earlier?.runs ?? []).map(
    ({ title, status: before }) =>
      html`<i class="${before ?? 'absent'}" title="${title}">${LETTERS[before ?? 'absent']}</i>`,
  )
  const wordsBefore = (earlier?.runs ?? []).map(({ status: before }) => (before === null ? 'not there' : WORDS[before]))
  const history =
    marks.length === 0
      ? ''
      : html`<span class="history" role="img" aria-label="Earlier runs, the oldest first: ${wordsBefore.join(', ')}">${marks}</span>`
  return html`<details class="entry ${status}" id="${anchor}" data-status="${status}" data-tags="${JSON.stringify(tags)}"${attributes({ open: isFirstFailure })}>
<summary><span class="mark">${word}</span><span class="name">${name}</span>${tags.map((tag) => html`<span class="tag">${tag}</span>`)}${history}<span class="time">${status === 'notRun' ? '' : `${Math.max(1, Math.round(durationMs))} ms`}</span></summary>
<div class="inner">${stepLogOf(account, anchor)}</div>
</details>`
}

const LETTERS = { passed: 'P', failed: 'F', flaky: 'U', notRun: 'n', absent: '-' } as const
