import { attributes, html, joinMarkup, type Markup, verbatim } from '../../../drivers/host/markup.ts'
import { type HtmlPage, htmlPage, timeOf } from '../../report/page.ts'
import type { CaseLogEntry } from '../case-log.ts'
import { type CaseResult, countsOf, type ExamEnd } from '../exam.ts'
import { faultNamed } from '../faults.ts'
import { VERDICTS, type Verdict } from '../judge.ts'
import { adviceForAll, casesNotPassed, countsLine, type ExamFacts, sentences } from './report.ts'

const LETTERS: Readonly<Record<Verdict, string>> = {
  duplicated: 'D',
  lost: 'L',
  wrong: 'W',
  stuck: 'S',
  hung: 'H',
  misreported: 'U',
  passed: 'P',
  'not triggered': 'N',
}

const classOf = (verdict: Verdict): string => verdict.replace(' ', '-')

export const examHtml = (end: ExamEnd, facts: ExamFacts, at: Date): string => examPage(end, facts, at).text

export function examPage(end: ExamEnd, facts: ExamFacts, at: Date): HtmlPage {
  const { family, profile, device, cases } = end
  const [first = '', ...others] = sentences(end)
  const ordered = [...casesNotPassed(cases), ...cases.filter((one) => !casesNotPassed(cases).includes(one))]
  const header = html`<h1>${first}</h1>
${joinMarkup(others.map((one) => html`<p class="sentence">${one}</p>`))}
<p class="facts">${countsLine(end)} &middot; till <b>${facts.till}</b> &middot; family ${family}, profile ${profile}, ${device} &middot; depth ${facts.depth}, seed ${facts.seed} &middot; ${timeOf(at)}</p>
<p class="facts"><code>${facts.command}</code></p>
${joinMarkup(adviceForAll(end, facts).map((one) => html`<p class="facts">${one}</p>`))}`
  const main = html`<section>
<h2>Faults at the commands of this till</h2>
${legend(cases)}
${faultTable(end)}
</section>
<section>
<h2>Faults that are injected once</h2>
${singleFaults(cases)}
</section>
<section>
<h2>Case logs</h2>
<p class="tools"><label><input type="checkbox" id="all"> also show cases that passed</label></p>
${joinMarkup(ordered.map(caseLogOf))}
</section>`
  const caseLogs = attributes({ type: 'application/json', id: 'stories' })
  const data = html`${verbatim('script', caseLogData(ordered, facts), caseLogs)}\n`
  return htmlPage({ title: first, folder: import.meta.dirname, header, main, data })
}

function legend(cases: readonly CaseResult[]): Markup {
  const counts = countsOf(cases)
  const entries = VERDICTS.map(
    (verdict) =>
      html`<li><span class="cell ${classOf(verdict)}">${LETTERS[verdict]}</span> ${verdict} <b>${counts[verdict]}</b></li>`,
  )
  return html`<ul class="legend">${entries}</ul>`
}

const anchor = ({ id }: CaseResult): string => `case-${id.replace('@', '-at-').replace('#', '-')}`

const cell = (one: CaseResult): Markup =>
  html`<a class="cell ${classOf(one.verdict)}" href="#${anchor(one)}" aria-label="${`${one.verdict}: ${one.id}`}">${LETTERS[one.verdict]}</a>`

function faultTable({ map, cases }: ExamEnd): Markup {
  const casesWithTarget = cases.filter(({ target }) => target)
  const columns = map.filter(({ command, n }) =>
    casesWithTarget.some(({ target }) => target?.command === command && target.n === n),
  )
  const faults = [...new Set(casesWithTarget.map(({ fault }) => fault))]
  if (columns.length === 0) return html`<p>None of these cases was run.</p>`
  const head = columns.map(({ command, n }) => html`<th scope="col"><span>${command} #${n}</span></th>`)
  const rows = faults.map((fault) => {
    const cells = columns.map(({ command, n }) => {
      const one = casesWithTarget.find(
        (each) => each.fault === fault && each.command === command && each.target?.n === n,
      )
      return html`<td>${one ? cell(one) : ''}</td>`
    })
    return html`<tr><th scope="row">${faultTitle(fault)}</th>${cells}</tr>`
  })
  return html`<div class="field" tabindex="0" role="region" aria-label="Commands by faults">
<table><thead><tr><th scope="col">fault</th>${head}</tr></thead>
<tbody>
${joinMarkup(rows)}
</tbody></table></div>`
}

const faultTitle = (fault: string): Markup => html`${fault} <small>${faultNamed(fault)?.words ?? 'no fault'}</small>`

function singleFaults(cases: readonly CaseResult[]): Markup {
  const entries = cases
    .filter(({ target }) => !target)
    .map((one) => html`<li>${cell(one)} <span>${faultTitle(one.fault)}</span></li>`)
  return html`<ul class="onces">\n${joinMarkup(entries)}\n</ul>`
}

function caseLogOf(result: CaseResult): Markup {
  const { verdict, id, why } = result
  return html`<details class="entry ${classOf(verdict)}" id="${anchor(result)}">
<summary><span class="cell ${classOf(verdict)}">${LETTERS[verdict]}</span> <span class="name">${id}</span> <span class="why">${`${verdict}: ${why}`}</span></summary>
</details>`
}

const KINDS: Readonly<Record<CaseLogEntry['kind'], string>> = {
  asked: 'asked',
  said: 'said',
  output: 'its output',
  hand: 'hand',
  fault: 'fault',
  toDevice: 'to the device',
  toHost: 'to the till',
  paper: 'paper',
}
const KIND_NAMES = Object.keys(KINDS)

/**
 * Returns the case logs as JSON. Each text is stored once, because most frames appear in many cases. An entry is
 * `[ms, kind, text]` or `[ms, kind, text, bytes]`. `kind` is an index into `kinds`, and `text` and `bytes` are indexes
 * into `texts`.
 */
function caseLogData(cases: readonly CaseResult[], facts: ExamFacts): string {
  const texts = new Map<string, number>()
  const placeOf = (text: string): number => {
    const textIndex = texts.get(text)
    if (textIndex !== undefined) return textIndex
    texts.set(text, texts.size)
    return texts.size - 1
  }
  const caseLogs = Object.fromEntries(
    cases.map((one) => [
      anchor(one),
      {
        line: one.log.map(({ ms, kind, text, hex }) => [
          ...[ms, KIND_NAMES.indexOf(kind), placeOf(text)],
          ...(hex === undefined ? [] : [placeOf(hex)]),
        ]),
        paper: one.paper.map((lines) => placeOf(lines.join('\n'))),
        advice: (facts.advice(one) ?? []).map(placeOf),
        again: placeOf(one.repeat),
      },
    ]),
  )
  const kinds = KIND_NAMES.map((name) => [name, KINDS[name as CaseLogEntry['kind']]])
  // A `<` in the data could end the script element.
  return JSON.stringify({ kinds, texts: [...texts.keys()], stories: caseLogs }).replaceAll('<', '\\u003c')
}
